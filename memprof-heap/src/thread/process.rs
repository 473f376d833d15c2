//! The live bytes of the process, as reported by its threads, and their peak.

use super::shard::Mine;
use super::{late, profilers, shards, wake};
use crate::base::level_word::WINDOW;
use core::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// Live bytes as reported by all threads. A thread may have freed much since its last report, so
/// this may be too high. It is too low by at most a window for each thread.
static LIVE: AtomicI64 = AtomicI64::new(0);
/// The most live bytes found when all threads were read.
static PEAK: AtomicI64 = AtomicI64::new(0);
/// The reported live bytes at which all threads are read again.
static NEXT: AtomicI64 = AtomicI64::new(0);

/// Bytes for each thread by which the process may grow until all threads are read again.
const SLACK: i64 = WINDOW / 2;

/// Adds what a thread's live bytes changed since its last report.
pub(crate) fn tell(more: i64) {
    let live = LIVE.fetch_add(more, Relaxed).wrapping_add(more);
    if more < -WINDOW {
        // The live bytes were too high by this, perhaps also when the threads were last read.
        NEXT.store(peak().wrapping_add(slack()), Relaxed);
    }
    if live >= NEXT.load(Relaxed) {
        ask(live);
    }
}

/// Reads the live bytes of all threads. The growth between two calls is proportional to the number
/// of threads. So the cost for each byte does not depend on that number.
#[cold]
#[inline(never)]
fn ask(told: i64) {
    let live = exact_live();
    let peak = PEAK.fetch_max(live, Relaxed).max(live);
    NEXT.store(told.wrapping_add(peak.wrapping_sub(live)).wrapping_add(slack()), Relaxed);
    wake::peak_is(peak);
}

fn slack() -> i64 {
    SLACK.wrapping_mul(shards::tenants().max(1))
}

/// Returns the live bytes, read from one thread after the other, without those of profilers.
pub(crate) fn exact_live() -> i64 {
    shards::all().fold(late_live(), |sum, shard| sum.wrapping_add(shard.program_live()))
}

/// Returns the live bytes, for frequent callers. They are exact if there are at most 16 shards, and
/// otherwise as reported.
pub(crate) fn live_at(mine: Mine) -> i64 {
    const ASKED: usize = 16;
    let mut all = shards::all();
    let asked = all.by_ref().take(ASKED);
    let live = asked.fold(late_live(), |sum, shard| sum.wrapping_add(shard.program_live()));
    match all.next() {
        Some(_) if !mine.is_late() => LIVE.load(Relaxed).wrapping_add(mine.untold_by_program()),
        Some(_) => LIVE.load(Relaxed),
        None => live,
    }
}

fn late_live() -> i64 {
    late::split().program.live()
}

/// Returns the most live bytes found till now.
pub(crate) fn peak() -> i64 {
    PEAK.load(Relaxed)
}

/// Restarts the peak from what is live now.
pub(crate) fn reset_peak() {
    shards::reset_most_tenants();
    PEAK.store(exact_live(), Relaxed);
    NEXT.store(i64::MIN, Relaxed);
}

/// Returns by how much the peak may have been higher. That is what threads may hold without a
/// report, and the growth that is allowed before all threads are read again.
pub(crate) fn peak_error() -> u64 {
    let each = WINDOW.wrapping_add(SLACK).cast_unsigned();
    shards::most_tenants().max(1).cast_unsigned().saturating_mul(each)
}

/// Counts an allocation of a thread that has no shard.
pub(crate) fn late_allocated(bytes: usize) {
    let is_profilers = profilers::has_this_thread();
    late::count_allocated(bytes, is_profilers);
    tell_late(bytes.cast_signed() as i64, is_profilers);
}

/// Counts a free of a thread that has no shard.
pub(crate) fn late_freed(bytes: usize) {
    let is_profilers = profilers::has_this_thread();
    late::count_freed(bytes, is_profilers);
    tell_late((bytes.cast_signed() as i64).wrapping_neg(), is_profilers);
}

fn tell_late(more: i64, is_profilers: bool) {
    if is_profilers { profilers::tell(more) } else { tell(more) }
}
