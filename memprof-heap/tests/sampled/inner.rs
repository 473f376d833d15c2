//! An inner allocator: the system's, which refuses on threads that have set `REFUSES`.
#![expect(unsafe_code, reason = "allocators are unsafe to write")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::ptr::null_mut;

thread_local! {
    static REFUSES: Cell<bool> = const { Cell::new(false) };
}

pub(crate) struct Inner;

/// Runs work on a thread for which the allocator has no memory.
pub(crate) fn without_memory<T>(work: impl FnOnce() -> T) -> T {
    REFUSES.set(true);
    let value = work();
    REFUSES.set(false);
    value
}

// SAFETY: all calls go to the system's allocator unchanged, and so do its results to the caller; or
// they return null.
unsafe impl GlobalAlloc for Inner {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        if REFUSES.get() {
            return null_mut();
        }
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        if REFUSES.get() {
            return null_mut();
        }
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        if REFUSES.get() {
            return null_mut();
        }
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.realloc(memory, layout, new_size) }
    }
}
