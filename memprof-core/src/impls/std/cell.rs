//! Cells and locks: contents are read through a guard that is tried for, never waited for.

use crate::layout::lock::{MUTEX_IS_INLINE, RW_LOCK_IS_INLINE};
use crate::{At, Kind, MemoryProfile, Opaque, Walk};
use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, OnceLock, RwLock, TryLockError, TryLockResult};

impl<T: MemoryProfile> MemoryProfile for Cell<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        if !T::is_flat() {
            walk.opaque(at, Opaque::Foreign);
        }
    }

    fn inline(walk: &mut Walk<'_>, at: At, count: usize) {
        T::inline(walk, at, count);
    }

    fn is_flat() -> bool {
        T::is_flat()
    }
}

/// A guard, or why there is none.
pub(crate) type Tried<G> = Result<G, Opaque>;

/// Adds what the guarded contents own, or says that they could not be seen.
pub(crate) fn owned_behind<G>(guard: Tried<G>, walk: &mut Walk<'_>, at: At)
where
    G: Deref<Target: MemoryProfile>,
{
    match guard {
        Ok(guard) => read(guard, |value| walk.guarded(value, at)),
        Err(why) => walk.opaque(at, why),
    }
}

/// Reads what a guard guards. A panic goes on after the guard is dropped: a guard of std that is
/// dropped while a panic unwinds poisons its lock.
fn read<G: Deref>(guard: G, read: impl FnOnce(&G::Target)) {
    let panicked = catch_unwind(AssertUnwindSafe(|| read(&guard)));
    drop(guard);
    if let Err(panic) = panicked {
        resume_unwind(panic);
    }
}

/// Adds all bytes of a cell on the heap, the contents' split over their fields.
pub(crate) fn pointee_behind<G>(cell_bytes: usize, guard: Tried<G>, walk: &mut Walk<'_>, at: At)
where
    G: Deref<Target: MemoryProfile>,
{
    match guard {
        Ok(guard) => {
            walk.leaf(at, Kind::Inline, cell_bytes - size_of_val(&*guard));
            read(guard, |value| walk.guarded_pointee(value, at));
        }
        Err(why) => {
            walk.leaf(at, Kind::Inline, cell_bytes);
            walk.opaque(at, why);
        }
    }
}

/// One row a cell, whether all of it is in its own bytes, and how to try for a guard.
macro_rules! guarded_cells {
    ($($cell:ident ($whole:expr): $try_guard:expr;)*) => {$(
        impl<T: MemoryProfile + ?Sized> MemoryProfile for $cell<T> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
                if !$whole {
                    walk.opaque(at, Opaque::Foreign);
                }
                owned_behind($try_guard(self), walk, at);
            }

            fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
                if !$whole {
                    walk.opaque(at, Opaque::Foreign);
                }
                pointee_behind(size_of_val(self), $try_guard(self), walk, at);
            }
        }
    )*};
}

guarded_cells! {
    RefCell (true): |cell: &'a Self| cell.try_borrow().map_err(|_| Opaque::Borrowed);
    Mutex (MUTEX_IS_INLINE): |lock: &'a Self| unless_locked(lock.try_lock());
    RwLock (RW_LOCK_IS_INLINE): |lock: &'a Self| unless_locked(lock.try_read());
}

/// A poisoned lock is read all the same: its bytes are where they were.
fn unless_locked<G>(tried: TryLockResult<G>) -> Tried<G> {
    match tried {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(Opaque::Locked),
    }
}

/// Impls for cells that are written once: what is in them, if anything is by now.
macro_rules! once_cells {
    ($($cell:ident)*) => {$(
        impl<T: MemoryProfile> MemoryProfile for $cell<T> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
                if let Some(value) = self.get() {
                    value.owned(walk, at);
                }
            }

            fn is_flat() -> bool {
                T::is_flat()
            }
        }
    )*};
}

#[cfg(feature = "tokio1")]
pub(crate) use once_cells;

once_cells! { OnceCell OnceLock }
