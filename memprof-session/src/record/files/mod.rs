//! What a session writes: the timeline as it goes, and the report made from it.

mod events;
mod lines;
mod name;
mod own_file;
mod report;
mod snapshots;
mod timeline;

#[cfg(test)]
mod tests;

use crate::document::{
    DroppedEvents, Line, Metadata, OperationEvent, OperationPath, Snapshot, Summary,
};
use events::EventCap;
use snapshots::SnapshotCap;
use std::io;
use std::path::{Path, PathBuf};
use timeline::Timeline;

/// How much a session may write.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Caps {
    /// Bytes of the timeline, but for the events.
    pub(crate) timeline_bytes: u64,
    /// Single calls of operations.
    pub(crate) events: u64,
}

/// The files of a session. Nothing here panics or loses what was written before when the disk is
/// full, read-only or gone: the caller gets the error, and may go on.
#[derive(Debug)]
pub(crate) struct Files {
    timeline: Timeline,
    report: PathBuf,
    snapshots: SnapshotCap,
    events: EventCap,
    metadata: Metadata,
}

impl Files {
    /// Makes the timeline of a session that began so many seconds after 1970, under a name that
    /// nobody has taken.
    pub(crate) fn create(folder: &Path, metadata: &Metadata, caps: Caps) -> io::Result<Self> {
        let claimed = name::claim(folder, metadata.started_unix_ns / 1_000_000_000, metadata.pid)?;
        let mut timeline = Timeline::new(claimed.file, claimed.timeline);
        timeline.begin(metadata)?;
        Ok(Self {
            timeline,
            report: claimed.report,
            snapshots: SnapshotCap::new(caps.timeline_bytes),
            events: EventCap::new(caps.events),
            metadata: metadata.clone(),
        })
    }

    /// Where the report is, or will be.
    pub(crate) fn report_path(&self) -> &Path {
        &self.report
    }

    /// Where the timeline is.
    pub(crate) fn timeline_path(&self) -> &Path {
        self.timeline.path()
    }

    /// The timeline's file, for somebody who may not allocate.
    ///
    /// # Errors
    /// If the program has closed it.
    pub(crate) fn timeline_file(&self) -> io::Result<&std::fs::File> {
        self.timeline.file()
    }

    /// Whether the timeline was written anew since the last time, and is another file.
    pub(crate) fn took_another_timeline(&mut self) -> bool {
        self.timeline.took_another_file()
    }

    pub(crate) fn add_snapshot(&mut self, snapshot: &Snapshot) -> io::Result<()> {
        let bytes = self.timeline.append(&SnapshotLine::Snapshot(snapshot))?;
        self.snapshots.note(snapshot, bytes);
        self.make_room()
    }

    pub(crate) fn add_paths(&mut self, paths: Vec<OperationPath>) -> io::Result<()> {
        self.timeline.append(&Line::OperationPaths(paths)).map(drop)
    }

    /// Adds those of the events that are to be kept.
    pub(crate) fn add_events(&mut self, mut events: Vec<OperationEvent>) -> io::Result<()> {
        events.retain(|event| self.events.admits(event));
        for some in events.chunks(EVENTS_A_LINE) {
            self.timeline.append(&Line::OperationEvents(some.to_vec()))?;
            for event in some {
                self.events.note(event);
            }
        }
        self.make_room()
    }

    pub(crate) fn add_summary(&mut self, summary: &Summary) -> io::Result<()> {
        let bytes = self.timeline.append(&SummaryLine::Summary(summary))?;
        self.snapshots.note_other(bytes);
        self.make_room()
    }

    /// What the cap on events has left out.
    pub(crate) fn dropped_events(&self) -> DroppedEvents {
        self.events.dropped()
    }

    /// Writes the report of everything so far, in the place of an earlier one.
    pub(crate) fn write_report(
        &mut self,
        metadata: &Metadata,
        summary: &Summary,
    ) -> io::Result<()> {
        self.metadata = metadata.clone();
        self.timeline.append(&MetadataLine::Metadata(metadata))?;
        self.add_summary(summary)?;
        report::write(&self.timeline, &self.report, metadata, summary)
    }

    /// Thins out the timeline if it has become too large.
    fn make_room(&mut self) -> io::Result<()> {
        let is_full = self.snapshots.is_full() || self.events.is_full();
        if self.timeline.is_stopped() || !is_full {
            return Ok(());
        }
        if self.snapshots.is_full() {
            self.snapshots.thin();
        }
        if self.events.is_full() {
            self.events.raise();
        }
        let rewritten =
            self.timeline.rewrite(&self.metadata, &mut self.snapshots, &mut self.events);
        self.events.settle();
        rewritten
    }
}

/// So many that a line torn off loses little, and takes little memory to write.
const EVENTS_A_LINE: usize = 512;

/// As [`Line`], of what is only borrowed.
#[derive(serde::Serialize)]
#[serde(rename_all = "snake_case")]
enum SnapshotLine<'s> {
    Snapshot(&'s Snapshot),
}

#[derive(serde::Serialize)]
#[serde(rename_all = "snake_case")]
enum SummaryLine<'s> {
    Summary(&'s Summary),
}

#[derive(serde::Serialize)]
#[serde(rename_all = "snake_case")]
enum MetadataLine<'s> {
    Metadata(&'s Metadata),
}
