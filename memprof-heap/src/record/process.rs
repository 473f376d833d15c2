//! The live bytes of the process, and their peak; and those of profilers.
//!
//! A peak is the maximum of a sum over all threads, and no thread may read all others on each
//! allocation. So each thread flushes the change of its live bytes to one atomic sum, when it is
//! large. When that sum passes a limit, all threads are read, and the peak is exact at that moment.
//! The limit leaves a slack for each thread, so that the cost for each byte does not depend on the
//! number of threads.
//!
//! A thread without a shard, because it is ending or because there was no memory for a shard, counts
//! here at once.
//!
//! All counts are those since counting began: what was counted up to that moment is subtracted.

use crate::record::counters::{CountingStart, Counts, Record, Records, WINDOW};
use crate::record::system::Since;
use crate::record::threads::{LocalShard, Split};
use crate::record::{callbacks, threads};
use core::cell::Cell;
use core::sync::atomic::Ordering::{Relaxed, SeqCst};
use core::sync::atomic::{AtomicI64, AtomicU64, fence};

/// Live bytes as flushed by all threads. The sum may be too high by large blocks that threads freed
/// since their last flush. It is too low by at most `WINDOW` for each thread.
static LIVE: AtomicI64 = AtomicI64::new(0);
/// The maximum of live bytes found when all threads were read.
static PEAK: AtomicI64 = AtomicI64::new(0);
/// The flushed live bytes at which all threads are read again.
static RECOMPUTE_AT: AtomicI64 = AtomicI64::new(0);

/// The growth of the process, in bytes per thread, after which all threads are read again.
const SLACK: i64 = WINDOW / 2;

fn flush(more: i64) {
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

/// The growth between two calls is proportional to the number of threads, so the cost for each byte
/// does not depend on that number.
#[cold]
#[inline(never)]
fn recompute_peak(flushed: i64) {
    let live = exact_live();
    let peak = PEAK.fetch_max(live, Relaxed).max(live);
    recompute_at(|next| flushed.wrapping_add(next.wrapping_sub(live).max(0)));
    check_limits(live, peak);
}

/// Sets the flushed bytes at which all threads are read again. `flushed_at` converts live bytes to
/// flushed bytes. Its argument is the amount to detect: the peak, or the recorder's limit if that
/// is lower.
fn recompute_at(flushed_at: impl FnOnce(i64) -> i64) {
    let limit = live_limit();
    RECOMPUTE_AT.store(flushed_at(peak().min(limit)).wrapping_add(slack()), Relaxed);
    // Without the fence, this thread could miss a limit that `recompute_soon` announced before.
    fence(SeqCst);
    if live_limit() != limit {
        RECOMPUTE_AT.store(i64::MIN, Relaxed);
    }
}

/// Includes the bytes that were live when counting began. `i64::MAX` without a watch.
fn live_limit() -> i64 {
    let limit = callbacks::live_limit();
    limit.map_or(i64::MAX, |limit| live_at_begin().saturating_add_unsigned(limit))
}

fn check_limits(live: i64, peak: i64) {
    let begin = live_at_begin();
    callbacks::check_limits(live.wrapping_sub(begin), peak.wrapping_sub(begin));
}

pub(crate) fn check_limits_now() {
    check_limits(exact_live(), peak());
}

/// Reads all threads at the next flush, because the recorder's limit has changed.
pub(crate) fn recompute_soon() {
    fence(SeqCst);
    RECOMPUTE_AT.store(i64::MIN, Relaxed);
}

fn slack() -> i64 {
    SLACK.wrapping_mul(threads::owners().max(1))
}

pub(crate) fn exact_live() -> i64 {
    threads::all().fold(unsharded_live(), |sum, shard| sum.wrapping_add(shard.program_live()))
}

/// Returns the live bytes, for frequent callers. They are exact if there are at most 16 shards.
/// Otherwise the bytes of other threads are those of their last flush.
pub(crate) fn fast_live(local: LocalShard) -> i64 {
    const MAX_READ: usize = 16;
    let mut all = threads::all();
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
    unsharded_split().program.live()
}

fn peak() -> i64 {
    PEAK.load(Relaxed)
}

/// Raises the peak to the bytes that are live now, even if threads have not flushed them: a reader
/// that only returned the higher of the two would return less once the bytes are freed.
pub(crate) fn raised_peak() -> i64 {
    let live = exact_live();
    PEAK.fetch_max(live, Relaxed).max(live)
}

pub(crate) fn reset_peak() {
    threads::reset_max_owners();
    PEAK.store(exact_live(), Relaxed);
    RECOMPUTE_AT.store(i64::MIN, Relaxed);
}

/// The true peak may be higher by unflushed bytes, and by the growth before the next full reading.
pub(crate) fn peak_error() -> u64 {
    let each = WINDOW.wrapping_add(SLACK).cast_unsigned();
    threads::max_owners().max(1).cast_unsigned().saturating_mul(each)
}

/// Live bytes of profilers, as flushed by the threads that run their work.
static PROFILERS_LIVE: AtomicI64 = AtomicI64::new(0);
/// The maximum of `PROFILERS_LIVE` since `reset_profilers_peak`.
static PROFILERS_PEAK: AtomicI64 = AtomicI64::new(0);

thread_local! {
    /// The word has no destructor, so it can be read as long as the thread exists.
    static IS_PROFILER_THREAD: Cell<bool> = const { Cell::new(false) };
}

/// May miss bytes that threads have not flushed.
pub(crate) fn profilers_peak() -> i64 {
    PROFILERS_PEAK.load(Relaxed)
}

/// Restarts the peak from the live bytes of profilers, and returns these bytes.
fn reset_profilers_peak() -> i64 {
    let live = PROFILERS_LIVE.load(Relaxed);
    PROFILERS_PEAK.store(live, Relaxed);
    live
}

fn flush_profilers(more: i64) {
    let live = PROFILERS_LIVE.fetch_add(more, Relaxed).wrapping_add(more);
    PROFILERS_PEAK.fetch_max(live, Relaxed);
}

/// Returns true on a profiler's thread. Its counts without a shard belong to the profiler too.
fn is_profiler_thread() -> bool {
    IS_PROFILER_THREAD.try_with(Cell::get).unwrap_or(false)
}

/// Makes the current thread a profiler's thread for all its life. All that the thread counted so
/// far belongs to the profiler, and so do its frees when it is about to end.
pub(crate) fn adopt_current_thread() {
    let _ = IS_PROFILER_THREAD.try_with(|is| is.set(true));
    if let Some(local) = listed_with_work(false) {
        local.adopt();
    }
}

/// Runs a profiler's own work. All that it allocates and keeps belongs to the profiler.
pub(crate) fn as_profiler<T>(work: impl FnOnce() -> T) -> T {
    with_profiler_work(true, work)
}

/// Runs work of a profiler, or of the program within such work.
pub(crate) fn with_profiler_work<T>(is_running: bool, work: impl FnOnce() -> T) -> T {
    struct Until(LocalShard, bool);

    impl Drop for Until {
        fn drop(&mut self) {
            self.0.set_profiler_work(self.1);
        }
    }

    let Some(local) = listed_with_work(!is_running) else { return work() };
    local.set_profiler_work(is_running);
    let _until = Until(local, !is_running);
    work()
}

/// `None` unless `is_running` is the thread's state: true while work of a profiler runs on it.
fn listed_with_work(is_running: bool) -> Option<LocalShard> {
    threads::listed().filter(|local| local.shard().profiler_work().is_running() == is_running)
}

impl LocalShard {
    /// The change goes to the process or, while work of a profiler runs, to the bytes of profilers.
    pub(crate) fn flush(self) {
        let live = self.live();
        let more = live.wrapping_sub(self.replace_flushed(live));
        if self.shard().profiler_work().is_running() {
            flush_profilers(more);
        } else {
            flush(more);
        }
    }

    /// Begins or ends work of a profiler. The counts since the last switch belong to the program if
    /// the work begins, and to the profiler if the work ends.
    pub(crate) fn set_profiler_work(self, is_running: bool) {
        self.flush();
        let work = self.shard().profiler_work();
        work.set(is_running, self.own_counts().since(work.mark()));
    }

    /// Assigns all that the thread has counted since it acquired the shard to a profiler.
    fn adopt(self) {
        let start = self.shard().start();
        let flushed = self.replace_flushed(start.live()).wrapping_sub(start.live());
        if flushed != 0 {
            flush(flushed.wrapping_neg());
        }
        let work = self.shard().profiler_work();
        work.set(true, start.since(work.mark()));
        self.flush();
    }

    /// Returns the bytes and blocks that work of profilers on this shard has kept.
    pub(crate) fn kept_by_profilers(self) -> (i64, i64) {
        let kept = self.shard().split().profilers;
        (kept.live(), kept.live_blocks())
    }
}

static ALL: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];
/// The part of `ALL` that the profilers' threads counted.
static PROFILERS: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

pub(crate) fn unsharded_allocated(bytes: usize) {
    count_unsharded(0, bytes, bytes as i64);
}

pub(crate) fn unsharded_freed(bytes: usize) {
    count_unsharded(2, bytes, (bytes as i64).wrapping_neg());
}

fn count_unsharded(first: usize, bytes: usize, change: i64) {
    let is_profiler = is_profiler_thread();
    for words in [Some(&ALL), is_profiler.then_some(&PROFILERS)].into_iter().flatten() {
        words[first].fetch_add(bytes as u64, Relaxed);
        words[first + 1].fetch_add(1, Relaxed);
    }
    if is_profiler { flush_profilers(change) } else { flush(change) }
}

pub(crate) fn unsharded_split() -> Split {
    // Read frees first, so that they never exceed the allocations.
    let [freed_bytes, freed_blocks] = [&ALL[2], &ALL[3]].map(|word| word.load(Relaxed));
    let all = Counts { freed_bytes, freed_blocks, ..Counts::load(&ALL) };
    let profilers = Counts::load(&PROFILERS);
    Split { program: all.since(profilers), profilers }
}

static STARTS: Records = Records {
    version: AtomicU64::new(0),
    records: [const {
        Record {
            moment: AtomicU64::new(0),
            program: [const { AtomicU64::new(0) }; 4],
            profilers: [const { AtomicU64::new(0) }; 4],
            profilers_live: AtomicI64::new(0),
        }
    }; 2],
};

pub(crate) struct Counted {
    pub start: CountingStart,
    pub program: Counts,
    pub profilers: Counts,
}

/// Begins counting at `moment`: stores the counts so far, which later results leave out.
pub(crate) fn begin_counting(moment: u64) {
    let program = program();
    STARTS.replace(CountingStart {
        moment,
        program,
        profilers: profilers(),
        profilers_live: reset_profilers_peak(),
    });
}

pub(crate) fn live_at_begin() -> i64 {
    STARTS.read().0.program.live()
}

pub(crate) fn counted_since() -> Since {
    Since::of(STARTS.read().0.moment)
}

pub(crate) fn read_counts() -> Counted {
    loop {
        let (start, version) = STARTS.read();
        let (program, profilers) = (program(), profilers());
        // Read again if counting began again during the reads, which is rare.
        if STARTS.read().1 == version {
            return Counted { start, program, profilers };
        }
    }
}

/// Returns the program's counts over all threads. Running threads may be read a few blocks apart.
/// Freed bytes are read first, so that a block that passes from thread to thread doesn't make live
/// bytes negative.
fn program() -> Counts {
    sum(|split| split.program)
}

fn profilers() -> Counts {
    sum(|split| split.profilers)
}

fn sum(of: fn(Split) -> Counts) -> Counts {
    let shards = || threads::all().map(move |shard| of(shard.split()));
    Counts::of_all(|| shards().chain([of(unsharded_split())]))
}
