//! Peaks of a thread. A peak belongs to the innermost operation, or to the thread if none runs.

use crate::base::level_word::WINDOW;
use crate::thread::shard::Mine;

impl Mine {
    /// Notes a peak if there is a new one, and reports to the process if much was freed.
    pub(crate) fn settle(self) {
        if self.is_late() {
            return;
        }
        let room = self.room();
        if room < 0 {
            self.lower_ceiling();
        } else if room >= WINDOW {
            self.note_peak(self.ceiling());
            self.lower_ceiling();
            self.tell();
        }
    }

    /// Notes a peak of the innermost operation that runs, or of the thread if none does.
    pub(crate) fn note_peak(self, peak: i64) {
        if !self.activations().note_peak(peak) {
            self.note_highest(peak);
        }
    }
}
