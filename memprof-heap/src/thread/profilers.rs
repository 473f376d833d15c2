//! The threads of profilers, and the bytes that all work of profilers holds.

use core::cell::Cell;
use core::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// Live bytes of profilers, as flushed by the threads that run their work.
static LIVE: AtomicI64 = AtomicI64::new(0);
/// The maximum of `LIVE` since `reset_peak`.
static PEAK: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// True on a profiler's thread. The word has no destructor, so it can be read as long as the
    /// thread exists.
    static IS_PROFILER_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// Returns the maximum of bytes that profilers held at once. It may miss bytes that threads have
/// not flushed.
pub(crate) fn peak() -> i64 {
    PEAK.load(Relaxed)
}

/// Restarts the peak from the live bytes of profilers, and returns these bytes.
pub(crate) fn reset_peak() -> i64 {
    let live = LIVE.load(Relaxed);
    PEAK.store(live, Relaxed);
    live
}

/// Adds the change of a profiler's live bytes on a thread since its last flush.
pub(super) fn flush(more: i64) {
    let live = LIVE.fetch_add(more, Relaxed).wrapping_add(more);
    PEAK.fetch_max(live, Relaxed);
}

/// Returns true on a profiler's thread. Its counts without a shard belong to the profiler too.
pub(super) fn is_current_thread() -> bool {
    IS_PROFILER_THREAD.try_with(Cell::get).unwrap_or(false)
}

/// Makes the current thread a profiler's thread.
pub(super) fn mark_current_thread() {
    let _ = IS_PROFILER_THREAD.try_with(|is| is.set(true));
}
