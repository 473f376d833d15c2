//! Counts what profilers allocate for their own work, apart from what the program allocates.
//!
//! Each shard has a mark: four counts that stand still. While no work of a profiler runs, they are
//! what profilers counted on the shard, and the rest of the shard's counts is the program's. While
//! such work runs, they are what the program counted, and the rest is the profilers'. So one step
//! switches between the two, and nothing is ever moved.

use super::shard::{Counts, Mine, Shard};
use super::{process, threads};
use core::cell::Cell;
use core::sync::atomic::{
    AtomicBool, AtomicI64, AtomicU32, AtomicU64,
    Ordering::{Acquire, Relaxed, Release},
    fence,
};
use core::{array, hint};

/// Bytes live of profilers, as their threads have reported.
static LIVE: AtomicI64 = AtomicI64::new(0);
/// The most that was reported.
static PEAK: AtomicI64 = AtomicI64::new(0);

/// Counts of profilers' threads that were about to end and had no shard.
static LATE: [AtomicU64; 4] = [const { AtomicU64::new(0) }; 4];

thread_local! {
    /// True on a profiler's thread. No destructor: it can be read until the thread is gone.
    static IS_PROFILERS: Cell<bool> = const { Cell::new(false) };
}

/// Which of a shard's counts are those of profilers.
pub(super) struct ProfilerWork {
    /// Odd while the mark changes.
    version: AtomicU32,
    runs: AtomicBool,
    /// Bytes and blocks allocated, bytes and blocks freed.
    mark: [AtomicU64; 4],
}

/// A shard's counts, split.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Split {
    pub(crate) program: Counts,
    pub(crate) profilers: Counts,
}

impl ProfilerWork {
    pub(super) const fn none() -> Self {
        Self {
            version: AtomicU32::new(0),
            runs: AtomicBool::new(false),
            mark: [const { AtomicU64::new(0) }; 4],
        }
    }

    pub(super) fn runs(&self) -> bool {
        self.runs.load(Relaxed)
    }

    fn mark(&self) -> Counts {
        counts_of(&self.mark)
    }

    fn marked_live(&self) -> i64 {
        let [allocated, _, freed, _] = &self.mark;
        allocated.load(Relaxed).wrapping_sub(freed.load(Relaxed)).cast_signed()
    }

    /// Only the thread that has the shard calls this.
    fn set(&self, runs: bool, mark: Counts) {
        self.version.store(self.version.load(Relaxed).wrapping_add(1), Relaxed);
        fence(Release);
        self.runs.store(runs, Relaxed);
        for (word, count) in self.mark.iter().zip(words(mark)) {
            word.store(count, Relaxed);
        }
        self.version.store(self.version.load(Relaxed).wrapping_add(1), Release);
    }

    /// Reads a value that depends on the mark. `read` gets whether work runs. The last attempt
    /// counts, as a fork may have interrupted a thread in the middle for good.
    fn read<T>(&self, read: impl Fn(bool) -> T) -> T {
        const TRIES: u32 = 1000;
        for _ in 0..TRIES {
            let version = self.version.load(Acquire);
            let value = read(self.runs());
            fence(Acquire);
            if version.is_multiple_of(2) && self.version.load(Relaxed) == version {
                return value;
            }
            hint::spin_loop();
        }
        read(self.runs())
    }
}

fn words(counts: Counts) -> [u64; 4] {
    let Counts { allocated_bytes, allocated_blocks, freed_bytes, freed_blocks } = counts;
    [allocated_bytes, allocated_blocks, freed_bytes, freed_blocks]
}

fn counts_of(words: &[AtomicU64; 4]) -> Counts {
    let [allocated_bytes, allocated_blocks, freed_bytes, freed_blocks] =
        array::from_fn(|index| words[index].load(Relaxed));
    Counts { allocated_bytes, allocated_blocks, freed_bytes, freed_blocks }
}

impl Shard {
    /// Its counts, split into those of the program and those of profilers.
    pub(crate) fn split(&self) -> Split {
        let work = self.profiler_work();
        work.read(|runs| {
            let mark = work.mark();
            let rest = self.counts().since(mark);
            if runs {
                Split { program: mark, profilers: rest }
            } else {
                Split { program: rest, profilers: mark }
            }
        })
    }

    /// Bytes live of the program.
    pub(super) fn program_live(&self) -> i64 {
        let work = self.profiler_work();
        work.read(|runs| {
            let mark = work.marked_live();
            if runs { mark } else { self.live().wrapping_sub(mark) }
        })
    }
}

/// The counts of threads that were about to end, split.
pub(crate) fn late() -> Split {
    let [freed_bytes, freed_blocks, allocated_bytes, allocated_blocks] = process::late();
    let all = Counts { allocated_bytes, allocated_blocks, freed_bytes, freed_blocks };
    let profilers = counts_of(&LATE);
    Split { program: all.since(profilers), profilers }
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

/// Counts an allocation of a profiler's thread that has no shard any more.
pub(super) fn late_allocated(bytes: usize) {
    LATE[0].fetch_add(bytes as u64, Relaxed);
    LATE[1].fetch_add(1, Relaxed);
    tell(bytes.cast_signed() as i64);
}

/// Counts a free of a profiler's thread that has no shard any more.
pub(super) fn late_freed(bytes: usize) {
    LATE[2].fetch_add(bytes as u64, Relaxed);
    LATE[3].fetch_add(1, Relaxed);
    tell((bytes.cast_signed() as i64).wrapping_neg());
}

impl Mine {
    fn begin_profiler_work(self) {
        self.tell();
        let work = self.shard().profiler_work();
        work.set(true, self.counts().since(work.mark()));
    }

    pub(super) fn end_profiler_work(self) {
        self.tell();
        let work = self.shard().profiler_work();
        work.set(false, self.counts().since(work.mark()));
    }

    /// Has all that the thread counted since it came be a profiler's.
    fn adopt(self) {
        self.take_back_told();
        let work = self.shard().profiler_work();
        work.set(true, self.shard().start.counts().since(work.mark()));
        self.tell();
    }

    /// Bytes and blocks that work of profilers on this shard has kept.
    pub(crate) fn kept_by_profilers(self) -> (i64, i64) {
        let kept = self.shard().split().profilers;
        (kept.live(), kept.live_blocks())
    }
}

/// The current thread, if work of the wanted kind runs on it.
fn listed_where_work(runs: bool) -> Option<Mine> {
    threads::listed().filter(|mine| mine.shard().profiler_work().runs() == runs)
}

/// Runs work of the program's within that of a profiler's.
pub(crate) fn pause<T>(work: impl FnOnce() -> T) -> T {
    struct Until(Mine);

    impl Drop for Until {
        fn drop(&mut self) {
            self.0.begin_profiler_work();
        }
    }

    let Some(mine) = listed_where_work(true) else { return work() };
    mine.end_profiler_work();
    let _until = Until(mine);
    work()
}

/// Runs the work of a profiler's own. What it allocates and keeps is the profiler's.
pub(crate) fn run<T>(work: impl FnOnce() -> T) -> T {
    struct Until(Mine);

    impl Drop for Until {
        fn drop(&mut self) {
            self.0.end_profiler_work();
        }
    }

    let Some(mine) = listed_where_work(false) else { return work() };
    mine.begin_profiler_work();
    let _until = Until(mine);
    work()
}

/// Has the current thread be a profiler's for all its life: what it counted so far is the
/// profiler's, and so is what it frees when it is about to end.
pub(crate) fn adopt_this_thread() {
    let _ = IS_PROFILERS.try_with(|is| is.set(true));
    if let Some(mine) = listed_where_work(false) {
        mine.adopt();
    }
}
