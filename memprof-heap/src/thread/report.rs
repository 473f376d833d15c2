//! Reports of a thread to the process, or to the bytes of profilers while their work runs.

use super::shard::Mine;
use super::{process, profilers};

impl Mine {
    /// Reports what the thread holds more than when it last reported: to the process, or while work
    /// of a profiler runs, to what profilers hold.
    pub(crate) fn tell(self) {
        let live = self.live();
        let more = live.wrapping_sub(self.replace_told(live));
        if self.shard().profiler_work().runs() {
            profilers::tell(more);
        } else {
            process::tell(more);
        }
    }

    /// Begins or ends work of a profiler: what was counted up to now was the other side's.
    pub(super) fn set_profiler_work(self, runs: bool) {
        self.tell();
        let work = self.shard().profiler_work();
        work.set(runs, self.counts().since(work.mark()));
    }

    /// Has all that the thread counted since it came be a profiler's.
    pub(super) fn adopt(self) {
        let start = self.shard().start.counts();
        let told = self.replace_told(start.live()).wrapping_sub(start.live());
        if told != 0 {
            process::tell(told.wrapping_neg());
        }
        let work = self.shard().profiler_work();
        work.set(true, start.since(work.mark()));
        self.tell();
    }
}
