//! The file that grows during the session: one line for each thing that happened.

use super::BorrowedLine;
use super::events::EventCap;
use super::lines::{Kind, Lines};
use super::live_stacks::StackCap;
use super::own_file::OwnFile;
use super::snapshots::SnapshotCap;
use super::temporary::Temporary;
use super::threads::ThreadNames;
use memprof_recording::document::{FirstLine, Line, Metadata, OperationEvent, ThreadName};
use serde::Serialize;
use std::collections::BTreeSet;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The timeline of a session.
#[derive(Debug)]
pub(super) struct Timeline {
    /// The file, opened for appending, so a write goes to its end wherever the last read was.
    file: OwnFile,
    path: PathBuf,
    /// The buffer of the current line; kept so that a snapshot allocates little.
    line: Vec<u8>,
    /// `true` if the last line is torn because the disk was full.
    is_torn: bool,
    /// `true` if the file was rewritten or reopened since `took_another_file` last returned.
    is_another_file: bool,
}

/// The capacity that the buffer keeps between two lines. Summaries are far longer, but rare.
const LINE_BYTES: usize = 64 << 10;

impl Timeline {
    pub(super) fn new(file: File, path: PathBuf) -> Self {
        let file = OwnFile::new(file);
        Self { file, path, line: Vec::new(), is_torn: false, is_another_file: false }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    pub(super) fn file(&self) -> io::Result<&File> {
        self.file.get()
    }

    /// Returns `true` if the file was rewritten or reopened since the last call.
    pub(super) fn took_another_file(&mut self) -> bool {
        core::mem::take(&mut self.is_another_file)
    }

    /// Writes the first line.
    pub(super) fn begin(&mut self, metadata: &Metadata) -> io::Result<()> {
        self.append(&FirstLine::new(metadata)).map(drop)
    }

    /// Appends a line and returns its size in bytes.
    ///
    /// One call writes the line, so that a killed program leaves complete lines. If the disk is
    /// full, the part that was written is removed, so that the next line does not continue a torn
    /// one.
    pub(super) fn append(&mut self, line: &impl Serialize) -> io::Result<u64> {
        // A panic of the serialiser may have left a part of a line.
        self.line.clear();
        let written = self.write_line(line);
        self.line.clear();
        self.line.shrink_to(LINE_BYTES);
        written
    }

    fn write_line(&mut self, line: &impl Serialize) -> io::Result<u64> {
        if self.is_torn {
            self.line.push(b'\n');
        }
        serde_json::to_writer(&mut self.line, line)?;
        self.line.push(b'\n');
        if self.file.get().is_err() {
            self.file.reopen(&self.path)?;
            self.is_another_file = true;
        }
        let mut file = self.file.get()?;
        let before = file.metadata()?.len();
        if let Err(error) = file.write_all(&self.line) {
            self.is_torn |= file.set_len(before).is_err();
            return Err(error);
        }
        self.is_torn = false;
        Ok(self.line.len() as u64)
    }

    /// Returns all lines from the first one.
    pub(super) fn lines(&self) -> io::Result<Lines<&OwnFile>> {
        Lines::of(&self.file)
    }

    /// Rewrites the file without the lines that the caps no longer keep. A temporary file replaces
    /// it.
    ///
    /// Returns the names of threads that the new file has. If the program is killed before the new
    /// file is complete, the old file stays complete.
    pub(super) fn rewrite(
        &mut self,
        metadata: &Metadata,
        snapshots: &mut SnapshotCap,
        events: &mut EventCap,
        threads: &ThreadNames,
        stacks: &StackCap,
    ) -> io::Result<Vec<ThreadName>> {
        let (new, file) = Temporary::beside(&self.path)?;
        let names = self.write_kept(&file, metadata, snapshots, events, threads, stacks)?;
        new.replace(&self.path)?;
        self.file = file;
        self.is_torn = false;
        self.is_another_file = true;
        Ok(names)
    }

    fn write_kept(
        &mut self,
        new: &OwnFile,
        metadata: &Metadata,
        snapshots: &mut SnapshotCap,
        events: &mut EventCap,
        threads: &ThreadNames,
        stacks: &StackCap,
    ) -> io::Result<Vec<ThreadName>> {
        let mut out = BufWriter::new(new);
        serde_json::to_writer(&mut out, &FirstLine::new(metadata))?;
        out.write_all(b"\n")?;
        events.begin_again();
        snapshots.begin_again();
        // Only the last summary is kept.
        let mut summary = Vec::new();
        let mut used = BTreeSet::new();
        let mut lines = self.lines()?;
        while let Some(line) = lines.next_line()? {
            match line.kind {
                Kind::Snapshot(number) if !snapshots.keeps(number) => {}
                Kind::LiveStacks(at_ns) if !stacks.keeps(at_ns) => {}
                Kind::Metadata | Kind::ThreadNames => {}
                Kind::Summary => {
                    summary.clear();
                    summary.extend_from_slice(line.text);
                }
                Kind::Events => {
                    let Ok(mut some) = serde_json::from_slice::<Vec<OperationEvent>>(line.value)
                    else {
                        continue;
                    };
                    some.retain(|event| events.keeps(event));
                    for event in &some {
                        events.note(event);
                        used.insert(event.thread);
                    }
                    if !some.is_empty() {
                        serde_json::to_writer(&mut out, &Line::OperationEvents(some))?;
                        out.write_all(b"\n")?;
                    }
                }
                Kind::Snapshot(_)
                | Kind::Paths
                | Kind::OutOfMemory
                | Kind::Stacks
                | Kind::LiveStacks(_) => out.write_all(line.text)?,
            }
        }
        let mut names = threads.of(used.iter().copied());
        for known in &names {
            used.remove(&known.thread);
        }
        if !used.is_empty() {
            names.extend(self.thread_names(used)?);
            names.sort_unstable_by_key(|name| name.thread);
        }
        if !names.is_empty() {
            serde_json::to_writer(&mut out, &BorrowedLine::ThreadNames(&names))?;
            out.write_all(b"\n")?;
        }
        snapshots.note_other(summary.len() as u64);
        out.write_all(&summary)?;
        out.flush()?;
        Ok(names)
    }
    /// Reads the names of threads that are in the file but no longer in memory.
    fn thread_names(&self, mut wanted: BTreeSet<u32>) -> io::Result<Vec<ThreadName>> {
        let mut found = Vec::new();
        let mut lines = self.lines()?;
        while let Some(line) = lines.next_line()? {
            if line.kind == Kind::ThreadNames
                && let Ok(names) = serde_json::from_slice::<Vec<ThreadName>>(line.value)
            {
                found.extend(names.into_iter().filter(|name| wanted.remove(&name.thread)));
            }
        }
        Ok(found)
    }
}
