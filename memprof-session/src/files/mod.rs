//! The files of a session: the timeline during the run, and the document made from it.

mod kept;
mod own_file;
mod timeline;

use kept::{Kept, SummaryStacks};
use memprof_profile::text::rfc3339;
use memprof_recording::document::{
    DroppedEvents, Line, LiveStacks, Metadata, NotWritten, OperationEvent, OperationPath, Snapshot,
    StackTable, Summary, ThreadName,
};
#[cfg(unix)]
pub(crate) use own_file::{Identity, fstat, remove_unfinished, stat};
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fs::{File, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
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
        let claimed = claim(folder, metadata.started_unix_ns / 1_000_000_000, metadata.pid)?;
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

    /// Adds a line for each allocation that is refused from now on.
    #[cfg(unix)]
    pub(crate) fn add_refusals(&mut self) {
        self.timeline.add_refusals();
    }

    /// Adds a snapshot, or counts it as lost.
    pub(crate) fn add_snapshot(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        let line = Line::Snapshot(Cow::Borrowed(snapshot));
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
        self.timeline.append(&Line::OperationPaths(Cow::Borrowed(paths))).map(drop)
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
                self.timeline.append(&Line::ThreadNames(Cow::Borrowed(&names)))?;
                self.threads.written(&names);
            }
            while !left.is_empty() {
                let (some, rest) = left.split_at(left.len().min(EVENTS_A_LINE));
                self.timeline.append(&Line::OperationEvents(Cow::Borrowed(some)))?;
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
        let bytes = self.timeline.append(&Line::Stacks(Cow::Borrowed(stacks)))?;
        self.stack_bytes += bytes;
        Ok(())
    }

    /// Adds the live bytes by stack of a moment.
    pub(crate) fn add_live_stacks(&mut self, moment: &LiveStacks) -> io::Result<()> {
        self.check_space()?;
        let bytes = self.timeline.append(&Line::LiveStacks(Cow::Borrowed(moment)))?;
        self.kept.add_moment(moment, bytes);
        self.enforce_limits()
    }

    /// Adds the summary with which the session ends for now.
    pub(crate) fn add_summary(&mut self, summary: &Summary) -> io::Result<()> {
        self.check_space()?;
        let stacks = self.summary_stacks.lacking(summary);
        if self.has_space_for_stacks() && stacks != StackTable::default() {
            self.add_stacks(&stacks)?;
            self.summary_stacks.written(&stacks);
        }
        let summary = self.summary_stacks.compact(summary);
        let bytes = self.timeline.append(&Line::Summary(Cow::Owned(summary)))?;
        self.summary_bytes += bytes;
        self.kept.add_summary(bytes);
        self.enforce_limits()
    }

    /// Adds a summary of this moment, unless summaries already take more than their share of the
    /// file.
    ///
    /// A reader uses only the last summary, and a summary of many operations is large. The largest
    /// blocks are left out: they took 60 % of a summary, and only a program that is killed lacks
    /// them.
    pub(crate) fn add_passing_summary(&mut self, summary: &Summary, at_ns: u64) -> io::Result<()> {
        const AT_FIRST: u64 = 16 << 10;
        const BYTES_PER_SECOND: u64 = 800;
        let allowed = (at_ns / 1_000_000_000).saturating_mul(BYTES_PER_SECOND) + AT_FIRST;
        if self.summary_bytes > allowed {
            return Ok(());
        }
        self.add_summary(&Summary { largest_blocks: Vec::new(), ..summary.clone() })
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
        let appended = self.timeline.append(&Line::Metadata(Cow::Borrowed(metadata)));
        let appended = appended.and_then(|_| self.add_summary(summary));
        appended.or_else(|error| if self.skipped.is_some() { Ok(()) } else { Err(error) })
    }

    /// Writes the document of everything so far; it replaces an earlier one.
    pub(crate) fn write_document(&self, metadata: &Metadata, summary: &Summary) -> io::Result<()> {
        let summary = self.summary_stacks.compact(summary);
        self.timeline.write_document(&self.document, metadata, &summary)
    }

    /// Removes the timeline, because the document has all of its content.
    ///
    /// The timeline stays if the names in the folder cannot be written to the disk.
    pub(crate) fn remove_timeline(&mut self) -> io::Result<()> {
        own_file::sync_folder_of(&self.document)?;
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

/// The names of threads that are not in the file, by the numbers of the threads.
#[derive(Debug, Default)]
struct ThreadNames(BTreeMap<u32, String>);

/// The maximum number of names. Beyond this number, the names of the oldest threads are dropped,
/// except the name of the first thread, which is usually `main`.
const MAX_THREADS: usize = 16_384;

impl ThreadNames {
    fn add(&mut self, threads: Vec<ThreadName>) {
        self.0.extend(threads.into_iter().map(|ThreadName { thread, name }| (thread, name)));
        while self.0.len() > MAX_THREADS
            && let Some(oldest) = self.0.keys().nth(1).copied()
        {
            self.0.remove(&oldest);
        }
    }

    /// Returns the names of the threads on which these calls ended, without the names that are
    /// already in the file.
    fn missing(&self, calls: &[OperationEvent]) -> Vec<ThreadName> {
        let threads: BTreeSet<u32> = calls.iter().map(|call| call.thread).collect();
        let name = |thread| Some(ThreadName { thread, name: self.0.get(&thread)?.clone() });
        threads.into_iter().filter_map(name).collect()
    }

    /// Notes that the file has these names.
    fn written(&mut self, threads: &[ThreadName]) {
        for ThreadName { thread, .. } in threads {
            self.0.remove(thread);
        }
    }
}

/// A name that this session has claimed by creating the timeline under it.
struct Claimed {
    file: File,
    timeline: PathBuf,
    document: PathBuf,
}

/// The number of names to try. A process that starts more sessions in one second has a bug.
const NAMES: u32 = 1000;

/// Claims `memory_profile_20261121_083000`.
///
/// If the name is taken, the process id is appended, and then a number.
fn claim(folder: &Path, started_unix: u64, pid: u32) -> io::Result<Claimed> {
    let stem = format!("memory_profile_{}", stamp(started_unix));
    let with_pid = format!("{stem}_{pid}");
    let numbered = (2..NAMES).map(|number| format!("{with_pid}_{number}"));
    for stem in [stem, with_pid.clone()].into_iter().chain(numbered) {
        let (timeline, document) =
            (folder.join(format!("{stem}.jsonl")), folder.join(format!("{stem}.json")));
        // A document without its timeline still owns its name: the user may have removed the
        // timeline.
        if document.symlink_metadata().is_ok() {
            continue;
        }
        // Creating the file claims the name: `create_new` succeeds in one process only.
        let made = OpenOptions::new().read(true).append(true).create_new(true).open(&timeline);
        match made {
            Ok(file) => return Ok(Claimed { file, timeline, document }),
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            Err(error) => return Err(error),
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

/// Returns `20261121_083000`, in UTC.
fn stamp(unix: u64) -> String {
    let mut stamp: String = rfc3339(unix).chars().filter(char::is_ascii_digit).collect();
    stamp.insert(8.min(stamp.len()), '_');
    stamp
}

#[cfg(test)]
mod tests;
