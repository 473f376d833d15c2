//! A writer of timelines for programs that take snapshots without a session.

use crate::document::{FirstLine, Line, Metadata, Snapshot};
use std::borrow::Cow;
use std::io::{self, Write};

/// A writer of a timeline of snapshots that no session took.
///
/// Use it, for example, for a memory resource that keeps a record of its own.
/// [`Recording`](crate::Recording) reads the timeline, and so does every command of `memprof` for
/// sessions.
///
/// ```
/// use memprof::session::document::{Metadata, Snapshot, SourceReading, Trigger};
/// use memprof::session::{Recording, TimelineWriter};
/// use memprof::Profile;
///
/// let mut file = Vec::new();
/// let mut timeline = TimelineWriter::new(&mut file, &Metadata::of_this_process(0))?;
/// let mut snapshot = Snapshot::new(0, 1_000, Trigger::Interval);
/// snapshot.sources.push(SourceReading::new("pool", &Profile::of(&vec![0_u8; 100])));
/// timeline.write(snapshot)?;
/// timeline.finish()?;
///
/// let recording = Recording::from_text(str::from_utf8(&file)?)?;
/// assert_eq!(recording.snapshots[0].sources[0].name, "pool");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct TimelineWriter<W: Write> {
    out: W,
}

impl<W: Write> TimelineWriter<W> {
    /// Writes the first line.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn new(out: W, metadata: &Metadata) -> io::Result<Self> {
        let mut timeline = Self { out };
        serde_json::to_writer(&mut timeline.out, &FirstLine::new(metadata))?;
        timeline.out.write_all(b"\n")?;
        Ok(timeline)
    }

    /// Writes a snapshot as a line.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn write(&mut self, snapshot: Snapshot) -> io::Result<()> {
        serde_json::to_writer(&mut self.out, &Line::Snapshot(Cow::Owned(snapshot)))?;
        self.out.write_all(b"\n")
    }

    /// Flushes the underlying writer.
    ///
    /// # Errors
    /// Returns an error if writing fails.
    pub fn finish(mut self) -> io::Result<()> {
        self.out.flush()
    }
}
