//! The global allocator, which forwards every call.
//!
//! `docs/internal/unsafe.md` lists the unsafe code here and why it is sound.
#![expect(unsafe_code, reason = "a global allocator is unsafe to write")]

use super::heap::Level;
use core::alloc::{GlobalAlloc, Layout};
use std::alloc::System;

/// A global allocator that forwards to the allocator inside it. With the feature `heap` it also
/// counts.
///
/// # Cost
/// There is no cost: the type has the size of the inner allocator, and its calls are inlined.
#[derive(Clone, Copy, Debug, Default)]
pub struct Allocator<A = System> {
    inner: A,
}

impl Allocator {
    /// Returns an allocator that forwards to the system's allocator.
    pub const fn system() -> Self {
        Self::new(System)
    }
}

impl<A> Allocator<A> {
    /// Returns an allocator that forwards to `inner`.
    pub const fn new(inner: A) -> Self {
        Self { inner }
    }

    /// Sets the level from the first allocation on, if the feature `heap` is on.
    #[must_use]
    pub const fn starting_at(self, _: Level) -> Self {
        self
    }
}

// SAFETY: each call is forwarded to the inner allocator unchanged, and its result is returned
// unchanged.
unsafe impl<A: GlobalAlloc> GlobalAlloc for Allocator<A> {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller guarantees what the inner call requires.
        unsafe { self.inner.alloc(layout) }
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller guarantees what the inner call requires.
        unsafe { self.inner.dealloc(memory, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller guarantees what the inner call requires.
        unsafe { self.inner.alloc_zeroed(layout) }
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller guarantees what the inner call requires.
        unsafe { self.inner.realloc(memory, layout, new_size) }
    }
}
