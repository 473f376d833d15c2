//! The live bytes of the process, as flushed by its threads, and their peak.

use super::shard::LocalShard;
use super::{profilers, shards, unsharded, wake};
use crate::base::level_word::WINDOW;
use core::sync::atomic::{AtomicI64, Ordering::Relaxed, Ordering::SeqCst, fence};

/// Live bytes as flushed by all threads. The sum may be too high by large blocks that threads freed
/// since their last flush. It is too low by at most `WINDOW` for each thread.
static LIVE: AtomicI64 = AtomicI64::new(0);
/// The maximum of live bytes found when all threads were read.
static PEAK: AtomicI64 = AtomicI64::new(0);
/// The flushed live bytes at which all threads are read again.
static RECOMPUTE_AT: AtomicI64 = AtomicI64::new(0);

/// The growth of the process, in bytes per thread, after which all threads are read again.
const SLACK: i64 = WINDOW / 2;

/// Adds the change of a thread's live bytes since its last flush.
pub(crate) fn flush(more: i64) {
    let live = LIVE.fetch_add(more, Relaxed).wrapping_add(more);
    if more < -WINDOW {
        // The flushed bytes were too high by this amount, perhaps also when `RECOMPUTE_AT` was
        // computed from them. So that limit may be too high too.
        recompute_at(|next| next);
    }
    if live >= RECOMPUTE_AT.load(Relaxed) {
        recompute_peak(live);
    }
}

/// Reads the live bytes of all threads, and updates the peak. The growth between two calls is
/// proportional to the number of threads. So the cost for each byte does not depend on the number
/// of threads.
#[cold]
#[inline(never)]
fn recompute_peak(flushed: i64) {
    let live = exact_live();
    let peak = PEAK.fetch_max(live, Relaxed).max(live);
    recompute_at(|next| flushed.wrapping_add(next.wrapping_sub(live).max(0)));
    wake::check_limits(live, peak);
}

/// Sets the flushed bytes at which all threads are read again. `flushed_at` converts live bytes to
/// flushed bytes. Its argument is the amount to detect: the peak, or the recorder's limit if that
/// is lower.
fn recompute_at(flushed_at: impl FnOnce(i64) -> i64) {
    let limit = wake::live_limit();
    RECOMPUTE_AT.store(flushed_at(peak().min(limit)).wrapping_add(slack()), Relaxed);
    // Without the fence, this thread could miss a limit that `recompute_soon` announced before the
    // store above.
    fence(SeqCst);
    if wake::live_limit() != limit {
        RECOMPUTE_AT.store(i64::MIN, Relaxed);
    }
}

/// Reads all threads at the next flush, because the recorder's limit has changed.
pub(crate) fn recompute_soon() {
    fence(SeqCst);
    RECOMPUTE_AT.store(i64::MIN, Relaxed);
}

fn slack() -> i64 {
    SLACK.wrapping_mul(shards::owners().max(1))
}

/// Returns the live bytes, read from one thread after the other, without the bytes of profilers.
pub(crate) fn exact_live() -> i64 {
    shards::all().fold(unsharded_live(), |sum, shard| sum.wrapping_add(shard.program_live()))
}

/// Returns the live bytes, for frequent callers. They are exact if there are at most 16 shards.
/// Otherwise the bytes of other threads are those of their last flush.
pub(crate) fn fast_live(local: LocalShard) -> i64 {
    const MAX_READ: usize = 16;
    let mut all = shards::all();
    let first = all.by_ref().take(MAX_READ);
    let live = first.fold(unsharded_live(), |sum, shard| sum.wrapping_add(shard.program_live()));
    match all.next() {
        Some(_) if !local.is_unlisted() => {
            LIVE.load(Relaxed).wrapping_add(local.unflushed_by_program())
        }
        Some(_) => LIVE.load(Relaxed),
        None => live,
    }
}

fn unsharded_live() -> i64 {
    unsharded::split().program.live()
}

/// Returns the maximum of live bytes found up to now.
pub(crate) fn peak() -> i64 {
    PEAK.load(Relaxed)
}

/// Sets the peak to the bytes that are live now.
pub(crate) fn reset_peak() {
    shards::reset_max_owners();
    PEAK.store(exact_live(), Relaxed);
    RECOMPUTE_AT.store(i64::MIN, Relaxed);
}

/// Returns the bytes by which the true peak may have been higher: the bytes that threads may hold
/// without a flush, and the growth that is allowed before all threads are read again.
pub(crate) fn peak_error() -> u64 {
    let each = WINDOW.wrapping_add(SLACK).cast_unsigned();
    shards::max_owners().max(1).cast_unsigned().saturating_mul(each)
}

/// Counts an allocation of a thread that has no shard.
pub(crate) fn unsharded_allocated(bytes: usize) {
    let is_profiler = profilers::is_current_thread();
    unsharded::count_allocated(bytes, is_profiler);
    flush_unsharded(bytes.cast_signed() as i64, is_profiler);
}

/// Counts a free of a thread that has no shard.
pub(crate) fn unsharded_freed(bytes: usize) {
    let is_profiler = profilers::is_current_thread();
    unsharded::count_freed(bytes, is_profiler);
    flush_unsharded((bytes.cast_signed() as i64).wrapping_neg(), is_profiler);
}

fn flush_unsharded(more: i64, is_profiler: bool) {
    if is_profiler { profilers::flush(more) } else { flush(more) }
}
