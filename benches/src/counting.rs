//! An allocator that counts the requests of each thread. The exact figures in all tables come from
//! these counts.
#![allow(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts requested bytes and requests, then forwards to the system's allocator.
#[derive(Debug)]
pub struct Counting;

thread_local! {
    // The cells have constant initial values and no destructor, so reading them never allocates.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static REQUESTS: Cell<u64> = const { Cell::new(0) };
}

/// The allocator requests of a piece of work.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requested {
    /// The requested bytes that were not freed.
    pub bytes: usize,
    /// The number of requests, including requests that grow an allocation.
    pub requests: u64,
}

/// Runs `work` and returns its requests. The requests are zero if [`Counting`] is not the global
/// allocator.
pub fn requested_by<T>(work: impl FnOnce() -> T) -> (T, Requested) {
    let (live, requests) = (LIVE.get(), REQUESTS.get());
    let value = work();
    let bytes = usize::try_from(LIVE.get() - live).unwrap_or(0);
    (value, Requested { bytes, requests: REQUESTS.get() - requests })
}

fn count(bytes_more: isize, requests_more: u64) {
    LIVE.set(LIVE.get() + bytes_more);
    REQUESTS.set(REQUESTS.get() + requests_more);
}

// SAFETY: every request goes to the system allocator unchanged; the counters don't allocate.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed(), 1);
        // SAFETY: the caller guarantees what the system allocator requires.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed(), 1);
        // SAFETY: the caller guarantees what the system allocator requires.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed(), 0);
        // SAFETY: the caller guarantees what the system allocator requires.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.cast_signed() - layout.size().cast_signed(), 1);
        // SAFETY: the caller guarantees what the system allocator requires.
        unsafe { System.realloc(memory, layout, size) }
    }
}
