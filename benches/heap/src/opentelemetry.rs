//! The cost of an allocator in the style of OpenTelemetry's heap profiling, while no profiler is
//! attached.
//!
//! In this design, the allocator only chooses samples, and a profiler outside the process attaches
//! to a function that receives them. This is a model of that design, written for the comparison:
//! each allocation counts its bytes down to the next sample, and each free reads an enabled flag.
//! No sample is reported, because nothing sets the flag.
#![expect(unsafe_code, reason = "a global allocator is unsafe to write")]

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

/// The mean of the bytes between two samples.
const INTERVAL: isize = 512 * 1024;

/// `true` while a profiler is attached.
static ENABLED: AtomicBool = AtomicBool::new(false);

thread_local! {
    /// The bytes until the next sample. The initial value is constant and the cell has no
    /// destructor, so that an access never allocates.
    static REMAINING: Cell<isize> = const { Cell::new(INTERVAL) };
}

/// Forwards all four calls to the system's allocator, and chooses samples.
#[derive(Debug)]
pub struct OpenTelemetryStyle;

/// Counts an allocation.
#[inline]
fn allocated(memory: *mut u8, bytes: usize) -> *mut u8 {
    let remaining = REMAINING.get().wrapping_sub_unsigned(bytes);
    REMAINING.set(remaining);
    if remaining <= 0 {
        interval_ended(memory, bytes);
    }
    memory
}

/// Starts the next interval, and reports the allocation if a profiler is attached.
#[cold]
#[inline(never)]
fn interval_ended(memory: *mut u8, bytes: usize) {
    REMAINING.set(INTERVAL);
    if ENABLED.load(Relaxed) {
        sampled(memory, bytes);
    }
}

/// Reports a block that is freed, if a profiler is attached.
#[inline]
fn freed(memory: *mut u8) {
    if ENABLED.load(Relaxed) {
        sampled(memory, 0);
    }
}

/// The function to which a profiler attaches.
#[cold]
#[inline(never)]
fn sampled(memory: *mut u8, bytes: usize) {
    black_box((memory, bytes));
}

// SAFETY: each call is forwarded to the system's allocator unchanged, and its result is returned
// unchanged.
unsafe impl GlobalAlloc for OpenTelemetryStyle {
    #[inline]
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller guarantees what the system's allocator requires.
        allocated(unsafe { System.alloc(layout) }, layout.size())
    }

    #[inline]
    unsafe fn dealloc(&self, memory: *mut u8, layout: Layout) {
        freed(memory);
        // SAFETY: the caller guarantees what the system's allocator requires.
        unsafe { System.dealloc(memory, layout) }
    }

    #[inline]
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        // SAFETY: the caller guarantees what the system's allocator requires.
        allocated(unsafe { System.alloc_zeroed(layout) }, layout.size())
    }

    #[inline]
    unsafe fn realloc(&self, memory: *mut u8, layout: Layout, new_size: usize) -> *mut u8 {
        freed(memory);
        // SAFETY: the caller guarantees what the system's allocator requires.
        allocated(unsafe { System.realloc(memory, layout, new_size) }, new_size)
    }
}
