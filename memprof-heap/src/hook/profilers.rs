//! What profilers hold for their own work: it is live like everything else, and not the program's.

use super::shard::{Mine, Shard};
use super::threads;
use core::sync::atomic::{AtomicI64, Ordering::Relaxed};

/// Bytes live that profilers allocated in work that is over.
static HELD: AtomicI64 = AtomicI64::new(0);

/// No work of a profiler runs on the thread.
const NONE: i64 = i64::MIN;

/// The work of a profiler that runs on a thread, if one does.
pub(super) struct ProfilerWork {
    /// Bytes live of the thread when it began.
    began: AtomicI64,
    /// Bytes that such work on the thread has kept, and blocks.
    kept: AtomicI64,
    kept_blocks: AtomicI64,
    began_blocks: AtomicI64,
}

impl ProfilerWork {
    pub(super) const fn none() -> Self {
        Self {
            began: AtomicI64::new(NONE),
            kept: AtomicI64::new(0),
            kept_blocks: AtomicI64::new(0),
            began_blocks: AtomicI64::new(0),
        }
    }

    pub(super) fn runs(&self) -> bool {
        self.began.load(Relaxed) != NONE
    }
}

impl Shard {
    fn held_by_profiler(&self) -> i64 {
        match self.profiler_work().began.load(Relaxed) {
            NONE => 0,
            began => self.live().wrapping_sub(began),
        }
    }
}

/// Bytes live that profilers allocated for themselves, work that runs included.
pub(crate) fn held() -> i64 {
    threads::all().fold(HELD.load(Relaxed), |sum, shard| sum.wrapping_add(shard.held_by_profiler()))
}

/// Runs work of the program's within that of a profiler's.
pub(crate) fn pause<T>(work: impl FnOnce() -> T) -> T {
    struct Until(Mine);

    impl Drop for Until {
        fn drop(&mut self) {
            self.0.begin_profiler_work();
        }
    }

    let mine = threads::mine().filter(|mine| !mine.is_late());
    let Some(mine) = mine.filter(|mine| mine.shard().profiler_work().runs()) else {
        return work();
    };
    mine.end_profiler_work();
    let _until = Until(mine);
    work()
}

impl Mine {
    fn begin_profiler_work(self) {
        self.tell();
        let work = self.shard().profiler_work();
        work.began_blocks.store(self.live_blocks(), Relaxed);
        work.began.store(self.live(), Relaxed);
    }

    fn live_blocks(self) -> i64 {
        self.allocated_blocks().wrapping_sub(self.freed_blocks()).cast_signed()
    }

    /// Bytes and blocks that work of profilers on this thread has kept.
    pub(crate) fn kept_by_profilers(self) -> (i64, i64) {
        let work = self.shard().profiler_work();
        (work.kept.load(Relaxed), work.kept_blocks.load(Relaxed))
    }

    fn end_profiler_work(self) {
        let work = self.shard().profiler_work();
        let held = self.shard().held_by_profiler();
        let blocks = self.live_blocks().wrapping_sub(work.began_blocks.load(Relaxed));
        HELD.fetch_add(held, Relaxed);
        work.kept.store(work.kept.load(Relaxed).wrapping_add(held), Relaxed);
        work.kept_blocks.store(work.kept_blocks.load(Relaxed).wrapping_add(blocks), Relaxed);
        work.began.store(NONE, Relaxed);
        // What it kept has not been told, and isn't to be.
        self.told_all();
    }
}

/// Runs the work of a profiler's own. What it allocates and keeps is the profiler's.
pub(crate) fn run<T>(work: impl FnOnce() -> T) -> T {
    struct Until(Mine);

    impl Drop for Until {
        fn drop(&mut self) {
            self.0.end_profiler_work();
        }
    }

    let mine = threads::mine().filter(|mine| !mine.is_late());
    let Some(mine) = mine.filter(|mine| !mine.shard().profiler_work().runs()) else {
        return work();
    };
    mine.begin_profiler_work();
    let _until = Until(mine);
    work()
}
