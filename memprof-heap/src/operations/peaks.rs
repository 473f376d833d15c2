//! Peaks of a thread. A peak belongs to the innermost operation, or to the thread if none runs.

use crate::base::level_word::WINDOW;
use crate::thread::shard::LocalShard;

impl LocalShard {
    /// Notes a peak if there is a new one, and flushes to the process if much was freed.
    pub(crate) fn settle(self) {
        if self.is_unlisted() {
            return;
        }
        let headroom = self.headroom();
        if headroom < 0 {
            self.reset_high_water();
        } else if headroom >= WINDOW {
            self.note_peak(self.high_water());
            self.reset_high_water();
            self.flush();
        }
    }

    /// Notes a peak of the innermost operation that runs, or of the thread if none does.
    pub(crate) fn note_peak(self, peak: i64) {
        if !self.activations().note_peak(peak) {
            self.note_thread_peak(peak);
        }
    }
}
