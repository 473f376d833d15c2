//! The file that grows during the session, one line for each thing that happened, and the document
//! made from it.
//!
//! Lines that are copied are not parsed. Reading the kind and the number of each line with serde took
//! 0.16 s for each pass over a timeline of 64 MiB, and 3.9 s in a debug build. After a signal, the
//! program has two seconds for all passes. So a copy compares the key at the start of a line, which
//! is all that it needs.

use super::kept::Kept;
use super::own_file::{OwnFile, Temporary};
#[cfg(unix)]
use crate::heap::Emergency;
use memprof_recording::document::{
    DOCUMENT, FirstLine, Metadata, OperationEvent, Summary, VERSION,
};
use serde::Serialize;
use std::fs::File;
use std::io::{self, BufRead, BufReader, BufWriter, Seek, SeekFrom, Write};
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
    /// Writes the lines of refused allocations.
    #[cfg(unix)]
    emergency: Option<Emergency>,
}

/// The capacity that the buffer keeps between two lines. Summaries are far longer, but rare.
const LINE_BYTES: usize = 64 << 10;

impl Timeline {
    pub(super) fn new(file: File, path: PathBuf) -> Self {
        let file = OwnFile::new(file);
        Self {
            file,
            path,
            line: Vec::new(),
            is_torn: false,
            #[cfg(unix)]
            emergency: None,
        }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Adds a line for each allocation that is refused from now on.
    #[cfg(unix)]
    pub(super) fn add_refusals(&mut self) {
        self.emergency = self.file.get().and_then(Emergency::begin).ok();
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
            #[cfg(unix)]
            self.move_emergency();
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
    fn lines(&self) -> io::Result<Lines<'_>> {
        let mut file = &self.file;
        file.seek(SeekFrom::Start(0))?;
        Ok(Lines { reader: BufReader::with_capacity(64 << 10, file), line: Vec::new() })
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
        #[cfg(unix)]
        self.move_emergency();
        Ok(summary_bytes)
    }

    #[cfg(unix)]
    fn move_emergency(&self) {
        if let (Some(emergency), Ok(file)) = (&self.emergency, self.file.get()) {
            let _ = emergency.move_to(file);
        }
    }

    fn write_kept(&self, new: &OwnFile, metadata: &Metadata, kept: &Kept) -> io::Result<u64> {
        let mut out = BufWriter::new(new);
        serde_json::to_writer(&mut out, &FirstLine::new(metadata))?;
        out.write_all(b"\n")?;
        let mut summary = Vec::new();
        let mut lines = self.lines()?;
        while let Some(line) = lines.next_line()? {
            let is_kept = match line.key {
                b"format" | b"metadata" => false,
                b"snapshot" => line.first_number().is_some_and(|number| kept.has_snapshot(number)),
                b"live_stacks" => line.first_number().is_some_and(|at_ns| kept.has_moment(at_ns)),
                b"summary" => {
                    line.text.clone_into(&mut summary);
                    false
                }
                _ => true,
            };
            if is_kept {
                out.write_all(line.text)?;
            }
        }
        out.write_all(&summary)?;
        out.flush()?;
        Ok(summary.len() as u64)
    }

    /// Removes the file, whose content is in the document. Lines that are written later are lost.
    pub(super) fn remove(&mut self) -> io::Result<()> {
        #[cfg(unix)]
        drop(self.emergency.take());
        std::fs::remove_file(&self.path)
    }

    /// Writes the document of all lines completely, or not at all. It replaces the file at `path`.
    ///
    /// # Cost
    /// Reads the timeline once for each list, and holds one line in memory.
    pub(super) fn write_document(
        &self,
        path: &Path,
        metadata: &Metadata,
        summary: &Summary,
    ) -> io::Result<()> {
        let (unfinished, file) = Temporary::beside(path)?;
        let mut out = BufWriter::new(&file);
        write!(out, "{{\"format\": \"{DOCUMENT}\", \"version\": {VERSION},\n\"metadata\": ")?;
        serde_json::to_writer(&mut out, metadata)?;
        out.write_all(b",\n\"snapshots\": ")?;
        self.copy("snapshot", &mut out)?;
        for key in ["operation_paths", "thread_names", "out_of_memory", "stacks", "live_stacks"] {
            write!(out, ",\n\"{key}\": ")?;
            self.copy(key, &mut out)?;
        }
        out.write_all(b",\n\"operation_events\": {\"columns\": ")?;
        serde_json::to_writer(&mut out, OperationEvent::COLUMNS)?;
        out.write_all(b", \"rows\": ")?;
        self.copy("operation_events", &mut out)?;
        out.write_all(b"},\n\"summary\": ")?;
        serde_json::to_writer(&mut out, summary)?;
        out.write_all(b"}\n")?;
        out.flush()?;
        unfinished.replace(&file, path)
    }

    /// Copies the entries of the lines with this key, as an array.
    fn copy(&self, key: &str, out: &mut impl Write) -> io::Result<()> {
        let mut separator: &[u8] = b"[\n";
        let mut lines = self.lines()?;
        while let Some(line) = lines.next_line()? {
            // A line of several entries has them as an array.
            let array = line.value.strip_prefix(b"[").and_then(|rest| rest.strip_suffix(b"]"));
            let entries = array.unwrap_or(line.value);
            if line.key == key.as_bytes() && !entries.is_empty() {
                out.write_all(separator)?;
                out.write_all(entries)?;
                separator = b",\n";
            }
        }
        out.write_all(if separator == b"[\n" { b"[]" } else { b"\n]" })
    }
}

/// The reader of a timeline's lines.
struct Lines<'f> {
    reader: BufReader<&'f OwnFile>,
    line: Vec<u8>,
}

/// A line that was not torn.
struct Found<'l> {
    /// The first key: the kind of the line.
    key: &'l [u8],
    /// The JSON of that key's value, if the line has no other key.
    value: &'l [u8],
    /// The whole line, including its newline.
    text: &'l [u8],
}

impl Lines<'_> {
    fn next_line(&mut self) -> io::Result<Option<Found<'_>>> {
        loop {
            self.line.clear();
            if self.reader.read_until(b'\n', &mut self.line)? == 0 {
                return Ok(None);
            }
            if Found::new(&self.line).is_some() {
                return Ok(Found::new(&self.line));
            }
        }
    }
}

impl<'l> Found<'l> {
    fn new(text: &'l [u8]) -> Option<Self> {
        let object = text.strip_prefix(b"{\"")?.strip_suffix(b"}\n")?;
        let (key, rest) = object.split_at(object.iter().position(|byte| *byte == b'"')?);
        Some(Self { key, value: rest.strip_prefix(b"\":")?, text })
    }

    /// Returns the first value in an object, if it is a number.
    fn first_number(&self) -> Option<u64> {
        let value = self.value.splitn(2, |byte| *byte == b':').nth(1)?;
        let end = value.iter().position(|byte| !byte.is_ascii_digit())?;
        str::from_utf8(&value[..end]).ok()?.parse().ok()
    }
}
