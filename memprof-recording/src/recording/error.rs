//! Errors in a file that is read as a recording.

use core::fmt;
use memprof_profile::text::WithCauses;
use std::error::Error;
use std::io;

/// The reason why a recording can't be read.
pub struct RecordingError(What);

#[derive(Debug)]
enum What {
    Io(io::Error),
    Json(serde_json::Error),
    /// A document that ends too early.
    Unfinished(serde_json::Error),
    /// An error in the first line of a timeline.
    FirstLine(serde_json::Error),
    Foreign(String),
    Newer {
        format: &'static str,
        version: u64,
    },
    Empty,
}

impl RecordingError {
    pub(super) fn foreign(found: String) -> Self {
        Self(What::Foreign(found))
    }

    pub(super) fn unfinished(error: serde_json::Error) -> Self {
        Self(What::Unfinished(error))
    }

    pub(super) fn first_line(error: serde_json::Error) -> Self {
        Self(What::FirstLine(error))
    }

    pub(super) fn newer(format: &'static str, version: u64) -> Self {
        Self(What::Newer { format, version })
    }

    pub(super) fn empty() -> Self {
        Self(What::Empty)
    }

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
                "the recording is incomplete: expected more JSON after line {}, column \
                 {}; the timeline (.jsonl) beside it may contain more",
                error.line(),
                error.column()
            ),
            What::FirstLine(error) if error.is_eof() => out.write_str(
                "the timeline ends within its first line: expected the metadata of the program; \
                 the program was killed, or the disk was full, when the session began",
            ),
            What::Json(_) | What::FirstLine(_) => write!(
                out,
                "expected a recording of a memprof session; the file was modified or not written \
                 by memprof"
            ),
            What::Foreign(found) => write!(
                out,
                "expected a recording of memprof, whose key `format` is \"memprof session\" or \
                 \"memprof timeline\"; found {found}"
            ),
            What::Newer { format, version } => write!(
                out,
                "version {version} of \"{format}\", which a newer memprof wrote: expected version \
                 {}; read it with the newer memprof",
                crate::document::VERSION
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
