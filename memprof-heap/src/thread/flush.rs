//! Flushes of a thread's live bytes to the process, or to the bytes of profilers while their work
//! runs.

use super::shard::LocalShard;
use super::{process, profilers};

impl LocalShard {
    /// Flushes the change of the thread's live bytes since its last flush. The change goes to the
    /// process or, while work of a profiler runs, to the bytes of profilers.
    pub(crate) fn flush(self) {
        let live = self.live();
        let more = live.wrapping_sub(self.replace_flushed(live));
        if self.shard().profiler_work().is_running() {
            profilers::flush(more);
        } else {
            process::flush(more);
        }
    }

    /// Begins or ends work of a profiler. The counts since the last switch belong to the program if
    /// the work begins, and to the profiler if the work ends.
    pub(super) fn set_profiler_work(self, is_running: bool) {
        self.flush();
        let work = self.shard().profiler_work();
        work.set(is_running, self.counts().since(work.mark()));
    }

    /// Assigns all that the thread has counted since it acquired the shard to a profiler.
    pub(super) fn adopt(self) {
        let start = self.shard().start.counts();
        let flushed = self.replace_flushed(start.live()).wrapping_sub(start.live());
        if flushed != 0 {
            process::flush(flushed.wrapping_neg());
        }
        let work = self.shard().profiler_work();
        work.set(true, start.since(work.mark()));
        self.flush();
    }
}
