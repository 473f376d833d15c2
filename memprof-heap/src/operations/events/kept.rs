//! The ring of a thread's events, in memory from the system.
#![expect(unsafe_code, reason = "rings live outside the heap that is counted")]

use super::ring::Ring;
use crate::base::own_memory;
use crate::base::sync::AtomicPtr;
use crate::base::sync::Ordering::{Acquire, Release};
use std::alloc::Layout;

/// The maximum number of events that a thread keeps until they are drained. They take 48 KiB.
pub(super) const KEPT: usize = 1024;

/// The events of one thread.
pub(crate) struct Events {
    /// Null until the thread's first event.
    ring: AtomicPtr<Ring<KEPT>>,
}

impl Events {
    pub(super) fn ring(&self) -> Option<&'static Ring<KEPT>> {
        // SAFETY: null, or a ring that was complete before it was published and is never freed.
        unsafe { self.ring.load(Acquire).as_ref() }
    }

    /// Returns the ring, and creates it on the first call. Returns `None` if the system has no
    /// memory. Only the thread that owns the ring may call this.
    pub(super) fn ring_or_new(&self) -> Option<&'static Ring<KEPT>> {
        if let Some(ring) = self.ring() {
            return Some(ring);
        }
        // The system zeroes the memory, so pages are touched only when they are used.
        let memory = own_memory::allocate_zeroed(Layout::new::<Ring<KEPT>>())?;
        // Only this thread creates its ring, so the pointer is still null.
        self.ring.store(memory.cast().as_ptr(), Release);
        self.ring()
    }
}
