//! The files of a session: the timeline during the run, and the document made from it.

mod document;
mod kept;
mod lines;
mod name;
mod own_file;
mod summary_stacks;
mod temporary;
mod threads;
mod timeline;

#[cfg(test)]
mod tests;

use kept::Kept;
use memprof_recording::document::{
    DroppedEvents, LiveStacks, Metadata, NotWritten, OperationEvent, OperationPath, Snapshot,
    StackTable, Summary, ThreadName,
};
use std::io;
use std::path::{Path, PathBuf};
use summary_stacks::SummaryStacks;
#[cfg(unix)]
pub(crate) use temporary::remove_unfinished;
use threads::ThreadNames;
use timeline::Timeline;

/// The limits of a session's files.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caps {
    /// The maximum size of the timeline without the events, in bytes.
    pub(crate) timeline_bytes: u64,
    /// The maximum number of individual calls of operations.
    pub(crate) events: u64,
}

/// The files of a session.
///
/// If the disk is full, read-only or gone, no method panics, and lines that were written before are
/// kept. The caller gets the error and may continue.
#[derive(Debug)]
pub(crate) struct Files {
    timeline: Timeline,
    document: PathBuf,
    caps: Caps,
    kept: Kept,
    /// The number of calls in the timeline.
    events: u64,
    /// The number of calls that were left out, because the timeline has its maximum.
    dropped_events: u64,
    threads: ThreadNames,
    /// The bytes of the stacks in the timeline.
    stack_bytes: u64,
    summary_stacks: SummaryStacks,
    /// The bytes of all summaries that were appended.
    summary_bytes: u64,
    metadata: Metadata,
    not_written: NotWritten,
    /// The number of lines that were skipped since the timeline could not be thinned out; `None`
    /// unless that failed.
    skipped: Option<u32>,
}

/// The number of lines that are lost before the next attempt to thin out a full timeline.
const PATIENCE: u32 = 64;

impl Files {
    /// Creates the timeline of a session under a name that is free.
    ///
    /// The name contains the start of the session.
    pub(crate) fn create(folder: &Path, metadata: &Metadata, caps: Caps) -> io::Result<Self> {
        let claimed = name::claim(folder, metadata.started_unix_ns / 1_000_000_000, metadata.pid)?;
        let mut timeline = Timeline::new(claimed.file, claimed.timeline);
        if let Err(error) = timeline.begin(metadata) {
            // Remove the file, so that the next attempt can take the same name.
            let _ = std::fs::remove_file(timeline.path());
            return Err(error);
        }
        Ok(Self {
            timeline,
            document: claimed.document,
            caps,
            kept: Kept::new(caps.timeline_bytes),
            events: 0,
            dropped_events: 0,
            threads: ThreadNames::default(),
            stack_bytes: 0,
            summary_stacks: SummaryStacks::default(),
            summary_bytes: 0,
            metadata: metadata.clone(),
            not_written: NotWritten::default(),
            skipped: None,
        })
    }

    /// Returns the path of the document, which may not exist yet.
    pub(crate) fn document_path(&self) -> &Path {
        &self.document
    }

    /// Returns the path of the timeline.
    pub(crate) fn timeline_path(&self) -> &Path {
        self.timeline.path()
    }

    /// Returns the timeline's file, for callers that must not allocate.
    ///
    /// # Errors
    /// Returns an error if the program has closed the file.
    pub(crate) fn timeline_file(&self) -> io::Result<&std::fs::File> {
        self.timeline.file()
    }

    /// Returns `true` if the timeline was rewritten or reopened since the last call.
    pub(crate) fn took_another_timeline(&mut self) -> bool {
        self.timeline.took_another_file()
    }

    /// Adds a snapshot, or counts it as lost.
    pub(crate) fn add_snapshot(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        let line = BorrowedLine::Snapshot(snapshot);
        let appended = self.check_space().and_then(|()| self.timeline.append(&line));
        match appended {
            Ok(bytes) => self.kept.add_snapshot(snapshot, bytes),
            Err(error) => {
                self.not_written.snapshots += 1;
                return Err(error);
            }
        }
        self.enforce_limits()
    }

    /// Adds paths; if they cannot be written, the caller may try again.
    pub(crate) fn add_paths(&mut self, paths: &[OperationPath]) -> io::Result<()> {
        self.timeline.append(&BorrowedLine::OperationPaths(paths)).map(drop)
    }

    /// Adds names of threads. A name is written before the first kept call of its thread.
    pub(crate) fn add_thread_names(&mut self, names: Vec<ThreadName>) {
        self.threads.add(names);
    }

    /// Adds calls until the timeline has its maximum number of calls, and counts the others.
    pub(crate) fn add_events(&mut self, mut events: Vec<OperationEvent>) -> io::Result<()> {
        let room = self.caps.events.saturating_sub(self.events);
        let all = events.len();
        events.truncate(usize::try_from(room).unwrap_or(usize::MAX));
        self.dropped_events += (all - events.len()) as u64;
        let mut left = events.as_slice();
        let appended = self.check_space().and_then(|()| {
            let names = self.threads.missing(left);
            if !names.is_empty() {
                self.timeline.append(&BorrowedLine::ThreadNames(&names))?;
                self.threads.written(&names);
            }
            while !left.is_empty() {
                let (some, rest) = left.split_at(left.len().min(EVENTS_A_LINE));
                self.timeline.append(&BorrowedLine::OperationEvents(some))?;
                self.events += some.len() as u64;
                left = rest;
            }
            Ok(())
        });
        self.not_written.events += left.len() as u64;
        appended
    }

    /// Returns `true` if the timeline has space for more stacks.
    pub(crate) fn has_space_for_stacks(&self) -> bool {
        self.stack_bytes < self.caps.timeline_bytes / 4
    }

    /// Adds stacks; if they cannot be written, the caller may try again.
    pub(crate) fn add_stacks(&mut self, stacks: &StackTable) -> io::Result<()> {
        self.check_space()?;
        let bytes = self.timeline.append(&BorrowedLine::Stacks(stacks))?;
        self.stack_bytes += bytes;
        Ok(())
    }

    /// Adds the live bytes by stack of a moment.
    pub(crate) fn add_live_stacks(&mut self, moment: &LiveStacks) -> io::Result<()> {
        self.check_space()?;
        let bytes = self.timeline.append(&BorrowedLine::LiveStacks(moment))?;
        self.kept.add_moment(moment, bytes);
        self.enforce_limits()
    }

    pub(crate) fn add_summary(&mut self, summary: &Summary) -> io::Result<()> {
        self.check_space()?;
        let stacks = self.summary_stacks.lacking(summary);
        if self.has_space_for_stacks() && stacks != StackTable::default() {
            self.add_stacks(&stacks)?;
            self.summary_stacks.written(&stacks);
        }
        let summary = self.summary_stacks.compact(summary);
        let bytes = self.timeline.append(&BorrowedLine::Summary(&summary))?;
        self.summary_bytes += bytes;
        self.kept.add_summary(bytes);
        self.enforce_limits()
    }

    /// Adds a summary of this moment, unless summaries already take more than their share of the
    /// file.
    ///
    /// A reader uses only the last summary, and a summary of many operations is large.
    pub(crate) fn add_passing_summary(&mut self, summary: &Summary, at_ns: u64) -> io::Result<()> {
        const AT_FIRST: u64 = 16 << 10;
        const BYTES_PER_SECOND: u64 = 800;
        let allowed = (at_ns / 1_000_000_000).saturating_mul(BYTES_PER_SECOND) + AT_FIRST;
        if self.summary_bytes > allowed { Ok(()) } else { self.add_summary(summary) }
    }

    /// Returns the counts of what could not be written.
    pub(crate) fn not_written(&self) -> NotWritten {
        self.not_written
    }

    /// Returns the counts of events that the cap left out.
    pub(crate) fn dropped_events(&self) -> DroppedEvents {
        DroppedEvents { not_recorded: 0, over_cap: self.dropped_events }
    }

    /// Adds the current metadata and the summary to the timeline.
    pub(crate) fn add_last_lines(
        &mut self,
        metadata: &Metadata,
        summary: &Summary,
    ) -> io::Result<()> {
        self.metadata = metadata.clone();
        let appended = self.timeline.append(&BorrowedLine::Metadata(metadata));
        let appended = appended.and_then(|_| self.add_summary(summary));
        appended.or_else(|error| if self.skipped.is_some() { Ok(()) } else { Err(error) })
    }

    /// Writes the document of everything so far; it replaces an earlier one.
    pub(crate) fn write_document(&self, metadata: &Metadata, summary: &Summary) -> io::Result<()> {
        let summary = self.summary_stacks.compact(summary);
        document::write(&self.timeline, &self.document, metadata, &summary)
    }

    /// Removes the timeline, because the document has all of its content.
    ///
    /// The timeline stays if the names in the folder cannot be written to the disk.
    pub(crate) fn remove_timeline(&self) -> io::Result<()> {
        temporary::sync_folder_of(&self.document)?;
        self.timeline.remove()
    }

    /// Returns the number of times that the interval has doubled, because the timeline was full.
    pub(crate) fn doublings(&self) -> u32 {
        self.kept.doublings()
    }

    /// Returns an error while the timeline is full. From time to time, this method tries again to
    /// thin out the timeline.
    fn check_space(&mut self) -> io::Result<()> {
        let Some(skipped) = &mut self.skipped else { return Ok(()) };
        *skipped += 1;
        if *skipped < PATIENCE {
            return Err(io::Error::other("the timeline is full, and dropping snapshots failed"));
        }
        self.thin()
    }

    /// Thins out the timeline if it has become too large.
    fn enforce_limits(&mut self) -> io::Result<()> {
        if self.kept.is_full() { self.thin() } else { Ok(()) }
    }

    /// Removes snapshots and moments from the timeline. If that fails, the timeline stays as it is
    /// and does not grow until a later attempt succeeds.
    fn thin(&mut self) -> io::Result<()> {
        self.skipped = Some(0);
        let mut kept = self.kept.thinned();
        let summary_bytes = self.timeline.rewrite(&self.metadata, &kept)?;
        kept.add_summary(summary_bytes);
        self.kept = kept;
        self.skipped = None;
        Ok(())
    }
}

/// The number of events in a line. A torn line then loses little, and writing takes little memory.
const EVENTS_A_LINE: usize = 512;

/// A line like [`Line`](memprof_recording::document::Line), with borrowed content.
#[derive(serde::Serialize)]
#[serde(rename_all = "snake_case")]
enum BorrowedLine<'l> {
    Metadata(&'l Metadata),
    Snapshot(&'l Snapshot),
    OperationPaths(&'l [OperationPath]),
    OperationEvents(&'l [OperationEvent]),
    ThreadNames(&'l [ThreadName]),
    Stacks(&'l StackTable),
    LiveStacks(&'l LiveStacks),
    Summary(&'l Summary),
}
