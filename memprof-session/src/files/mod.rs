//! The files of a session: the timeline during the run, and the document made from it.

mod document;
mod events;
mod lines;
mod live_stacks;
mod name;
mod own_file;
mod snapshots;
mod temporary;
mod threads;
mod timeline;

#[cfg(test)]
mod tests;

use events::EventCap;
use live_stacks::StackCap;
use memprof_recording::document::{
    DroppedEvents, LiveStacks, Metadata, NotWritten, OperationEvent, OperationPath, Snapshot,
    StackTable, Summary, ThreadName,
};
use snapshots::SnapshotCap;
use std::io;
use std::path::{Path, PathBuf};
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
    snapshots: SnapshotCap,
    events: EventCap,
    threads: ThreadNames,
    stacks: StackCap,
    metadata: Metadata,
    not_written: NotWritten,
    /// The bytes of all summaries that were appended.
    summary_bytes: u64,
    /// Set while the timeline has reached its maximum and could not be thinned out.
    full: Option<Full>,
}

/// The state while a full timeline cannot be thinned out: the lines skipped since the last attempt.
#[derive(Debug)]
struct Full {
    skipped: u32,
    /// The number of lines that are lost before the next attempt.
    patience: u32,
}

/// The maximum number of lines that are lost before the next attempt to thin out a full timeline.
const MAX_PATIENCE: u32 = 64;

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
            snapshots: SnapshotCap::new(caps.timeline_bytes),
            events: EventCap::new(caps.events),
            threads: ThreadNames::default(),
            stacks: StackCap::new(caps.timeline_bytes),
            metadata: metadata.clone(),
            not_written: NotWritten::default(),
            summary_bytes: 0,
            full: None,
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
            Ok(bytes) => self.snapshots.note(snapshot, bytes),
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

    /// Adds the events that are to be kept, or counts them as lost.
    pub(crate) fn add_events(&mut self, mut events: Vec<OperationEvent>) -> io::Result<()> {
        events.retain(|event| self.events.admits(event));
        if events.is_empty() {
            return Ok(());
        }
        let mut left = events.as_slice();
        let appended = self.check_space().and_then(|()| {
            let names = self.threads.missing(&events);
            if !names.is_empty() {
                self.timeline.append(&BorrowedLine::ThreadNames(&names))?;
                self.threads.written(&names);
            }
            while !left.is_empty() {
                let (some, rest) = left.split_at(left.len().min(EVENTS_A_LINE));
                self.timeline.append(&BorrowedLine::OperationEvents(some))?;
                for event in some {
                    self.events.note(event);
                }
                left = rest;
            }
            Ok(())
        });
        self.not_written.events += left.len() as u64;
        appended?;
        self.enforce_limits()
    }

    /// Returns `true` if the timeline has space for more stacks.
    pub(crate) fn has_space_for_stacks(&self) -> bool {
        self.stacks.has_space()
    }

    /// Adds stacks; if they cannot be written, the caller may try again.
    pub(crate) fn add_stacks(&mut self, stacks: &StackTable) -> io::Result<()> {
        self.check_space()?;
        let bytes = self.timeline.append(&BorrowedLine::Stacks(stacks))?;
        self.stacks.note_stacks(bytes);
        Ok(())
    }

    /// Adds the live bytes by stack of a moment.
    pub(crate) fn add_live_stacks(&mut self, moment: &LiveStacks) -> io::Result<()> {
        self.check_space()?;
        let bytes = self.timeline.append(&BorrowedLine::LiveStacks(moment))?;
        self.stacks.note(moment, bytes);
        self.enforce_limits()
    }

    pub(crate) fn add_summary(&mut self, summary: &Summary) -> io::Result<()> {
        self.check_space()?;
        let bytes = self.timeline.append(&BorrowedLine::Summary(summary))?;
        self.summary_bytes += bytes;
        self.snapshots.note_other(bytes);
        self.enforce_limits()
    }

    /// Adds a summary of this moment, unless summaries already take more than their share of the
    /// file.
    ///
    /// A summary whose stacks have many long names takes half a megabyte, and a reader uses only
    /// the last summary.
    pub(crate) fn add_passing_summary(&mut self, summary: &Summary, at_ns: u64) -> io::Result<()> {
        const BYTES_PER_SECOND: u64 = 50_000;
        let allowed = (at_ns / 1_000_000_000).saturating_mul(BYTES_PER_SECOND);
        if self.summary_bytes > allowed { Ok(()) } else { self.add_summary(summary) }
    }

    /// Returns the counts of what could not be written.
    pub(crate) fn not_written(&self) -> NotWritten {
        self.not_written
    }

    /// Returns the counts of events that the cap left out.
    pub(crate) fn dropped_events(&self) -> DroppedEvents {
        self.events.dropped()
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
        appended.or_else(|error| if self.full.is_some() { Ok(()) } else { Err(error) })
    }

    /// Writes the document of everything so far; it replaces an earlier one.
    pub(crate) fn write_document(&self, metadata: &Metadata, summary: &Summary) -> io::Result<()> {
        document::write(&self.timeline, &self.document, metadata, summary)
    }

    /// Returns an error while the timeline is full. From time to time, this method tries again to
    /// thin out the timeline.
    fn check_space(&mut self) -> io::Result<()> {
        let Some(full) = &mut self.full else { return Ok(()) };
        full.skipped += 1;
        if full.skipped < full.patience {
            return Err(io::Error::other("the timeline is full, and dropping snapshots failed"));
        }
        self.rewrite()
    }

    /// Thins out the timeline if it has become too large.
    fn enforce_limits(&mut self) -> io::Result<()> {
        if !self.snapshots.is_full() && !self.events.is_full() && !self.stacks.is_full() {
            return Ok(());
        }
        if self.stacks.is_full() {
            self.stacks.thin();
        }
        if self.snapshots.is_full() {
            self.snapshots.thin();
        }
        if self.events.is_full() {
            self.events.raise();
        }
        self.rewrite()
    }

    /// Rewrites the timeline. If that fails, the timeline stays as it is and does not grow until a
    /// later attempt succeeds.
    fn rewrite(&mut self) -> io::Result<()> {
        let before = (self.snapshots.clone(), self.events.clone(), self.stacks.clone());
        let rewritten = self.timeline.rewrite(
            &self.metadata,
            &mut self.snapshots,
            &mut self.events,
            &self.threads,
            &self.stacks,
        );
        if let Ok(names) = &rewritten {
            self.threads.rewritten(names);
            self.events.settle();
            self.full = None;
        } else {
            (self.snapshots, self.events, self.stacks) = before;
            let patience = self.full.take().map_or(1, |full| full.patience * 2);
            self.full = Some(Full { skipped: 0, patience: patience.min(MAX_PATIENCE) });
        }
        rewritten.map(drop)
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
