//! An allocator that counts, per thread, what is requested of it: the truth of every table.
#![allow(unsafe_code, reason = "a global allocator is unsafe to implement")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// Counts requested bytes and requests, then asks the system.
#[derive(Debug)]
pub struct Counting;

thread_local! {
    // Initialised by constants and without a destructor, so that reading them never allocates.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static REQUESTS: Cell<u64> = const { Cell::new(0) };
}

/// What a piece of work asked of the allocator.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Requested {
    /// Bytes requested and not given back.
    pub bytes: usize,
    /// Requests for memory, growing an allocation included.
    pub requests: u64,
}

/// Runs `work` and tells what it asked of the allocator; zeros unless [`Counting`] is global.
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
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(layout.size().cast_signed(), 1);
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        count(-layout.size().cast_signed(), 0);
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.dealloc(memory, layout) }
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(size.cast_signed() - layout.size().cast_signed(), 1);
        // SAFETY: the caller's promises are the system allocator's.
        unsafe { System.realloc(memory, layout, size) }
    }
}
