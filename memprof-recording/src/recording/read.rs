//! The reader of both forms of a recording. The content of a file decides its form; the name of the
//! file does not.

use super::{Recording, RecordingError, document, timeline};
use crate::document::{DOCUMENT, TIMELINE, VERSION};
use serde::Deserialize;
use std::borrow::Cow;
use std::ffi::OsStr;
use std::fs;
use std::path::Path;

/// The first keys of both forms.
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
        let first = text.lines().next().ok_or_else(RecordingError::empty)?;
        if begins(text, TIMELINE) {
            let head: Head<'_> = serde_json::from_str(first).map_err(RecordingError::first_line)?;
            check_version(TIMELINE, &head)?;
            return timeline::read(text);
        }
        let head: Head<'_> = match serde_json::from_str(text) {
            Ok(head) => head,
            Err(_) if !begins(text, DOCUMENT) => return Err(RecordingError::foreign(begin(first))),
            Err(error) if ends_there(text, &error) => {
                return Err(RecordingError::unfinished(error));
            }
            Err(error) => return Err(error.into()),
        };
        match head.format.as_deref() {
            Some(DOCUMENT) => check_version(DOCUMENT, &head)?,
            Some(other) => return Err(RecordingError::foreign(format!("\"{other}\""))),
            None => return Err(RecordingError::foreign(begin(first))),
        }
        document::read(text)
    }

    /// Returns `true` if a text is a timeline.
    pub(crate) fn is_timeline(text: &str) -> bool {
        begins(text.trim_start(), TIMELINE)
    }

    /// Returns `true` if a file that begins with `head` is a recording.
    pub fn is_recording(head: &str) -> bool {
        [DOCUMENT, TIMELINE].iter().any(|format| begins(head, format))
    }
}

/// Returns `true` if the text ends at the error.
///
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
        Some(version) if version > VERSION => Err(RecordingError::newer(format, version)),
        _ => Err(RecordingError::foreign("no version".to_owned())),
    }
}

/// Returns the beginning of a text for an error.
fn begin(text: &str) -> String {
    let begin: String = text.chars().take(40).collect();
    format!("{begin:?}")
}
