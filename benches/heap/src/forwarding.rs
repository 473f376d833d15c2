//! An allocator that forwards every call and does nothing else: the cost of wrapping alone.
#![expect(unsafe_code, reason = "a global allocator is unsafe to write")]

use std::alloc::{GlobalAlloc, Layout, System};

/// Forwards all four calls to its inner allocator, the system's.
#[derive(Debug)]
pub struct Forwarding {
    inner: System,
}

impl Forwarding {
    /// Returns the wrapper.
    pub const fn system() -> Self {
        Self { inner: System }
    }
}

// SAFETY: each call is forwarded to the inner allocator unchanged, and its result is returned
// unchanged.
unsafe impl GlobalAlloc for Forwarding {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller guarantees what the inner allocator requires.
        unsafe { self.inner.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller guarantees what the inner allocator requires.
        unsafe { self.inner.dealloc(memory, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller guarantees what the inner allocator requires.
        unsafe { self.inner.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller guarantees what the inner allocator requires.
        unsafe { self.inner.realloc(memory, layout, new_size) }
    }
}
