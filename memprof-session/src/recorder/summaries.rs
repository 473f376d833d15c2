//! Summaries: what is known at the end of the file, without the lines before.

use super::Recorder;
use crate::clock::nanoseconds;
use crate::files::Files;
use crate::heap::Claims;
use memprof_recording::document::NotWritten;
use std::time::{Duration, Instant};

/// The rest after a summary, in multiples of its duration: summaries take at most 1 % of the time.
const REST: u32 = 99;

/// The summary to compute after a snapshot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Summarise {
    /// Compute a summary if one is due.
    IfDue,
    /// Compute a summary of exactly this snapshot.
    Now,
}

impl Recorder {
    /// Computes and writes a summary of this moment, unless none is due.
    pub(super) fn summarise(
        &mut self,
        at_ns: u64,
        when: Summarise,
        claims: Option<Claims>,
        roots: &[String],
        is_end: bool,
    ) {
        let Some(heap) = &self.heap else { return };
        if when == Summarise::IfDue && at_ns < self.next_summary_ns {
            return;
        }
        let began = Instant::now();
        self.summary = heap.summary(claims, roots, is_end);
        self.summary.at_ns = Some(at_ns);
        self.finish_summary();
        self.written(|files, _, summary| files.add_passing_summary(summary, at_ns));
        let rest: Duration = began.elapsed().saturating_mul(REST);
        self.next_summary_ns = at_ns.saturating_add(nanoseconds(rest));
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
