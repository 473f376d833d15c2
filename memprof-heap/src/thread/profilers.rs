//! The threads of profilers, and the bytes that all work of profilers holds.

use core::cell::Cell;
use core::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// Live bytes of profilers, as their threads have reported.
static LIVE: AtomicI64 = AtomicI64::new(0);
/// The most that was reported.
static PEAK: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// True on a profiler's thread. It has no destructor, so it can be read as long as the thread
    /// exists.
    static IS_PROFILERS: Cell<bool> = const { Cell::new(false) };
}

/// Returns the most bytes that profilers held at once. It may miss what each of their threads holds
/// without a report.
pub(crate) fn peak() -> i64 {
    PEAK.load(Relaxed)
}

/// Restarts the peak from what is held now, and returns that.
pub(crate) fn reset_peak() -> i64 {
    let live = LIVE.load(Relaxed);
    PEAK.store(live, Relaxed);
    live
}

/// Adds what a profiler's live bytes on a thread changed since its last report.
pub(super) fn tell(more: i64) {
    let live = LIVE.fetch_add(more, Relaxed).wrapping_add(more);
    PEAK.fetch_max(live, Relaxed);
}

/// Returns true on a profiler's thread. Its counts without a shard belong to the profiler too.
pub(super) fn has_this_thread() -> bool {
    IS_PROFILERS.try_with(Cell::get).unwrap_or(false)
}

/// Makes the current thread a profiler's.
pub(super) fn take_this_thread() {
    let _ = IS_PROFILERS.try_with(|is| is.set(true));
}
