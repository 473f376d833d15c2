//! The reader of both forms of a recording: the document, which is one JSON value, and the timeline,
//! which has one line for each thing that happened. The content of a file decides its form; the name
//! of the file does not.

use super::Recording;
use crate::document::{
    DOCUMENT, FirstLine, Line, LiveStacks, Metadata, OperationEvent, OperationPath, OutOfMemory,
    Snapshot, StackTable, Summary, TIMELINE, ThreadName, VERSION,
};
use core::fmt;
use memprof_profile::text::WithCauses;
use serde::Deserialize;
use std::borrow::Cow;
use std::error::Error;
use std::ffi::OsStr;
use std::path::Path;
use std::{fs, io};

#[derive(Deserialize)]
struct Head<'h> {
    #[serde(borrow)]
    format: Option<Cow<'h, str>>,
    version: Option<u64>,
}

impl Recording {
    /// Reads a document or a timeline from a file.
    ///
    /// If there is no such file, this reads the [other form](Self::existing_path) of the recording:
    /// at the end of a session, `FILE.json` replaces `FILE.jsonl`.
    ///
    /// # Errors
    /// Returns an error if the file can't be read, or if [`from_text`](Self::from_text) fails.
    pub fn read_file(path: impl AsRef<Path>) -> Result<Self, RecordingError> {
        let path = Self::existing_path(path.as_ref());
        Self::from_text(&String::from_utf8_lossy(&fs::read(path)?))
    }

    /// Returns the path of the file from which to read a recording: `FILE.json` if only that exists
    /// and `path` is `FILE.jsonl`, or the other way around. Otherwise, returns `path`.
    pub fn existing_path(path: &Path) -> Cow<'_, Path> {
        let other = match path.extension().and_then(OsStr::to_str) {
            Some("jsonl") => path.with_extension("json"),
            Some("json") => path.with_extension("jsonl"),
            _ => return path.into(),
        };
        let is_missing = |path: &Path| path.try_exists().is_ok_and(|exists| !exists);
        if is_missing(path) && other.is_file() { other.into() } else { path.into() }
    }

    /// Reads the text of a document or of a timeline.
    ///
    /// # Errors
    /// Returns an error if the text is not a recording, if a newer version wrote it, or if it is a
    /// document that is incomplete or not JSON. The error names the reason.
    pub fn from_text(text: &str) -> Result<Self, RecordingError> {
        let text = text.trim_start();
        let first = text.lines().next().ok_or(What::Empty)?;
        if begins(text, TIMELINE) {
            let head: Head<'_> = serde_json::from_str(first).map_err(What::FirstLine)?;
            check_version(TIMELINE, &head)?;
            return timeline(text);
        }
        let head: Head<'_> = match serde_json::from_str(text) {
            Ok(head) => head,
            Err(_) if !begins(text, DOCUMENT) => return Err(What::Foreign(begin(first)).into()),
            Err(error) if ends_there(text, &error) => {
                return Err(What::Unfinished(error).into());
            }
            Err(error) => return Err(error.into()),
        };
        match head.format.as_deref() {
            Some(DOCUMENT) => check_version(DOCUMENT, &head)?,
            Some(other) => return Err(What::Foreign(format!("\"{other}\"")).into()),
            None => return Err(What::Foreign(begin(first)).into()),
        }
        document(text)
    }

    pub(crate) fn is_timeline(text: &str) -> bool {
        begins(text.trim_start(), TIMELINE)
    }

    /// Returns `true` if a file that begins with `head` is a recording.
    pub fn is_recording(head: &str) -> bool {
        [DOCUMENT, TIMELINE].iter().any(|format| begins(head, format))
    }
}

/// A number that is cut off may or may not be a valid number, so `is_eof` is not enough.
fn ends_there(text: &str, error: &serde_json::Error) -> bool {
    let last = text.lines().last().unwrap_or_default();
    error.is_eof() || (error.line() == text.lines().count() && error.column() >= last.len())
}

/// Returns `true` if a text begins as a JSON object whose first key is `format` with this value.
fn begins(text: &str, format: &str) -> bool {
    ["{", "\"format\"", ":", "\"", format]
        .iter()
        .try_fold(text, |rest, next| rest.trim_start().strip_prefix(next))
        .is_some()
}

fn check_version(format: &'static str, head: &Head<'_>) -> Result<(), RecordingError> {
    match head.version {
        Some(VERSION) => Ok(()),
        Some(version) if version > VERSION => Err(What::Newer { format, version }.into()),
        _ => Err(What::Foreign("no version".to_owned()).into()),
    }
}

fn begin(text: &str) -> String {
    let begin: String = text.chars().take(40).collect();
    format!("{begin:?}")
}

#[derive(Deserialize)]
struct Document {
    metadata: Metadata,
    snapshots: Vec<Snapshot>,
    #[serde(default)]
    operation_paths: Vec<OperationPath>,
    #[serde(default)]
    thread_names: Vec<ThreadName>,
    #[serde(default)]
    operation_events: Events,
    #[serde(default)]
    out_of_memory: Vec<OutOfMemory>,
    #[serde(default)]
    live_stacks: Vec<LiveStacks>,
    /// The parts of the table, in the order in which they were written.
    #[serde(default)]
    stacks: Vec<StackTable>,
    summary: Summary,
}

#[derive(Default, Deserialize)]
struct Events {
    rows: Vec<OperationEvent>,
}

fn document(text: &str) -> Result<Recording, RecordingError> {
    let document: Document = serde_json::from_str(text)?;
    let mut recording = Recording {
        snapshots: document.snapshots,
        operation_paths: document.operation_paths,
        operation_events: document.operation_events.rows,
        thread_names: document.thread_names,
        out_of_memory: document.out_of_memory,
        ..Recording::with_summary(document.metadata, document.summary)
    };
    for part in document.stacks {
        recording.stacks.extend(part);
    }
    for moment in document.live_stacks {
        recording.add_live_stacks(moment);
    }
    Ok(recording.joined())
}

fn timeline(text: &str) -> Result<Recording, RecordingError> {
    let mut lines = text.lines();
    let first: FirstLine<'_> =
        serde_json::from_str(lines.next().unwrap_or_default()).map_err(What::FirstLine)?;
    let mut recording = Recording::of(first.metadata.into_owned());
    for line in lines.filter(|line| !line.trim().is_empty()) {
        match serde_json::from_str(line) {
            Ok(line) => recording.add(line),
            // The program was killed or the disk was full within this line; later lines are still
            // read.
            Err(_) => recording.unreadable_lines += 1,
        }
    }
    Ok(recording.joined())
}

impl Recording {
    fn add(&mut self, line: Line<'_>) {
        match line {
            Line::Metadata(metadata) => self.metadata = metadata.into_owned(),
            Line::Snapshot(snapshot) => self.snapshots.push(snapshot.into_owned()),
            Line::OperationPaths(paths) => self.operation_paths.extend(paths.into_owned()),
            Line::OperationEvents(events) => self.operation_events.extend(events.into_owned()),
            Line::ThreadNames(names) => self.thread_names.extend(names.into_owned()),
            Line::OutOfMemory(moment) => self.out_of_memory.push(moment),
            Line::Stacks(part) => self.stacks.extend(part.into_owned()),
            Line::LiveStacks(moment) => self.add_live_stacks(moment.into_owned()),
            Line::Summary(summary) => {
                self.summary = summary.into_owned();
                self.has_summary = true;
            }
        }
    }

    /// Joins what several lines have, after all of them were read.
    fn joined(mut self) -> Self {
        self.sort_thread_names();
        self.stacks.remove_repeated_modules();
        self.summary.fill_stacks(&self.stacks);
        self
    }

    fn add_live_stacks(&mut self, moment: LiveStacks) {
        match self.live_stacks.last_mut().filter(|known| known.at_ns == moment.at_ns) {
            Some(known) if moment.rows.is_empty() && !moment.pinned.is_empty() => {
                known.pinned = moment.pinned;
            }
            Some(known) => *known = moment,
            None => self.live_stacks.push(moment),
        }
    }
}

/// The reason why a recording can't be read.
pub struct RecordingError(What);

#[derive(Debug)]
enum What {
    Io(io::Error),
    Json(serde_json::Error),
    /// A document that ends too early.
    Unfinished(serde_json::Error),
    FirstLine(serde_json::Error),
    Foreign(String),
    Newer {
        format: &'static str,
        version: u64,
    },
    Empty,
}

impl RecordingError {
    /// Returns `true` if the file is not a recording.
    pub fn is_foreign(&self) -> bool {
        matches!(self.0, What::Foreign(_))
    }

    /// Returns `true` if a newer memprof wrote the file.
    pub fn is_newer_version(&self) -> bool {
        matches!(self.0, What::Newer { .. })
    }

    /// Returns `true` if a document ends too early, or a timeline within its first line.
    pub fn is_truncated(&self) -> bool {
        match &self.0 {
            What::FirstLine(error) => error.is_eof(),
            What::Unfinished(_) | What::Empty => true,
            _ => false,
        }
    }
}

impl fmt::Display for RecordingError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            What::Io(_) => out.write_str("cannot read the recording"),
            What::Unfinished(error) => write!(
                out,
                "the recording is cut off after line {}, column {}; the timeline (.jsonl) beside it \
                 may have more",
                error.line(),
                error.column()
            ),
            What::FirstLine(error) if error.is_eof() => out.write_str(
                "the timeline ends within its first line, because the program was killed or the disk \
                 was full when the session began; record it again",
            ),
            What::Json(_) | What::FirstLine(_) => out.write_str(
                "not a memprof recording, or the file was modified; expected a file that a session \
                 wrote",
            ),
            What::Foreign(found) => write!(
                out,
                "not a memprof recording: expected the key `format` to be \"memprof session\" or \
                 \"memprof timeline\"; found {found}"
            ),
            What::Newer { format, version } => write!(
                out,
                "a newer memprof wrote this recording (version {version} of \"{format}\", this one \
                 reads {VERSION}); update memprof to read it"
            ),
            What::Empty => {
                out.write_str("the file is empty; a session writes its first line when it starts")
            }
        }
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for RecordingError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
    }
}

impl Error for RecordingError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.0 {
            What::Io(error) => Some(error),
            // The message for a truncated file already contains the text of the cause.
            What::Json(error) | What::FirstLine(error) if !error.is_eof() => Some(error),
            What::Json(_)
            | What::FirstLine(_)
            | What::Unfinished(_)
            | What::Foreign(_)
            | What::Newer { .. }
            | What::Empty => None,
        }
    }
}

impl From<io::Error> for RecordingError {
    fn from(error: io::Error) -> Self {
        Self(What::Io(error))
    }
}

impl From<serde_json::Error> for RecordingError {
    fn from(error: serde_json::Error) -> Self {
        // If the reader failed and not the parser, the text may be valid: report an I/O error.
        if error.is_io() { Self(What::Io(error.into())) } else { Self(What::Json(error)) }
    }
}

impl From<What> for RecordingError {
    fn from(what: What) -> Self {
        Self(what)
    }
}
