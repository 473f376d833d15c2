//! The errors of reading a trace.

use core::fmt;
use memprof_profile::text::WithCauses;
use std::error::Error;
use std::io;

/// The reason why a file can't be read as a trace.
#[non_exhaustive]
pub enum TraceError {
    /// The file can't be read.
    Io(io::Error),
    /// A line can't be parsed.
    Line {
        /// The line number, counted from 1.
        number: usize,
        /// The parser's error.
        cause: serde_json::Error,
    },
    /// A line is longer than the limit.
    Long {
        /// The line number, counted from 1.
        number: usize,
        /// The limit in bytes.
        longest: usize,
    },
    /// The first line names another format.
    Format(String),
    /// A later version of memprof wrote the file.
    Version(u64),
    /// A reading names a device that the head does not list.
    Device {
        /// The line number, counted from 1.
        number: usize,
        /// The index of the device.
        device: usize,
    },
}

impl fmt::Display for TraceError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Io(_) => out.write_str("cannot read the trace"),
            Self::Line { number: 1, .. } => out.write_str(
                "line 1: expected the head of a trace, as `memprof gpu record` writes it",
            ),
            Self::Line { number, .. } => write!(out, "line {number}: expected a reading"),
            Self::Long { number, longest } => {
                write!(out, "line {number}: expected a line of at most {longest} bytes")
            }
            Self::Format(found) => {
                write!(out, "expected the format {:?}, found {found:?}", super::FORMAT)
            }
            Self::Version(found) => write!(
                out,
                "version {found} needs a newer memprof: this one reads up to version {}",
                super::VERSION
            ),
            Self::Device { number, device } => {
                write!(out, "line {number}: the head lists no device {device}")
            }
        }
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for TraceError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
    }
}

impl Error for TraceError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Io(error) => Some(error),
            Self::Line { cause, .. } => Some(cause),
            _ => None,
        }
    }
}

impl From<io::Error> for TraceError {
    fn from(error: io::Error) -> Self {
        Self::Io(error)
    }
}
