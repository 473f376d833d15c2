//! Reports of a thread to the process, or to the bytes of profilers while their work runs.

use super::shard::Mine;
use super::{process, profilers};

impl Mine {
    /// Reports the change of the thread's live bytes since its last report. The report goes to the
    /// process or, while work of a profiler runs, to the bytes of profilers.
    pub(crate) fn tell(self) {
        let live = self.live();
        let more = live.wrapping_sub(self.replace_told(live));
        if self.shard().profiler_work().runs() {
            profilers::tell(more);
        } else {
            process::tell(more);
        }
    }

    /// Begins or ends work of a profiler. The counts up to now belong to the other side.
    pub(super) fn set_profiler_work(self, runs: bool) {
        self.tell();
        let work = self.shard().profiler_work();
        work.set(runs, self.counts().since(work.mark()));
    }

    /// Assigns all that the thread has counted since it acquired the shard to a profiler.
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
