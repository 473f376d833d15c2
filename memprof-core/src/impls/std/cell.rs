//! Cells and locks. The walk tries to get a guard and never waits for it.

use crate::MemoryProfile;
use crate::layout::lock::{MUTEX_IS_INLINE, RW_LOCK_IS_INLINE};
use crate::state::Obstacle;
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Walk};
use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Deref;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::{Mutex, OnceLock, RwLock, TryLockError, TryLockResult};

impl<T: MemoryProfile> MemoryProfile for Cell<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if !T::is_flat() {
            walk.opaque(at, OpaqueReason::Foreign);
        }
    }

    fn inline(walk: &mut Walk<'_>, at: Position, count: usize) {
        T::inline(walk, at, count);
    }

    fn is_flat() -> bool {
        T::is_flat()
    }
}

/// A guard, or the reason for its absence.
pub(crate) type GuardResult<G> = Result<G, OpaqueReason>;

/// Adds what the guarded contents own, or marks them opaque.
pub(crate) fn owned_behind<G>(guard: GuardResult<G>, walk: &mut Walk<'_>, at: Position)
where
    G: Deref<Target: MemoryProfile>,
{
    match guard {
        Ok(guard) => read(guard, |value| walk.guarded(value, at)),
        Err(reason) => {
            walk.note(Obstacle::Guard);
            walk.opaque(at, reason);
        }
    }
}

/// Calls `read` with the guarded contents. A panic resumes only after the guard is dropped, because
/// a std guard dropped during unwinding poisons its lock.
fn read<G: Deref>(guard: G, read: impl FnOnce(&G::Target)) {
    let panicked = catch_unwind(AssertUnwindSafe(|| read(&guard)));
    drop(guard);
    if let Err(panic) = panicked {
        resume_unwind(panic);
    }
}

/// Adds all bytes of a cell that is on the heap. The bytes of its contents are split over their
/// fields.
pub(crate) fn pointee_behind<G>(
    cell_bytes: usize,
    guard: GuardResult<G>,
    walk: &mut Walk<'_>,
    at: Position,
) where
    G: Deref<Target: MemoryProfile>,
{
    match guard {
        Ok(guard) => {
            walk.leaf(at, LeafKind::Inline, cell_bytes - size_of_val(&*guard));
            read(guard, |value| walk.guarded_pointee(value, at));
        }
        Err(reason) => {
            walk.note(Obstacle::Guard);
            walk.leaf(at, LeafKind::Inline, cell_bytes);
            walk.opaque(at, reason);
        }
    }
}

/// Implements `MemoryProfile` for cells. The first expression is true if the cell owns nothing
/// itself, and the second one tries to get a guard.
macro_rules! guarded_cells {
    ($($cell:ident ($is_inline:expr): $try_guard:expr;)*) => {$(
        impl<T: MemoryProfile + ?Sized> MemoryProfile for $cell<T> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                if !$is_inline {
                    walk.opaque(at, OpaqueReason::Foreign);
                }
                owned_behind($try_guard(self), walk, at);
            }

            fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                if !$is_inline {
                    walk.opaque(at, OpaqueReason::Foreign);
                }
                pointee_behind(size_of_val(self), $try_guard(self), walk, at);
            }
        }
    )*};
}

guarded_cells! {
    RefCell (true): |cell: &'a Self| cell.try_borrow().map_err(|_| OpaqueReason::Borrowed);
    Mutex (MUTEX_IS_INLINE): |lock: &'a Self| guard_or_locked(lock.try_lock());
    RwLock (RW_LOCK_IS_INLINE): |lock: &'a Self| guard_or_locked(lock.try_read());
}

/// Returns the guard of a lock, unless the lock is held. The contents of a poisoned lock are still
/// valid memory, so they are read too.
pub(crate) fn guard_or_locked<G>(result: TryLockResult<G>) -> GuardResult<G> {
    match result {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(OpaqueReason::Locked),
    }
}

/// Implements `MemoryProfile` for cells that are written once. Such a cell adds its value if the
/// value is set.
macro_rules! once_cells {
    ($($cell:ident)*) => {$(
        impl<T: MemoryProfile> MemoryProfile for $cell<T> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                walk.note(crate::state::Obstacle::OnceCell);
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
