//! A timeline as a session file, which memprof's command line reads.

use super::{Action, Event, Timeline};
use memprof_profile::text::rfc3339;
use memprof_recording::TimelineWriter;
use memprof_recording::document::{Ended, Metadata, Snapshot, SourceReading, Trigger};
use std::io::{self, Write};
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

impl Timeline {
    /// Writes the curve to a file, in the format of [`write_session`](Self::write_session).
    ///
    /// # Errors
    /// Returns an error if the file can't be written.
    pub fn write_session_file(&self, path: impl AsRef<Path>) -> io::Result<()> {
        self.write_session(io::BufWriter::new(std::fs::File::create(path)?))
    }

    /// Writes the curve as the timeline of a session, which `memprof html` and `memprof info`
    /// read.
    ///
    /// Each point is a snapshot with one source, which has the resource's name. The source's
    /// profile has the bytes `allocated` and `cached` at that time. Each failed request is a
    /// checkpoint named `out of memory`, with the requested bytes.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write_session(&self, out: impl Write) -> io::Result<()> {
        let (points, number) = {
            // One lock covers both reads, so the points and the number belong to the same moment.
            let record = self.record();
            let mut points = record.curve.points();
            points.extend(&record.refusals);
            points.sort_by_key(|event| event.index);
            points.dedup_by_key(|event| event.index);
            (points, record.event_count)
        };
        let mut timeline = TimelineWriter::new(out, &self.metadata(number))?;
        for event in &points {
            timeline.write(self.snapshot(event))?;
        }
        timeline.finish()
    }

    fn metadata(&self, snapshots: u64) -> Metadata {
        let since = |moment: SystemTime| moment.duration_since(UNIX_EPOCH).unwrap_or_default();
        let passed = self.0.began.elapsed();
        // There is no sampling interval: each event is a snapshot, and the curve thins out most of
        // them.
        let mut metadata = Metadata::of_this_process(nanos(since(self.began_at())));
        metadata.generated_at = rfc3339(since(self.began_at() + passed).as_secs());
        metadata.generated_ns = nanos(passed);
        metadata.snapshots = snapshots;
        metadata.ended = Ended::Finished;
        metadata
    }

    fn snapshot(&self, event: &Event) -> Snapshot {
        let is_refusal = event.action == Action::OutOfMemory;
        let trigger = if is_refusal { Trigger::Checkpoint } else { Trigger::Interval };
        let mut snapshot = Snapshot::new(event.index, event.at_ns, trigger);
        snapshot.name = is_refusal.then(|| format!("out of memory: {} bytes", event.bytes));
        let profile = event.held.profile(self.name(), self.memory());
        snapshot.sources.push(SourceReading::new(self.name(), &profile));
        snapshot
    }
}

fn nanos(time: Duration) -> u64 {
    u64::try_from(time.as_nanos()).unwrap_or(u64::MAX)
}
