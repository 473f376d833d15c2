//! Memory resources for memprof: caching pools of host, pinned and device memory, with statistics.
//!
//! Use it through the crate `memprof`, as the module `pool`.
//!
//! - Upstreams return memory: [`HostUpstream`], [`AddressSpace`] and, with the feature `cuda`,
//!   `DeviceUpstream`, `StreamOrderedUpstream` and `PinnedUpstream`.
//! - [`CachingPool`] keeps freed memory, so that it rarely calls its upstream.
//! - Adaptors add limits and records to any resource: [`Limiting`], [`Statistics`], [`Tracking`],
//!   [`Recorded`].
//! - [`Buffer`] owns memory of a resource and frees it when it is dropped.
//! - [`profiled`] combines a pool with its statistics and its tracking in one call.
//!
//! No build needs a GPU, a driver or a toolkit. If one is missing at run time, the call that needs
//! it returns an error.

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
pub use request::{Address, Request, Stream};
pub use resource::{Mark, Memory, MemoryResource, Streams};
pub use statistics::{Counts, Figure, Statistics};
pub use timeline::{Action, Event, Held, Recorded, Timeline};
pub use tracking::Tracking;
