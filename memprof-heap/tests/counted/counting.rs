//! An inner allocator that counts its calls in a few words for all threads.
//!
//! These are relaxed, so that a thread sanitizer sees no order between threads that memprof does not
//! make itself.
#![expect(unsafe_code, reason = "allocators are unsafe to write")]

use crate::refusing::Refusing;
use std::alloc::{GlobalAlloc, Layout};
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

static ALLOCATED_BYTES: AtomicU64 = AtomicU64::new(0);
static ALLOCATED_BLOCKS: AtomicU64 = AtomicU64::new(0);
static FREED_BYTES: AtomicU64 = AtomicU64::new(0);
static FREED_BLOCKS: AtomicU64 = AtomicU64::new(0);
static LIVE: AtomicI64 = AtomicI64::new(0);
static PEAK: AtomicI64 = AtomicI64::new(0);

pub(crate) struct Counting;

/// Returns bytes and blocks allocated, then bytes and blocks freed.
pub(crate) fn truth() -> [u64; 4] {
    [&ALLOCATED_BYTES, &ALLOCATED_BLOCKS, &FREED_BYTES, &FREED_BLOCKS]
        .map(|word| word.load(Relaxed))
}

/// Returns the maximum of bytes that were live at once.
pub(crate) fn peak() -> i64 {
    PEAK.load(Relaxed)
}

/// Restarts the peak from the bytes that are live now.
pub(crate) fn reset_peak() {
    PEAK.store(LIVE.load(Relaxed), Relaxed);
}

fn change_live(bytes: i64) {
    PEAK.fetch_max(LIVE.fetch_add(bytes, Relaxed) + bytes, Relaxed);
}

fn allocated(memory: *mut u8, bytes: usize) -> *mut u8 {
    if !memory.is_null() {
        ALLOCATED_BYTES.fetch_add(bytes as u64, Relaxed);
        ALLOCATED_BLOCKS.fetch_add(1, Relaxed);
        change_live(bytes.cast_signed() as i64);
    }
    memory
}

fn freed(bytes: usize) {
    FREED_BYTES.fetch_add(bytes as u64, Relaxed);
    FREED_BLOCKS.fetch_add(1, Relaxed);
    change_live(-(bytes.cast_signed() as i64));
}

// SAFETY: all calls go to the inner allocator unchanged, and so do its results to the caller.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's guarantees are passed on.
        allocated(unsafe { Refusing.alloc(layout) }, layout.size())
    }

    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        freed(layout.size());
        // SAFETY: the caller's guarantees are passed on.
        unsafe { Refusing.dealloc(memory, layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller's guarantees are passed on.
        allocated(unsafe { Refusing.alloc_zeroed(layout) }, layout.size())
    }

    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        // SAFETY: the caller's guarantees are passed on.
        let moved = unsafe { Refusing.realloc(memory, layout, new_size) };
        if !moved.is_null() {
            freed(layout.size());
        }
        allocated(moved, new_size)
    }
}
