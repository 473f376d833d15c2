//! Work of profilers on a thread, whose allocations are counted separately.

use super::shard::Mine;
use super::{profilers, threads};

impl Mine {
    /// Returns the bytes and blocks that work of profilers on this shard has kept.
    pub(crate) fn kept_by_profilers(self) -> (i64, i64) {
        let kept = self.shard().split().profilers;
        (kept.live(), kept.live_blocks())
    }
}

/// Runs work of the program within work of a profiler.
pub(crate) fn pause<T>(work: impl FnOnce() -> T) -> T {
    with_profiler_work(false, work)
}

/// Runs a profiler's own work. All that it allocates and keeps belongs to the profiler.
pub(crate) fn run<T>(work: impl FnOnce() -> T) -> T {
    with_profiler_work(true, work)
}

fn with_profiler_work<T>(runs: bool, work: impl FnOnce() -> T) -> T {
    struct Until(Mine, bool);

    impl Drop for Until {
        fn drop(&mut self) {
            self.0.set_profiler_work(self.1);
        }
    }

    let Some(mine) = listed_where_work(!runs) else { return work() };
    mine.set_profiler_work(runs);
    let _until = Until(mine, !runs);
    work()
}

/// Makes the current thread a profiler's for all its life. All that it counted so far belongs to
/// the profiler, and so do its frees when it is about to end.
pub(crate) fn adopt_this_thread() {
    profilers::take_this_thread();
    if let Some(mine) = listed_where_work(false) {
        mine.adopt();
    }
}

/// Returns the current thread if `runs` is true and profilers' work runs on it, or if both are
/// false.
fn listed_where_work(runs: bool) -> Option<Mine> {
    threads::listed().filter(|mine| mine.shard().profiler_work().runs() == runs)
}
