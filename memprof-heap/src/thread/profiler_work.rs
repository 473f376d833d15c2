//! Work of profilers on a thread, whose allocations are counted apart.

use super::shard::Mine;
use super::{profilers, threads};

impl Mine {
    /// Bytes and blocks that work of profilers on this shard has kept.
    pub(crate) fn kept_by_profilers(self) -> (i64, i64) {
        let kept = self.shard().split().profilers;
        (kept.live(), kept.live_blocks())
    }
}

/// Runs work of the program's within that of a profiler's.
pub(crate) fn pause<T>(work: impl FnOnce() -> T) -> T {
    with_profiler_work(false, work)
}

/// Runs the work of a profiler's own. The profiler owns all that it allocates and keeps.
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

/// Has the current thread be a profiler's for all its life: what it counted so far is the
/// profiler's, and so is what it frees when it is about to end.
pub(crate) fn adopt_this_thread() {
    profilers::take_this_thread();
    if let Some(mine) = listed_where_work(false) {
        mine.adopt();
    }
}

/// The current thread, if work of the wanted kind runs on it.
fn listed_where_work(runs: bool) -> Option<Mine> {
    threads::listed().filter(|mine| mine.shard().profiler_work().runs() == runs)
}
