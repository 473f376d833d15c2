//! Memory resources for memprof: caching pools of host, pinned and device memory, with statistics.
//!
//! | question | item |
//! |---|---|
//! | Which resource returns memory? | [`HostUpstream`], [`AddressSpace`]; with the feature `cuda`: `DeviceUpstream`, `StreamOrderedUpstream`, `PinnedUpstream` |
//! | How do I cache freed memory for reuse? | [`CachingPool`], [`PoolBuilder`] |
//! | How do I set a limit? | [`Limiting`], [`PoolBuilder::limit`], [`PoolBuilder::limit_to_fraction`] |
//! | How do I count and locate allocations? | [`Statistics`], [`Tracking`] |
//! | How do I record and view a timeline? | [`PoolBuilder::record`], [`Timeline`] |
//! | What owns memory and frees it on drop? | [`Buffer`] |
//! | How does a session read a pool? | [`PoolSource`] |
//! | How do I write my own resource? | [`MemoryResource`], [`Request`], [`Memory`], [`AllocationError`] |
//!
//! No build needs a GPU, a driver or a toolkit. If one is missing at run time, the call that needs
//! it returns an error.

// With this, docs.rs marks each item with the features that it needs.
#![cfg_attr(docsrs, feature(doc_cfg))]
#![expect(unsafe_code, reason = "a caller that frees memory promises that nothing uses it")]

mod error;
mod request;
mod resource;

// Upstreams.
mod address_space;
#[cfg(feature = "cuda")]
mod cuda;
mod host;

// Adaptors.
mod limiting;
mod statistics;
mod tracking;

mod buffer;
mod caching;
mod timeline;

pub use address_space::AddressSpace;
pub use buffer::Buffer;
pub use caching::{
    Age, CachingPool, Compaction, PoolBuilder, PoolError, PoolSource, PoolStatistics, Pressure,
};
#[cfg(feature = "cuda")]
pub use cuda::{DeviceUpstream, PinnedUpstream, StreamOrderedUpstream};
pub use error::{AllocationError, DeallocationError};
pub use host::HostUpstream;
pub use limiting::Limiting;
pub use request::{Address, Memory, Request, Stream};
pub use resource::{MemoryResource, StreamEvent, Streams};
pub use statistics::{Counts, Figure, Statistics};
pub use timeline::{Action, Event, Held, Timeline};
pub use tracking::{Allocation, Outstanding, Tracking};
