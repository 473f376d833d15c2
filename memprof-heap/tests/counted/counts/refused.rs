//! Requests that the inner allocator refuses, and its calls.
#![expect(unsafe_code, reason = "allocators are unsafe to call")]

use super::{figures, measured};
use crate::refusing::{calls, without_memory};
use memprof_heap::Measurement;
use std::alloc::{Layout, alloc, alloc_zeroed, dealloc, realloc};
use std::hint::black_box;

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
fn a_refused_growth_changes_no_count() {
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
fn each_call_reaches_the_inner_allocator_unchanged() {
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
