//! Which threads are profilers', and what all work of profilers holds.

use core::cell::Cell;
use core::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// Bytes live of profilers, as their threads have reported.
static LIVE: AtomicI64 = AtomicI64::new(0);
/// The most that was reported.
static PEAK: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// True on a profiler's thread. No destructor: it can be read until the thread is gone.
    static IS_PROFILERS: Cell<bool> = const { Cell::new(false) };
}

/// The most bytes that profilers held at once, to within what each of their threads holds without
/// having reported it.
pub(crate) fn peak() -> i64 {
    PEAK.load(Relaxed)
}

/// From here on the peak is that of what comes. Returns what is held now.
pub(crate) fn reset_peak() -> i64 {
    let live = LIVE.load(Relaxed);
    PEAK.store(live, Relaxed);
    live
}

/// Adds what a thread of a profiler holds more than it had reported.
pub(super) fn tell(more: i64) {
    let live = LIVE.fetch_add(more, Relaxed).wrapping_add(more);
    PEAK.fetch_max(live, Relaxed);
}

/// Returns true on a profiler's thread, whose counts without a shard are the profiler's too.
pub(super) fn has_this_thread() -> bool {
    IS_PROFILERS.try_with(Cell::get).unwrap_or(false)
}

/// Makes the current thread a profiler's.
pub(super) fn take_this_thread() {
    let _ = IS_PROFILERS.try_with(|is| is.set(true));
}
