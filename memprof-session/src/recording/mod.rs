//! What a session wrote, read back: a report, or the timeline of one that is going on or was killed.

mod error;
mod read;
mod report;
mod timeline;

#[cfg(test)]
mod tests;

pub use error::RecordingError;

use crate::document::{Metadata, OperationEvent, OperationPath, OutOfMemory, Snapshot, Summary};

/// What a session wrote: a report (`.json`) or a timeline (`.jsonl`), read back.
///
/// A timeline that ends in the middle of a line, as its program was killed, is read up to there.
///
/// ```no_run
/// let recording = memprof_session::Recording::read_file("memory_profile_20261121_083000.json")?;
/// for snapshot in &recording.snapshots {
///     println!("{} ns: {} roots", snapshot.at_ns, snapshot.roots.len());
/// }
/// # Ok::<(), memprof_session::RecordingError>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Recording {
    /// Which run of which program it is.
    pub metadata: Metadata,
    /// What the process held, in the order of time.
    pub snapshots: Vec<Snapshot>,
    /// The paths of operations that events name.
    pub operation_paths: Vec<OperationPath>,
    /// Single calls of operations, in the order in which they were seen to have ended.
    pub operation_events: Vec<OperationEvent>,
    /// Moments at which there was no memory.
    pub out_of_memory: Vec<OutOfMemory>,
    /// What was known at the end; empty where [nobody knew](Self::why_summary_is_unknown).
    pub summary: Summary,
    /// Lines of a timeline that could not be read: the last one of a program that was killed, or
    /// one that the disk had no room for.
    pub unreadable_lines: u64,
    /// Whether a summary was written at all.
    pub(crate) has_summary: bool,
}

impl Recording {
    /// Why nothing of what the summary tells is known, as of a program that was killed early; `None`
    /// where it is.
    pub fn why_summary_is_unknown(&self) -> Option<&'static str> {
        (!self.has_summary).then_some("the file ends before the first summary was written")
    }

    /// The snapshot that a person means: its number, the name of a checkpoint (the last of that
    /// name), or `start`, `end` and [`peak`](Self::peak).
    ///
    /// ```no_run
    /// # let recording = memprof_session::Recording::read_file("session.json")?;
    /// let loaded = recording.snapshot("after_load");
    /// # Ok::<(), memprof_session::RecordingError>(())
    /// ```
    pub fn snapshot(&self, word: &str) -> Option<&Snapshot> {
        let named = |snapshot: &&Snapshot| snapshot.name.as_deref() == Some(word);
        let numbered = |number: u64| self.snapshots.iter().find(|one| one.number == number);
        self.snapshots.iter().rfind(named).or_else(|| match word {
            "start" => self.snapshots.first(),
            "end" => self.snapshots.last(),
            "peak" => self.peak(),
            number => numbered(number.parse().ok()?),
        })
    }

    /// The snapshot of the most live bytes, or else of the most resident; `None` where neither is
    /// known of any.
    pub fn peak(&self) -> Option<&Snapshot> {
        let amount = |snapshot: &&Snapshot| {
            (snapshot.heap.map(|heap| heap.live_bytes), snapshot.process.rss_bytes)
        };
        self.snapshots.iter().filter(|one| amount(one) != (None, None)).max_by_key(amount)
    }
}
