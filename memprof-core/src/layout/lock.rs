//! Locks of std, which own memory on some systems.

use std::sync::{Condvar, Mutex, RwLock};

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
