//! The global allocator: passes every call on.
//!
//! `docs/unsafe.md` has the list of what is unsafe here and why it is sound.
#![expect(unsafe_code, reason = "a global allocator is unsafe to write")]

use super::heap::Level;
use core::alloc::{GlobalAlloc, Layout};
use std::alloc::System;

/// A global allocator that is the one inside it; with the feature `heap` it counts.
///
/// # Cost
/// None: it is as large as the allocator inside, whose calls are inlined.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator<A = System> {
    inner: A,
}

impl Allocator {
    /// The system's allocator.
    pub const fn system() -> Self {
        Self::new(System)
    }
}

impl<A> Allocator<A> {
    /// The allocator `inner`.
    pub const fn new(inner: A) -> Self {
        Self { inner }
    }

    /// With the feature `heap`, at this level from the first allocation on.
    #[must_use]
    pub const fn starting_at(self, _: Level) -> Self {
        self
    }
}

// SAFETY: all calls go to the inner allocator as they are, and so do its answers.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Allocator<A> {
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
