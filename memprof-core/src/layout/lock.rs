//! Locks of std: whether one has memory of its own.

use std::sync::{Condvar, Mutex, RwLock};

/// Whether a mutex is all in its own bytes.
///
/// On some systems it is a `pthread_mutex_t` in an allocation of its own, made when the lock is
/// first used. Such a lock has something to drop; one without drop glue has nothing to free.
pub(crate) const MUTEX_IS_INLINE: bool = !core::mem::needs_drop::<Mutex<()>>();

/// Whether a read-write lock is all in its own bytes.
pub(crate) const RW_LOCK_IS_INLINE: bool = !core::mem::needs_drop::<RwLock<()>>();

/// Whether a condition variable is all in its own bytes; a barrier is made of one and a mutex.
pub(crate) const CONDVAR_IS_INLINE: bool = MUTEX_IS_INLINE && !core::mem::needs_drop::<Condvar>();
