//! Work of profilers on a thread, whose allocations are counted separately.

use super::shard::LocalShard;
use super::{profilers, threads};

impl LocalShard {
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

fn with_profiler_work<T>(is_running: bool, work: impl FnOnce() -> T) -> T {
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

/// Makes the current thread a profiler's thread for all its life. All that the thread counted so
/// far belongs to the profiler, and so do its frees when it is about to end.
pub(crate) fn adopt_current_thread() {
    profilers::mark_current_thread();
    if let Some(local) = listed_with_work(false) {
        local.adopt();
    }
}

/// Returns the current thread's listed shard, if `is_running` is its state: true while work of a
/// profiler runs on the thread.
fn listed_with_work(is_running: bool) -> Option<LocalShard> {
    threads::listed().filter(|local| local.shard().profiler_work().is_running() == is_running)
}
