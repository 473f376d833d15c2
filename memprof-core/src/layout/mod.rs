//! Reads of private fields, and other facts that std and other crates do not expose.
//!
//! Sizes and offsets of private types are in the files of `impls`, next to the impls that need
//! them. Private words are read one by one (`word`) and compared with public figures of the same
//! value. Sizes of allocations of std are checked once per process, on values created for that
//! purpose (`certificate`). If either check fails, the caller marks the leaf as estimated.
//! `docs/internal/unsafe.md` lists the unsafe code.
#![expect(unsafe_code, reason = "std does not expose these facts")]

pub(crate) mod certificate;
mod deferred;
pub(crate) mod observed;
#[cfg(any(feature = "roaring012", feature = "slotmap1"))]
pub(crate) mod vector;
pub(crate) mod word;

use std::sync::{Condvar, Mutex, RwLock};

pub(crate) use deferred::{Deferred, Held, OnHeap, StableGuard, Visit, visit_behind};
pub(crate) use word::{pin_as_inner, prefetch, read_ahead};

/// On some systems a mutex is a `pthread_mutex_t` in its own allocation, made when the lock is
/// first used. Such a lock has drop glue that frees the allocation. So a lock without drop glue
/// owns no memory.
pub(crate) const MUTEX_IS_INLINE: bool = !core::mem::needs_drop::<Mutex<()>>();

pub(crate) const RW_LOCK_IS_INLINE: bool = !core::mem::needs_drop::<RwLock<()>>();

/// A barrier consists of a condition variable and a mutex.
pub(crate) const CONDVAR_IS_INLINE: bool = MUTEX_IS_INLINE && !core::mem::needs_drop::<Condvar>();

/// What `LineWriter::new` allocates. A writer has no accessor for its capacity, so the caller marks
/// the bytes as an estimate.
pub(crate) const LINE_WRITER_BUFFER: usize = 1024;
