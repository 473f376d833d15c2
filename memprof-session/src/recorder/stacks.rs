//! Peaks, and the live stacks of a moment.

use super::Recorder;
use crate::files::Files;
use crate::heap;
use crate::peaks::Action;
use memprof_recording::Recording;
use memprof_recording::document::{HeapTotals, LiveStacks, Trigger};
use std::time::{Duration, Instant};

impl Recorder {
    /// Returns the action for a peak that the allocator found, or that has no snapshot yet.
    pub(crate) fn peak_action(&mut self, now_ns: u64) -> Action {
        let Some(heap) = &self.heap else { return Action::Nothing };
        if heap.took_peak() {
            self.peaks.found();
        }
        if self.peaks.wait(now_ns) != Some(Duration::ZERO) {
            return Action::Nothing;
        }
        let live = heap::totals().map_or(0, |(totals, _)| live_bytes(&totals));
        let action = self.peaks.action(now_ns, live);
        if action == Action::Nothing {
            self.watch_live();
        }
        action
    }

    /// Returns the time until a peak requires an action.
    pub(crate) fn next_peak_in(&self, now_ns: u64) -> Option<Duration> {
        self.peaks.wait(now_ns)
    }

    /// Records the live stacks at a peak, without a snapshot.
    pub(crate) fn record_stacks(&mut self, at_ns: u64) {
        let began = Instant::now();
        let (Some(heap), Some((totals, _))) = (&self.heap, heap::totals()) else { return };
        let claims = heap.claims();
        self.peaks.check_reset(highest_peak(&totals), live_bytes(&totals));
        if let Some(claims) = &claims {
            let live_bytes = totals.live_bytes;
            let (trigger, name, snapshot) = (Trigger::Peak, None, None);
            let (root_names, rows) = (Vec::new(), claims.rows());
            self.write_stacks(&LiveStacks {
                at_ns,
                trigger,
                name,
                snapshot,
                live_bytes,
                root_names,
                rows,
            });
        }
        self.peaks.took_stacks(at_ns, live_bytes(&totals), began.elapsed());
        self.watch_live();
    }

    /// Writes the live bytes by stack of a moment, after the stacks that the file lacks. The highest
    /// moment also stays in memory.
    pub(super) fn write_stacks(&mut self, moment: &LiveStacks) {
        /// The number of rows whose stacks are written at once, so that this takes little memory.
        const ROWS_A_LINE: usize = 256;
        self.peak_stacks.note(moment);
        for rows in moment.rows.chunks(ROWS_A_LINE) {
            let Some(heap) = &self.heap else { return };
            if !self.files.as_ref().is_some_and(Files::has_space_for_stacks) {
                break;
            }
            let stacks = heap.new_stacks(rows);
            if stacks.addresses.is_empty() {
                continue;
            }
            let is_written = self.written(|files, _, _| files.add_stacks(&stacks));
            if let Some(heap) = self.heap.as_mut().filter(|_| is_written) {
                heap.stacks_written(&stacks);
            }
        }
        self.written(|files, _, _| files.add_live_stacks(moment));
    }

    /// Adds the live stacks of the highest moment to a recording.
    pub(crate) fn add_peak_stacks(&self, recording: &mut Recording) {
        if let Some(heap) = &self.heap {
            self.peak_stacks.add_to(recording, heap);
        }
    }

    /// Requests a wake as soon as the live bytes exceed the limit for the next recorded moment.
    pub(super) fn watch_live(&self) {
        if let Some(heap) = self.heap.as_ref().filter(|_| self.peaks.is_watching()) {
            heap.watch_live(self.peaks.limit());
        }
    }
}

/// Returns the live bytes; 0 if more was freed than allocated since counting began.
pub(super) fn live_bytes(totals: &HeapTotals) -> u64 {
    totals.live_bytes.max(0).unsigned_abs()
}

/// Returns the upper bound of the peak: the counted peak and its error.
pub(super) fn highest_peak(totals: &HeapTotals) -> u64 {
    totals.peak_bytes.saturating_add(totals.peak_error_bytes)
}
