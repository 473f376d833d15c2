//! The internals of types of std and of other crates: the bytes that they allocate, and their words
//! that have no accessor.
//!
//! Sizes and offsets of private types, and all unsafe code, are in this module only. Private words
//! are read one by one (`word`) and compared with public figures of the same value. Sizes of
//! allocations are checked once per process, on values made for that purpose (`certificate`). If
//! either check fails, the caller marks the leaf as estimated. `docs/internal/unsafe.md` lists the
//! unsafe code.
#![expect(unsafe_code, reason = "std and the other crates do not expose these facts")]

mod certificate;
mod deferred;
#[cfg(any(
    feature = "arrow60",
    feature = "bytes1",
    feature = "http1",
    feature = "indexmap2",
    feature = "lru019",
    feature = "ndarray017",
    feature = "ordermap1",
    feature = "petgraph08",
    feature = "roaring012",
    feature = "slotmap1",
    feature = "thin_vec02",
    test
))]
mod observed;
pub(crate) mod word;

pub(crate) mod counted;
#[cfg(any(feature = "lru019", feature = "slotmap1"))]
pub(crate) mod inner_table;
pub(crate) mod nodes;
#[cfg(any(
    feature = "indexmap2",
    feature = "ordermap1",
    feature = "petgraph08",
    feature = "serde_json1"
))]
pub(crate) mod ordered;
pub(crate) mod table;
#[cfg(any(feature = "roaring012", feature = "slotmap1"))]
mod vector;

#[cfg(feature = "arrow60")]
pub(crate) mod arrow60;
#[cfg(feature = "bytes1")]
pub(crate) mod bytes1;
#[cfg(feature = "candle_core011")]
pub(crate) mod candle_core011;
#[cfg(feature = "dashmap6")]
pub(crate) mod dashmap6;
#[cfg(feature = "http1")]
pub(crate) mod http1;
#[cfg(any(feature = "indexmap2", feature = "ordermap1", feature = "petgraph08"))]
pub(crate) mod indexmap2;
#[cfg(feature = "lru019")]
pub(crate) mod lru019;
#[cfg(feature = "memmap2_09")]
pub(crate) mod memmap2_09;
#[cfg(feature = "ndarray017")]
pub(crate) mod ndarray017;
#[cfg(feature = "ordermap1")]
pub(crate) mod ordermap1;
#[cfg(feature = "roaring012")]
pub(crate) mod roaring012;
#[cfg(feature = "slab04")]
pub(crate) mod slab04;
#[cfg(feature = "slotmap1")]
pub(crate) mod slotmap1;
#[cfg(feature = "thin_vec02")]
pub(crate) mod thin_vec02;

pub use certificate::{Requested, check};
use std::sync::{Condvar, Mutex, RwLock};

pub(crate) use deferred::{Deferred, Held, OnHeap, StableGuard, Visit, visit_behind};
#[cfg(feature = "arrow60")]
pub(crate) use word::LOWEST_ADDRESS;
pub(crate) use word::{pin_as_inner, prefetch, read_ahead};

/// True if a mutex owns no memory.
///
/// On some systems a mutex is a `pthread_mutex_t` in its own allocation, made when the lock is
/// first used. Such a lock has drop glue that frees the allocation. So a lock without drop glue
/// owns no memory.
pub(crate) const MUTEX_IS_INLINE: bool = !core::mem::needs_drop::<Mutex<()>>();

/// True if a read-write lock owns no memory.
pub(crate) const RW_LOCK_IS_INLINE: bool = !core::mem::needs_drop::<RwLock<()>>();

/// True if a condition variable owns no memory. A barrier consists of a condition variable and a
/// mutex.
pub(crate) const CONDVAR_IS_INLINE: bool = MUTEX_IS_INLINE && !core::mem::needs_drop::<Condvar>();

/// The bytes that `LineWriter::new` allocates.
///
/// A writer has no accessor for its capacity, so the caller marks the bytes as an estimate.
pub(crate) const LINE_WRITER_BUFFER: usize = 1024;
