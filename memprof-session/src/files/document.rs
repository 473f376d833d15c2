//! The document: all of the timeline as one JSON value, written to a temporary file and renamed.

use super::lines::Kind;
use super::temporary::Temporary;
use super::timeline::Timeline;
use memprof_recording::document::{DOCUMENT, Metadata, OperationEvent, Summary, VERSION};
use std::io::{self, BufWriter, Write};
use std::path::Path;

/// Writes the document of a timeline completely, or not at all.
///
/// # Cost
/// Reads the timeline four times without parsing its lines, and holds one line in memory.
pub(super) fn write(
    timeline: &Timeline,
    path: &Path,
    metadata: &Metadata,
    summary: &Summary,
) -> io::Result<()> {
    let (unfinished, file) = Temporary::beside(path)?;
    let mut out = BufWriter::new(&file);
    write_parts(timeline, metadata, summary, &mut out)?;
    out.flush()?;
    unfinished.replace(&file, path)
}

fn write_parts(
    timeline: &Timeline,
    metadata: &Metadata,
    summary: &Summary,
    out: &mut impl Write,
) -> io::Result<()> {
    write!(out, "{{\"format\": \"{DOCUMENT}\", \"version\": {VERSION},\n\"metadata\": ")?;
    serde_json::to_writer(&mut *out, metadata)?;
    out.write_all(b",\n\"snapshots\": [")?;
    let lists = copy_snapshots(timeline, out)?;
    out.write_all(b"\n],\n\"operation_paths\": [")?;
    out.write_all(&lists.paths.0)?;
    out.write_all(b"],\n\"thread_names\": [")?;
    out.write_all(&lists.thread_names.0)?;
    out.write_all(b"],\n\"operation_events\": {\"columns\": ")?;
    serde_json::to_writer(&mut *out, OperationEvent::COLUMNS)?;
    out.write_all(b", \"rows\": [")?;
    copy_events(timeline, out)?;
    out.write_all(b"\n]},\n\"out_of_memory\": [")?;
    out.write_all(&lists.moments.0)?;
    out.write_all(b"],\n\"stacks\": [")?;
    copy(timeline, |kind| kind == Kind::Stacks, out)?;
    out.write_all(b"],\n\"live_stacks\": [")?;
    copy(timeline, |kind| matches!(kind, Kind::LiveStacks(_)), out)?;
    out.write_all(b"],\n\"summary\": ")?;
    serde_json::to_writer(&mut *out, summary)?;
    out.write_all(b"}\n")
}

/// The lists that are written after the snapshots.
#[derive(Default)]
struct Lists {
    paths: List,
    thread_names: List,
    moments: List,
}

/// Copies the snapshots, and returns what is written after them.
fn copy_snapshots(timeline: &Timeline, out: &mut impl Write) -> io::Result<Lists> {
    let mut lists = Lists::default();
    let mut snapshots = Separator::default();
    let mut lines = timeline.lines()?;
    while let Some(line) = lines.next_line()? {
        match line.kind {
            Kind::Snapshot(_) => {
                snapshots.write(out)?;
                out.write_all(line.value)?;
            }
            Kind::Paths => lists.paths.add_all(line.value),
            Kind::ThreadNames => lists.thread_names.add_all(line.value),
            Kind::OutOfMemory => lists.moments.add(line.value),
            Kind::Metadata | Kind::Events | Kind::Stacks | Kind::LiveStacks(_) | Kind::Summary => {}
        }
    }
    Ok(lists)
}

/// Copies the rows of the events.
fn copy_events(timeline: &Timeline, out: &mut impl Write) -> io::Result<()> {
    let mut rows = Separator::default();
    let mut lines = timeline.lines()?;
    while let Some(line) = lines.next_line()? {
        if line.kind == Kind::Events && line.value.len() > 2 {
            rows.write(out)?;
            out.write_all(&line.value[1..line.value.len() - 1])?;
        }
    }
    Ok(())
}

/// Copies the content of the lines whose kind `is_copied` accepts.
fn copy(timeline: &Timeline, is_copied: fn(Kind) -> bool, out: &mut impl Write) -> io::Result<()> {
    let mut entries = Separator::default();
    let mut lines = timeline.lines()?;
    while let Some(line) = lines.next_line()? {
        if is_copied(line.kind) {
            entries.write(out)?;
            out.write_all(line.value)?;
        }
    }
    Ok(())
}

/// The separator before an entry: a newline, and a comma before all but the first.
#[derive(Default)]
struct Separator {
    begun: bool,
}

impl Separator {
    fn write(&mut self, out: &mut impl Write) -> io::Result<()> {
        let separator: &[u8] = if self.begun { b",\n" } else { b"\n" };
        self.begun = true;
        out.write_all(separator)
    }
}

/// A short list that is written later.
#[derive(Default)]
struct List(Vec<u8>);

impl List {
    fn add(&mut self, value: &[u8]) {
        if !self.0.is_empty() {
            self.0.extend_from_slice(b",\n");
        }
        self.0.extend_from_slice(value);
    }

    /// Adds the entries of an array.
    fn add_all(&mut self, array: &[u8]) {
        if array.len() > 2 {
            self.add(&array[1..array.len() - 1]);
        }
    }
}
