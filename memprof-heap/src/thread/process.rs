//! What the process holds, as its threads have told, and the most it held.

use super::shard::Mine;
use super::{late, profilers, shards, wake};
use crate::base::level_word::WINDOW;
use core::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// Bytes live, as told by all threads. A thread that has just freed much has not told yet, so this
/// may be too much; too little it is by at most a window for each thread.
static LIVE: AtomicI64 = AtomicI64::new(0);
/// The most bytes found live, by asking all threads.
static PEAK: AtomicI64 = AtomicI64::new(0);
/// What has to be told to be live for the threads to be asked again.
static NEXT: AtomicI64 = AtomicI64::new(0);

/// Bytes for each thread by which the process may grow unasked.
const SLACK: i64 = WINDOW / 2;

/// Takes over what a thread holds more than it had told.
pub(crate) fn tell(more: i64) {
    let live = LIVE.fetch_add(more, Relaxed).wrapping_add(more);
    if more < -WINDOW {
        // It was too much by this, perhaps as the threads were last asked.
        NEXT.store(peak().wrapping_add(slack()), Relaxed);
    }
    if live >= NEXT.load(Relaxed) {
        ask(live);
    }
}

/// Asks all threads what they hold. Each does so after as much growth as there are threads to ask,
/// so that it costs the same for each byte however many there are.
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

/// Bytes live, as all threads say who are asked one after the other; without what profilers hold.
pub(crate) fn exact_live() -> i64 {
    shards::all().fold(late_live(), |sum, shard| sum.wrapping_add(shard.program_live()))
}

/// Bytes live, for who asks often: exactly where few threads have to be asked, else as told.
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

/// The most bytes found live till now.
pub(crate) fn peak() -> i64 {
    PEAK.load(Relaxed)
}

/// From here on the peak is that of what comes.
pub(crate) fn reset_peak() {
    shards::reset_most_tenants();
    PEAK.store(exact_live(), Relaxed);
    NEXT.store(i64::MIN, Relaxed);
}

/// By how much the peak may have been higher: what threads may hold without having told, and what
/// all may grow unasked.
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
