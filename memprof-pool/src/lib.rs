//! Memory resources for memprof: caching pools of host, pinned and device memory, with statistics.
//!
//! | question | item |
//! |---|---|
//! | Which resource returns memory? | [`HostUpstream`], [`AddressSpace`]; with the feature `cuda`: `DeviceUpstream`, `StreamOrderedUpstream`, `PinnedUpstream` |
//! | How is freed memory kept for reuse? | [`CachingPool`], [`PoolBuilder`] |
//! | How is a limit set? | [`Limiting`], [`Limit`] |
//! | How are allocations counted and traced? | [`Statistics`], [`Tracking`], [`Recorded`] |
//! | How is memory owned and freed on drop? | [`Buffer`] |
//! | How is all of it combined in one call? | [`profiled`] |
//! | How does a session read a pool? | [`PoolSource`] |
//! | How is a recorded trace replayed? | [`Replay`] |
//! | How is another resource written? | [`MemoryResource`], [`Request`], [`Memory`], [`AllocationError`] |
//!
//! No build needs a GPU, a driver or a toolkit. If one is missing at run time, the call that needs
//! it returns an error.

// With this, docs.rs marks each item with the features that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![expect(unsafe_code, reason = "a caller that frees memory promises that nothing uses it")]

mod error;
mod request;
mod resource;

mod pointers;

// Upstreams.
mod address_space;
#[cfg(feature = "cuda")]
mod cuda;
mod host;

// Adaptors.
mod limiting;
mod outstanding;
mod statistics;
mod tracking;

mod buffer;
mod caching;
mod profiled;
mod replay;
mod timeline;

pub use address_space::AddressSpace;
pub use buffer::Buffer;
pub use caching::{
    Age, CachingPool, Compaction, Fragmentation, Limit, PoolBuilder, PoolError, PoolSource,
    PoolStatistics, Pressure, SizeClasses, UnusedCache,
};
#[cfg(feature = "cuda")]
pub use cuda::{DeviceUpstream, PinnedUpstream, StreamOrderedUpstream};
pub use error::{AllocationError, DeallocationError};
pub use host::HostUpstream;
pub use limiting::Limiting;
pub use outstanding::{Allocation, Outstanding};
pub use profiled::{Profiled, profiled};
pub use replay::{Replay, ReplayError, Step};
pub use request::{Address, Memory, Request, Stream};
pub use resource::{MemoryResource, StreamEvent, Streams};
pub use statistics::{Counts, Figure, Statistics};
pub use timeline::{Action, Event, Held, Recorded, Timeline};
pub use tracking::Tracking;
