//! Summaries, which another thread computes.

use super::Recorder;
use crate::deadline::Deadline;
use crate::files::Files;
use memprof_recording::document::NotWritten;
use std::time::Duration;

impl Recorder {
    /// Takes new events and a finished summary, unless the recorder rests after a panic.
    pub(crate) fn take_results(&mut self, now_ns: u64) {
        if now_ns >= self.rests_until_ns {
            self.take_events();
            self.take_summary(now_ns, Duration::ZERO);
        }
    }

    /// Returns the time until the first summary is written without names. Returns `None` if there is
    /// a summary, or if none is being computed.
    pub(crate) fn next_summary_in(&self, now_ns: u64) -> Option<Duration> {
        let rest = Duration::from_nanos(self.rests_until_ns.saturating_sub(now_ns));
        Some(self.first_summary_in()?.max(rest))
    }

    /// Stores the summary that is being computed, if it is done within `patience`.
    pub(crate) fn take_summary(&mut self, at_ns: u64, patience: Duration) {
        match self.summariser.finish(at_ns, patience) {
            Some((summary, stacks)) => {
                if !stacks.addresses.is_empty() {
                    self.peak_stacks.set_table(stacks);
                }
                let is_older = summary.at_ns < self.summary.at_ns;
                self.summary = summary;
                if is_older {
                    self.update_without_names(at_ns);
                }
            }
            None if self.first_summary_in() == Some(Duration::ZERO) => {
                self.update_without_names(at_ns);
            }
            None => return,
        }
        self.finish_summary();
        self.written(|files, _, summary| files.add_passing_summary(summary, at_ns));
    }

    /// Returns the time until the first summary has taken too long.
    pub(super) fn first_summary_in(&self) -> Option<Duration> {
        const MAX: Duration = Duration::from_secs(10);
        if self.summary.at_ns.is_some() {
            return None;
        }
        Some(MAX.saturating_sub(self.summariser.running_for()?))
    }

    /// Waits for the summary that is being computed, and takes events while it waits.
    ///
    /// Returns `true` if the summary is done.
    pub(crate) fn wait_for_summary(&mut self, at_ns: u64, deadline: Deadline) -> bool {
        const A_WHILE: Duration = Duration::from_millis(5);
        while self.summariser.is_running() && !deadline.is_over() {
            self.take_events();
            self.take_summary(at_ns, A_WHILE);
        }
        !self.summariser.is_running()
    }

    pub(super) fn summarise_without_names(&mut self, at_ns: u64) {
        self.update_without_names(at_ns);
        let warning =
            "resolving names took too long: call sites and leaks in the summary are older";
        self.warnings.warn(warning.to_owned());
    }

    /// Updates the parts of the summary that need no names of functions.
    pub(super) fn update_without_names(&mut self, at_ns: u64) {
        if let Some(heap) = &self.heap {
            heap.summarise_without_names(&mut self.summary);
            self.summary.at_ns = Some(at_ns);
        }
    }

    pub(super) fn finish_summary(&mut self) {
        let mut dropped = self.files.as_ref().map(Files::dropped_events).unwrap_or_default();
        dropped.not_recorded = self.lost_events;
        self.summary.dropped_events = dropped;
        self.summary.not_written = self.not_written();
        self.summary.warnings = self.warnings.all().to_vec();
    }

    /// Returns the counts of what was lost because it could not be written.
    fn not_written(&self) -> NotWritten {
        let files = self.files.as_ref().map(Files::not_written).unwrap_or_default();
        NotWritten {
            snapshots: self.not_written.snapshots + files.snapshots,
            events: self.not_written.events + files.events,
            operation_paths: self.paths.len() as u64,
        }
    }
}
