//! What the process holds, as its threads have told, and the most it held.

use super::level_word::WINDOW;
use super::shard::Mine;
use super::{profilers, threads};
use core::sync::atomic::{AtomicI64, AtomicU64, Ordering::Relaxed};

/// Bytes live, as told by all threads. A thread that has just freed much has not told yet, so this
/// may be too much; too little it is by at most a window for each thread.
static LIVE: AtomicI64 = AtomicI64::new(0);
/// The most bytes found live, by asking all threads.
static PEAK: AtomicI64 = AtomicI64::new(0);
/// What has to be told to be live for the threads to be asked again.
static NEXT: AtomicI64 = AtomicI64::new(0);
/// The most threads that counted at once, since the peak was reset.
static MOST_THREADS: AtomicI64 = AtomicI64::new(0);

/// Bytes for each thread by which the process may grow unasked.
const SLACK: i64 = WINDOW / 2;

/// What threads counted that have no shard: they end, or there was no memory for one.
static LATE: Late = Late {
    allocated_bytes: AtomicU64::new(0),
    allocated_blocks: AtomicU64::new(0),
    freed_bytes: AtomicU64::new(0),
    freed_blocks: AtomicU64::new(0),
};

struct Late {
    allocated_bytes: AtomicU64,
    allocated_blocks: AtomicU64,
    freed_bytes: AtomicU64,
    freed_blocks: AtomicU64,
}

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
    crate::wake::peak_is(peak);
}

fn slack() -> i64 {
    SLACK.wrapping_mul(threads::tenants().max(1))
}

/// Bytes live, as all threads say who are asked one after the other; without what profilers hold.
pub(crate) fn exact_live() -> i64 {
    threads::all().fold(late_live(), |sum, shard| sum.wrapping_add(shard.program_live()))
}

/// Bytes live, for who asks often: exactly where few threads have to be asked, else as told.
pub(crate) fn live_at(mine: Mine) -> i64 {
    const ASKED: usize = 16;
    let mut all = threads::all();
    let asked = all.by_ref().take(ASKED);
    let live = asked.fold(late_live(), |sum, shard| sum.wrapping_add(shard.program_live()));
    match all.next() {
        Some(_) if !mine.is_late() => LIVE.load(Relaxed).wrapping_add(mine.untold_by_program()),
        Some(_) => LIVE.load(Relaxed),
        None => live,
    }
}

fn late_live() -> i64 {
    profilers::late().program.live()
}

/// The most bytes found live till now.
pub(crate) fn peak() -> i64 {
    PEAK.load(Relaxed)
}

/// From here on the peak is that of what comes.
pub(crate) fn reset_peak() {
    MOST_THREADS.store(threads::tenants(), Relaxed);
    PEAK.store(exact_live(), Relaxed);
    NEXT.store(i64::MIN, Relaxed);
}

/// So many threads count now.
pub(crate) fn threads_are(threads: i64) {
    MOST_THREADS.fetch_max(threads, Relaxed);
}

/// By how much the peak may have been higher: what threads may hold without having told, and what
/// all may grow unasked.
pub(crate) fn peak_error() -> u64 {
    let each = WINDOW.wrapping_add(SLACK).cast_unsigned();
    MOST_THREADS.load(Relaxed).max(1).cast_unsigned().saturating_mul(each)
}

pub(crate) fn late_allocated(bytes: usize) {
    LATE.allocated_bytes.fetch_add(bytes as u64, Relaxed);
    LATE.allocated_blocks.fetch_add(1, Relaxed);
    if profilers::has_this_thread() {
        profilers::late_allocated(bytes);
    } else {
        tell(bytes.cast_signed() as i64);
    }
}

pub(crate) fn late_freed(bytes: usize) {
    LATE.freed_bytes.fetch_add(bytes as u64, Relaxed);
    LATE.freed_blocks.fetch_add(1, Relaxed);
    if profilers::has_this_thread() {
        profilers::late_freed(bytes);
    } else {
        tell((bytes.cast_signed() as i64).wrapping_neg());
    }
}

/// Bytes and blocks freed, bytes and blocks allocated by threads without a shard.
pub(crate) fn late() -> [u64; 4] {
    [&LATE.freed_bytes, &LATE.freed_blocks, &LATE.allocated_bytes, &LATE.allocated_blocks]
        .map(|word| word.load(Relaxed))
}
