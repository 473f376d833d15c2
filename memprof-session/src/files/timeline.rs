//! The file that grows during the session: one line for each thing that happened.

use super::kept::Kept;
use super::lines::{Kind, Lines};
use super::own_file::OwnFile;
use super::temporary::Temporary;
use memprof_recording::document::{FirstLine, Metadata};
use serde::Serialize;
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

    /// Rewrites the file without the lines that are not `kept`, and without all but the last summary.
    /// A temporary file replaces it.
    ///
    /// Returns the bytes of the summary. If the program is killed before the new file is complete,
    /// the old file stays complete.
    pub(super) fn rewrite(&mut self, metadata: &Metadata, kept: &Kept) -> io::Result<u64> {
        let (new, file) = Temporary::beside(&self.path)?;
        let summary_bytes = self.write_kept(&file, metadata, kept)?;
        new.replace(&file, &self.path)?;
        self.file = file;
        self.is_torn = false;
        self.is_another_file = true;
        Ok(summary_bytes)
    }

    fn write_kept(&self, new: &OwnFile, metadata: &Metadata, kept: &Kept) -> io::Result<u64> {
        let mut out = BufWriter::new(new);
        serde_json::to_writer(&mut out, &FirstLine::new(metadata))?;
        out.write_all(b"\n")?;
        let mut summary = Vec::new();
        let mut lines = self.lines()?;
        while let Some(line) = lines.next_line()? {
            match line.kind {
                Kind::Metadata => {}
                Kind::Snapshot(number) if !kept.has_snapshot(number) => {}
                Kind::LiveStacks(at_ns) if !kept.has_moment(at_ns) => {}
                Kind::Summary => line.text.clone_into(&mut summary),
                _ => out.write_all(line.text)?,
            }
        }
        out.write_all(&summary)?;
        out.flush()?;
        Ok(summary.len() as u64)
    }

    /// Removes the file, whose content is in the document. Lines that are written later are lost.
    pub(super) fn remove(&self) -> io::Result<()> {
        std::fs::remove_file(&self.path)
    }
}
