//! The global allocator: passes every call on, and counts what came of it.
//!
//! The only unsafe code of the crate; `docs/unsafe.md` has the list.
#![expect(unsafe_code, reason = "a global allocator is unsafe to write")]

use crate::counts;
use core::alloc::{GlobalAlloc, Layout};
use std::alloc::System;

/// A global allocator that counts, per thread, what is asked of the allocator inside it.
///
/// ```
/// #[global_allocator]
/// static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();
///
/// # fn main() {
/// assert!(memprof_heap::is_installed());
/// # }
/// ```
///
/// All four calls are passed on as they are, so that zeroed pages stay untouched and large
/// reallocations stay in place where the inner allocator can do that.
///
/// # Panics
/// Never; nor does it allocate or wait. It may be called before and after `main`, and from the
/// destructors of thread-local values.
///
/// # Cost
/// A few additions to words of the thread per call: no lock, no atomic.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator<A = System> {
    inner: A,
}

impl Allocator {
    /// Counts what is asked of the system's allocator.
    pub const fn system() -> Self {
        Self::new(System)
    }
}

impl<A> Allocator<A> {
    /// Counts what is asked of `inner`.
    ///
    /// ```
    /// use memprof_heap::Allocator;
    /// use std::alloc::System;
    ///
    /// // In place of `System`: jemalloc's, mimalloc's or an allocator of your own.
    /// #[global_allocator]
    /// static ALLOC: Allocator<System> = Allocator::new(System);
    /// # fn main() {}
    /// ```
    pub const fn new(inner: A) -> Self {
        Self { inner }
    }
}

// SAFETY: all calls go to the inner allocator as they are, and so do its answers. Counting neither
// allocates nor panics.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Allocator<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        let memory = unsafe { self.inner.alloc(layout) };
        if !memory.is_null() {
            counts::allocated(layout.size());
        }
        memory
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        counts::freed(layout.size());
        // SAFETY: the caller's promises are passed on.
        unsafe { self.inner.dealloc(memory, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        let memory = unsafe { self.inner.alloc_zeroed(layout) };
        if !memory.is_null() {
            counts::allocated(layout.size());
        }
        memory
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's promises are passed on.
        let moved = unsafe { self.inner.realloc(memory, layout, new_size) };
        // Null leaves the old memory as it was.
        if !moved.is_null() {
            counts::freed(layout.size());
            counts::allocated(new_size);
        }
        moved
    }
}
