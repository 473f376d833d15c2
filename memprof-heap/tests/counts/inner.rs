//! An inner allocator that refuses memory while a test wants it, and records how it was called.
#![expect(unsafe_code, reason = "allocators are unsafe to write and to call")]

use crate::{figures, measured};
use memprof_heap::Measurement;
use std::alloc::{GlobalAlloc, Layout, System, alloc, alloc_zeroed, dealloc, realloc};
use std::cell::Cell;
use std::hint::black_box;

thread_local! {
    static REFUSES: Cell<bool> = const { Cell::new(false) };
    static CALLS: Cell<Calls> = const { Cell::new([0; 4]) };
}

/// Calls of `alloc`, `dealloc`, `alloc_zeroed` and `realloc`.
type Calls = [u64; 4];

/// The system's allocator, except on threads that have set `REFUSES`.
pub(crate) struct Inner;

fn refuses() -> bool {
    REFUSES.get()
}

fn called(method: usize) {
    let mut calls = CALLS.get();
    calls[method] += 1;
    CALLS.set(calls);
}

/// Runs work and returns how it called the inner allocator on this thread.
pub(crate) fn calls<T>(work: impl FnOnce() -> T) -> (T, Calls) {
    let before = CALLS.get();
    let value = work();
    let after = CALLS.get();
    (value, std::array::from_fn(|method| after[method] - before[method]))
}

/// Runs work on a thread for which the allocator has no memory.
fn without_memory<T>(work: impl FnOnce() -> T) -> T {
    REFUSES.set(true);
    let value = work();
    REFUSES.set(false);
    value
}

// SAFETY: calls that are not refused go to the system's allocator unchanged. A refused call returns
// null, as the trait allows.
unsafe impl GlobalAlloc for Inner {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        called(0);
        if refuses() {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        called(1);
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        called(2);
        if refuses() {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        called(3);
        if refuses() {
            return std::ptr::null_mut();
        }
        // SAFETY: the caller's guarantees are passed on.
        unsafe { System.realloc(memory, layout, new_size) }
    }
}

#[test]
fn memory_that_is_refused_does_not_count() {
    let layout = Layout::new::<[u64; 100]>();
    // SAFETY: the layout is not empty.
    let (memory, all) = measured(|| without_memory(|| unsafe { alloc(layout) }));
    assert!(memory.is_null());
    assert_eq!(all, Measurement::default());
    // SAFETY: the layout is not empty.
    let (memory, all) = measured(|| without_memory(|| unsafe { alloc_zeroed(layout) }));
    assert!(memory.is_null());
    assert_eq!(all, Measurement::default());
}

#[test]
fn a_block_whose_growth_is_refused_still_counts_as_it_was() {
    let layout = Layout::new::<[u64; 100]>();
    let (memory, all) = measured(|| {
        // SAFETY: the layout is not empty.
        let memory = unsafe { alloc(layout) };
        // SAFETY: the block was allocated with this layout; the new size is neither 0 nor huge.
        let grown = without_memory(|| unsafe { realloc(memory, layout, 8000) });
        assert!(grown.is_null() && !memory.is_null());
        memory
    });
    assert_eq!(figures(all), [800, 1, 0, 0, 800]);
    // SAFETY: the block was allocated with this layout, and is freed once.
    let ((), all) = measured(|| unsafe { dealloc(memory, layout) });
    assert_eq!(figures(all), [0, 0, 800, 1, 0]);
}

#[test]
fn a_vector_that_cannot_grow_keeps_its_counts() {
    let (vector, all) = measured(|| {
        let mut vector = vec![1_u32; 10];
        let refused = without_memory(|| vector.try_reserve_exact(1000));
        assert!(refused.is_err());
        vector
    });
    assert_eq!(vector, [1; 10]);
    assert_eq!(figures(all), [40, 1, 0, 0, 40]);
}

#[test]
fn each_call_is_passed_on_as_what_it_is() {
    let layout = Layout::new::<[u64; 100]>();
    let ((), calls) = calls(|| {
        // SAFETY: the layout is not empty.
        let memory = black_box(unsafe { alloc(layout) });
        // SAFETY: the block was allocated with this layout; the new size is neither 0 nor huge.
        let memory = black_box(unsafe { realloc(memory, layout, 1600) });
        // SAFETY: the block was grown to this layout, and is freed once.
        unsafe { dealloc(memory, Layout::new::<[u64; 200]>()) };
        // SAFETY: the layout is not empty.
        let memory = black_box(unsafe { alloc_zeroed(layout) });
        // SAFETY: the block was allocated with this layout, and is freed once.
        unsafe { dealloc(memory, layout) };
    });
    assert_eq!(calls, [1, 2, 1, 1]);
}
