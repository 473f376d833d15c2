//! Counts the allocator calls of a workload, and prints calls instead of time.
#![expect(unsafe_code, reason = "a global allocator is unsafe to write")]

use memprof_heap_benches::program;
use std::alloc::{GlobalAlloc, Layout, System};
use std::process::ExitCode;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

#[global_allocator]
static ALLOC: Counting = Counting;

static CALLS: AtomicU64 = AtomicU64::new(0);

fn main() -> ExitCode {
    program::run_reading(&[], program::no_level, || CALLS.load(Relaxed))
}

/// Counts all calls, of whatever kind.
struct Counting;

// SAFETY: each call is forwarded to the system's allocator unchanged, and its result is returned
// unchanged.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        // SAFETY: the caller guarantees what the system's allocator requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        CALLS.fetch_add(1, Relaxed);
        // SAFETY: the caller guarantees what the system's allocator requires.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        // SAFETY: the caller guarantees what the system's allocator requires.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        // SAFETY: the caller guarantees what the system's allocator requires.
        unsafe { System.realloc(memory, layout, new_size) }
    }
}
