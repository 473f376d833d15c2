//! What can be wrong with a file that a session is said to have written.

use core::fmt;
use std::error::Error;
use std::io;

/// Why a recording can't be read.
pub struct RecordingError(What);

#[derive(Debug)]
enum What {
    Io(io::Error),
    Json(serde_json::Error),
    /// Where a report ends.
    Unfinished(serde_json::Error),
    /// In the first line of a timeline.
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

    /// Whether the file is something else's.
    pub fn is_foreign(&self) -> bool {
        matches!(self.0, What::Foreign(_))
    }

    /// Whether a newer memprof wrote it.
    pub fn is_newer_version(&self) -> bool {
        matches!(self.0, What::Newer { .. })
    }

    /// Whether a report ends before it is whole, or a timeline within its first line.
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
            What::Io(error) => write!(out, "cannot read the recording: {error}"),
            What::Unfinished(error) => write!(
                out,
                "the recording ends before it is whole: expected more JSON after line {}, column \
                 {}; the timeline (.jsonl) beside it may have more",
                error.line(),
                error.column()
            ),
            What::FirstLine(error) if error.is_eof() => out.write_str(
                "the timeline ends within its first line: expected which program it is of; the \
                 program was killed, or the disk was full, as the session began",
            ),
            What::Json(error) | What::FirstLine(error) => write!(
                out,
                "expected what a session of memprof writes: {error}; the file is not as memprof \
                 wrote it"
            ),
            What::Foreign(found) => write!(
                out,
                "expected a recording of memprof, whose key `format` is \"memprof session\" or \
                 \"memprof timeline\"; found {found}"
            ),
            What::Newer { format, version } => write!(
                out,
                "version {version} of \"{format}\", which a newer memprof wrote: expected version \
                 {}; read it with that one",
                crate::document::VERSION
            ),
            What::Empty => out.write_str("the file is empty; a session writes it when it begins"),
        }
    }
}

/// The same text as `Display`, which is what `main` and `unwrap` print.
impl fmt::Debug for RecordingError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for RecordingError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.0 {
            What::Io(error) => Some(error),
            What::Json(error) | What::Unfinished(error) | What::FirstLine(error) => Some(error),
            What::Foreign(_) | What::Newer { .. } | What::Empty => None,
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
        // What the reader under the parser could not do is not the text's fault.
        if error.is_io() { Self(What::Io(error.into())) } else { Self(What::Json(error)) }
    }
}
