//! Cells, locks, lazy values and channels. The walk tries to get a guard and never waits for it.
#![cfg_attr(
    memprof_since_1_94,
    expect(clippy::incompatible_msrv, reason = "only newer compilers compile this")
)]

use crate::MemoryProfile;
use crate::impls::std::scalar::{impl_flat, impl_opaque};
use crate::impls::std::wrapper::holders;
use crate::layout::{
    CONDVAR_IS_INLINE, MUTEX_IS_INLINE, RW_LOCK_IS_INLINE, StableGuard, visit_behind,
};
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Shape, Walk};
use core::mem::needs_drop;
use std::cell::{Cell, LazyCell, OnceCell, RefCell};
use std::sync::mpsc::{Receiver, Sender, SyncSender};
use std::sync::{
    Barrier, BarrierWaitResult, Condvar, LazyLock, Mutex, Once, OnceLock, RwLock, TryLockError,
    TryLockResult, WaitTimeoutResult,
};
use std::{task, thread};

impl<T: MemoryProfile> MemoryProfile for Cell<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if !T::is_flat() {
            walk.opaque(at, OpaqueReason::Foreign);
        }
    }

    fn shape() -> &'static Shape {
        const { &Shape::values::<Self>(T::shape, 1) }
    }

    fn is_flat() -> bool {
        T::is_flat()
    }
}

pub(crate) type GuardResult<G> = Result<G, OpaqueReason>;

/// Without a guard, marks the contents as opaque if they can own memory.
#[inline]
pub(crate) fn owned_behind<'a, G>(guard: GuardResult<G>, walk: &mut Walk<'a>, at: Position)
where
    G: StableGuard<Target: MemoryProfile> + 'a,
{
    match guard {
        Ok(guard) => visit_behind(guard, walk, |value, walk| value.owned(walk, at)),
        Err(reason) => mark_unread::<G::Target>(reason, walk, at),
    }
}

/// The cell is on the heap. The bytes of its contents are split over their fields.
#[inline]
pub(crate) fn pointee_behind<'a, G>(
    cell_bytes: usize,
    guard: GuardResult<G>,
    walk: &mut Walk<'a>,
    at: Position,
) where
    G: StableGuard<Target: MemoryProfile> + 'a,
{
    match guard {
        Ok(guard) => {
            walk.leaf(at, LeafKind::Inline, cell_bytes - size_of_val(&*guard));
            visit_behind(guard, walk, |value, walk| {
                let at = walk.at_concrete_type(value, at);
                value.pointee(walk, at);
            });
        }
        Err(reason) => {
            walk.leaf(at, LeafKind::Inline, cell_bytes);
            mark_unread::<G::Target>(reason, walk, at);
        }
    }
}

/// Contents that free nothing when dropped own nothing.
fn mark_unread<T: ?Sized>(reason: OpaqueReason, walk: &mut Walk<'_>, at: Position) {
    if needs_drop::<T>() {
        walk.opaque(at, reason);
    }
}

/// Implements `MemoryProfile` for cells and locks around a `T`. The first expression is true if the
/// cell owns nothing itself, and the second one tries to get a guard and never waits for it.
macro_rules! guarded_cells {
    ($($cell:ident ($is_inline:expr): $try_guard:expr;)*) => {$(
        impl<T: crate::MemoryProfile + ?Sized> crate::MemoryProfile for $cell<T> {
            fn owned<'a>(&'a self, walk: &mut crate::walk::Walk<'a>, at: crate::walk::Position) {
                if !$is_inline {
                    walk.opaque(at, crate::tree::OpaqueReason::Foreign);
                }
                crate::impls::std::cell::owned_behind($try_guard(self), walk, at);
            }

            fn pointee<'a>(&'a self, walk: &mut crate::walk::Walk<'a>, at: crate::walk::Position) {
                if !$is_inline {
                    walk.opaque(at, crate::tree::OpaqueReason::Foreign);
                }
                let (bytes, guard) = (size_of_val(self), $try_guard(self));
                crate::impls::std::cell::pointee_behind(bytes, guard, walk, at);
            }
        }
    )*};
}

#[cfg(any(feature = "parking_lot012", feature = "parking_lot013", feature = "tokio1"))]
pub(crate) use guarded_cells;

guarded_cells! {
    RefCell (true): |cell: &'a Self| cell.try_borrow().map_err(|_| OpaqueReason::Borrowed);
    Mutex (MUTEX_IS_INLINE): |lock: &'a Self| guard_or_locked(lock.try_lock());
    RwLock (RW_LOCK_IS_INLINE): |lock: &'a Self| guard_or_locked(lock.try_read());
}

#[cfg(any(feature = "parking_lot012", feature = "parking_lot013", feature = "tokio1"))]
pub(crate) fn or_locked<G: core::ops::Deref>(
    guard: Option<G>,
) -> GuardResult<crate::layout::OnHeap<G>> {
    guard.map(crate::layout::OnHeap::new).ok_or(OpaqueReason::Locked)
}

/// The contents of a poisoned lock are still valid memory, so they are read too.
pub(crate) fn guard_or_locked<G>(result: TryLockResult<G>) -> GuardResult<G> {
    match result {
        Ok(guard) => Ok(guard),
        Err(TryLockError::Poisoned(poisoned)) => Ok(poisoned.into_inner()),
        Err(TryLockError::WouldBlock) => Err(OpaqueReason::Locked),
    }
}

holders! {
    [T: MemoryProfile] OnceCell<T> => T: |cell| cell.get();
    [T: MemoryProfile] OnceLock<T> => T: |cell| cell.get();
}

macro_rules! lazies {
    ($($lazy:ident)*) => {$(
        impl<T: MemoryProfile, F> MemoryProfile for $lazy<T, F> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                #[cfg(memprof_since_1_94)]
                if let Some(value) = $lazy::get(self) {
                    value.owned(walk, at);
                    return;
                }
                let is_hidden = cfg!(not(memprof_since_1_94)) && !T::is_flat();
                if is_hidden || core::mem::needs_drop::<F>() {
                    walk.opaque(at, OpaqueReason::Foreign);
                }
            }

            fn is_flat() -> bool {
                T::is_flat() && !core::mem::needs_drop::<F>()
            }
        }
    )*};
}

lazies! { LazyCell LazyLock }

impl_flat! { BarrierWaitResult, Once, WaitTimeoutResult, thread::AccessError, thread::ThreadId }

impl_opaque! {
    [T] Receiver<T>;
    [T] Sender<T>;
    [T] SyncSender<T>;
    [T] thread::JoinHandle<T>;
    [] thread::Builder;
    [] thread::Thread;
    [] task::Waker;
}

/// Implements `MemoryProfile` for types that threads or tasks wait on. They own no allocation on
/// systems where locks own none.
macro_rules! impl_lock_like {
    ($($type:ty)*) => {$(
        impl MemoryProfile for $type {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                if !CONDVAR_IS_INLINE {
                    walk.opaque(at, OpaqueReason::Foreign);
                }
            }

            #[inline]
            fn is_flat() -> bool {
                CONDVAR_IS_INLINE
            }
        }
    )*};
}

#[cfg(feature = "tokio1")]
pub(crate) use impl_lock_like;

impl_lock_like! { Barrier Condvar }
