//! The allocator that passes every call on and does nothing else: what wrapping alone costs.
#![expect(unsafe_code, reason = "a global allocator is unsafe to write")]

use std::alloc::{GlobalAlloc, Layout, System};

/// Passes all four calls on to the allocator that it holds, the system's.
#[derive(Debug)]
pub struct Forwarding {
    inner: System,
}

impl Forwarding {
    /// The wrapper.
    pub const fn system() -> Self {
        Self { inner: System }
    }
}

// SAFETY: all calls go to the inner allocator as they are, and so do its answers.
unsafe impl GlobalAlloc for Forwarding {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        unsafe { self.inner.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's promises are passed on.
        unsafe { self.inner.dealloc(memory, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        unsafe { self.inner.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        unsafe { self.inner.realloc(memory, layout, new_size) }
    }
}
