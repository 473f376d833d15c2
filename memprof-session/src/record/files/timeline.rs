//! The file that grows as the session goes: a line for each thing that happened.

use super::events::EventCap;
use super::lines::{Kind, Lines};
use super::own_file::OwnFile;
use super::snapshots::SnapshotCap;
use super::temporary::Temporary;
use crate::document::{FirstLine, Line, Metadata, OperationEvent};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The timeline of a session.
#[derive(Debug)]
pub(super) struct Timeline {
    /// Each write goes to its end, wherever it was read last.
    file: OwnFile,
    path: PathBuf,
    /// The line at hand; kept, so that a tick allocates little.
    line: Vec<u8>,
    /// Whether the last line is torn, as the disk had no room for all of it.
    is_torn: bool,
    /// It was written anew, and nobody has asked since.
    is_another_file: bool,
}

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

    /// Whether it was written anew since the last time.
    pub(super) fn took_another_file(&mut self) -> bool {
        core::mem::take(&mut self.is_another_file)
    }

    /// Writes the first line.
    pub(super) fn begin(&mut self, metadata: &Metadata) -> io::Result<()> {
        self.append(&FirstLine::new(metadata)).map(drop)
    }

    /// Appends a line, and says how many bytes it took.
    ///
    /// In one write, so that a program that is killed leaves whole lines. What the disk had no room
    /// for is taken back, so that the next line begins on its own.
    pub(super) fn append(&mut self, line: &impl Serialize) -> io::Result<u64> {
        self.line.clear();
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

    /// All lines, from the first on.
    pub(super) fn lines(&self) -> io::Result<Lines<&OwnFile>> {
        Lines::of(&self.file)
    }

    /// Writes the file anew without what the caps no longer keep: beside it, then in its place.
    ///
    /// A program that is killed meanwhile leaves the old file whole.
    pub(super) fn rewrite(
        &mut self,
        metadata: &Metadata,
        snapshots: &mut SnapshotCap,
        events: &mut EventCap,
    ) -> io::Result<()> {
        let (new, file) = Temporary::beside(&self.path)?;
        self.write_kept(&file, metadata, snapshots, events)?;
        new.replace(&self.path)?;
        self.file = file;
        self.is_torn = false;
        self.is_another_file = true;
        Ok(())
    }

    fn write_kept(
        &mut self,
        new: &OwnFile,
        metadata: &Metadata,
        snapshots: &mut SnapshotCap,
        events: &mut EventCap,
    ) -> io::Result<()> {
        let mut out = BufWriter::new(new);
        serde_json::to_writer(&mut out, &FirstLine::new(metadata))?;
        out.write_all(b"\n")?;
        events.begin_again();
        snapshots.begin_again();
        // The last summary takes the place of those before it.
        let mut summary = Vec::new();
        let mut lines = self.lines()?;
        while let Some(line) = lines.next_line()? {
            match line.kind {
                Kind::Snapshot(number) if !snapshots.keeps(number) => {}
                Kind::Metadata => {}
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
                    }
                    if !some.is_empty() {
                        serde_json::to_writer(&mut out, &Line::OperationEvents(some))?;
                        out.write_all(b"\n")?;
                    }
                }
                Kind::Snapshot(_) | Kind::Paths | Kind::OutOfMemory => out.write_all(line.text)?,
            }
        }
        snapshots.note_other(summary.len() as u64);
        out.write_all(&summary)?;
        out.flush()
    }
}
