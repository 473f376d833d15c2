//! An inner allocator that refuses memory while a test wants it, and records how it was called.
#![expect(unsafe_code, reason = "allocators are unsafe to write")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::array::from_fn;
use std::cell::Cell;
use std::hint::black_box;
use std::ptr::null_mut;

thread_local! {
    static REFUSES: Cell<bool> = const { Cell::new(false) };
    static CALLS: Cell<Calls> = const { Cell::new([0; 4]) };
}

/// Calls of `alloc`, `dealloc`, `alloc_zeroed` and `realloc`.
type Calls = [u64; 4];

/// The system's allocator, except on threads that have set `REFUSES`.
pub(crate) struct Refusing;

/// Counts a call of this thread, and returns whether it is refused.
fn called(method: usize) -> bool {
    let mut calls = CALLS.get();
    calls[method] += 1;
    CALLS.set(calls);
    REFUSES.get()
}

/// Runs work and returns how it called the inner allocator on this thread.
pub(crate) fn calls<T>(work: impl FnOnce() -> T) -> (T, Calls) {
    let before = CALLS.get();
    let value = work();
    let after = CALLS.get();
    (value, from_fn(|method| after[method] - before[method]))
}

/// Runs work on a thread for which the allocator has no memory.
pub(crate) fn without_memory<T>(work: impl FnOnce() -> T) -> T {
    REFUSES.set(true);
    // Otherwise, the optimizer may remove an unused allocation and assume that it succeeded.
    let value = black_box(work());
    REFUSES.set(false);
    value
}

// SAFETY: calls that are not refused go to the system's allocator unchanged. A refused call returns
// null, as the trait allows.
unsafe impl GlobalAlloc for Refusing {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's guarantees are passed on.
        if called(0) { null_mut() } else { unsafe { System.alloc(layout) } }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        called(1);
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's guarantees are passed on.
        if called(2) { null_mut() } else { unsafe { System.alloc_zeroed(layout) } }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's guarantees are passed on.
        if called(3) { null_mut() } else { unsafe { System.realloc(memory, layout, new_size) } }
    }
}
