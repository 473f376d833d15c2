//! How often a workload calls its allocator: prints calls in place of time.
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

/// Counts calls of each kind alike.
struct Counting;

// SAFETY: all calls go to the system's allocator as they are, and so do its answers.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        CALLS.fetch_add(1, Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        CALLS.fetch_add(1, Relaxed);
        // SAFETY: the caller's promises are passed on.
        unsafe { System.realloc(memory, layout, new_size) }
    }
}
