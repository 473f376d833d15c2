//! The ring of a thread's events, in memory from the system.
#![expect(unsafe_code, reason = "rings live outside the heap that is counted")]

use super::ring::{Place, Ring, Space};
use crate::base::own_memory;
use crate::base::sync::Ordering::{Acquire, Relaxed, Release};
use crate::base::sync::{AtomicPtr, AtomicU64};
use core::ptr::NonNull;
use std::alloc::Layout;

/// The number of parts of a ring's memory. A part is taken from the system when it is needed.
const PARTS: usize = 8;
/// The number of events in a part, which takes 48 KiB.
const PART: usize = 1024;

/// The number of kept events at which a reader is woken. It is woken again whenever the number has
/// doubled, because it may have missed a wake.
pub(super) const WAKE: usize = PART / 2;

/// The events of one thread.
pub(crate) struct Events {
    /// Null until the thread's first event.
    kept: AtomicPtr<Kept>,
}

/// The ring of a thread that had events.
pub(super) struct Kept {
    pub(super) ring: Ring<Parts>,
    /// The mark of the thread whose name was kept last. Only the writer uses it.
    named: AtomicU64,
}

impl Kept {
    pub(super) fn named(&self) -> u64 {
        self.named.load(Relaxed)
    }

    pub(super) fn set_named(&self, mark: u64) {
        self.named.store(mark, Relaxed);
    }
}

impl Events {
    pub(super) fn kept(&self) -> Option<&'static Kept> {
        // SAFETY: null, or a ring that was complete before it was published and is never freed.
        unsafe { self.kept.load(Acquire).as_ref() }
    }

    /// Returns the ring, and creates it on the first call. Returns `None` if the system has no
    /// memory. Only the thread that owns the ring may call this.
    pub(super) fn kept_or_new(&self) -> Option<&'static Kept> {
        if let Some(kept) = self.kept() {
            return Some(kept);
        }
        // Only this thread creates its ring, so the pointer is still null.
        self.kept.store(zeroed()?.as_ptr(), Release);
        self.kept()
    }
}

/// The memory of a ring: parts that are never freed. A part that does not exist yet is null.
pub(super) struct Parts([AtomicPtr<[Place; PART]>; PARTS]);

impl Space for Parts {
    const ENTRIES: usize = PARTS * PART;

    fn reserve(&self, index: usize) -> Option<&Place> {
        if let Some(place) = self.place(index) {
            return Some(place);
        }
        // Only the writer creates parts, so the pointer is still null.
        self.0.get(index / PART)?.store(zeroed()?.as_ptr(), Release);
        self.place(index)
    }

    fn place(&self, index: usize) -> Option<&Place> {
        // SAFETY: null, or a part that was complete before it was published and is never freed.
        let part = unsafe { self.0.get(index / PART)?.load(Acquire).as_ref() };
        part?.get(index % PART)
    }
}

/// Returns memory that is all zero. Pages of the system are touched only when they are used.
fn zeroed<T>() -> Option<NonNull<T>> {
    own_memory::allocate_zeroed(Layout::new::<T>()).map(NonNull::cast)
}
