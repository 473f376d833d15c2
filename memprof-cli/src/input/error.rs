//! What can be wrong with a file that should hold a profile.

use super::Source;
use crate::shown::shown;
use core::fmt;
use memprof_core::{FoldedError, JsonError};
use std::error::Error;
use std::io;

/// Why no profile could be read: one line that names the file and says what to do.
#[derive(Debug)]
pub(crate) struct InputError {
    name: String,
    what: What,
}

#[derive(Debug)]
pub(super) enum What {
    Io(io::Error),
    Empty,
    /// Something else, whose first bytes tell what.
    Other {
        what: &'static str,
        instead: &'static str,
    },
    Both,
    Json(JsonError),
    Folded(FoldedError),
}

/// What would have been read.
const EXPECTED: &str = "expected a profile as JSON or folded stacks";

impl InputError {
    pub(super) fn new(source: &Source, what: What) -> Self {
        Self { name: source.to_string(), what }
    }
}

impl InputError {
    /// Two profiles are to be read from one place.
    pub(crate) fn both(source: &Source) -> Self {
        Self::new(source, What::Both)
    }
}

impl From<JsonError> for What {
    fn from(error: JsonError) -> Self {
        Self::Json(error)
    }
}

impl From<FoldedError> for What {
    fn from(error: FoldedError) -> Self {
        Self::Folded(error)
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = match &self.what {
            What::Io(error) => match error.kind() {
                io::ErrorKind::NotFound => {
                    format!("no such file: {EXPECTED}; write one with `Profile::write_json`")
                }
                io::ErrorKind::IsADirectory => {
                    format!("a directory: {EXPECTED}; name a file in it")
                }
                io::ErrorKind::PermissionDenied => {
                    format!("may not be read: {EXPECTED}; ask for permission to read it")
                }
                _ => format!("could not be read ({error}): {EXPECTED}; try again"),
            },
            What::Empty => format!("empty: {EXPECTED}; write the file again"),
            What::Other { what, instead } => format!("{what}: {EXPECTED}; {instead}"),
            What::Both => "holds one profile: expected two; name a file for one of them".into(),
            What::Json(error) => error.to_string(),
            // The first line decides whether it was meant to be folded stacks at all.
            What::Folded(error) if error.line() == Some(1) => {
                format!("neither the JSON of a profile nor folded stacks: {error}")
            }
            What::Folded(error) => error.to_string(),
        };
        // Messages of other crates may quote what they found.
        write!(out, "{}: {}", self.name, shown(&line))
    }
}

impl Error for InputError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.what {
            What::Io(error) => Some(error),
            What::Json(error) => Some(error),
            What::Folded(error) => Some(error),
            What::Empty | What::Other { .. } | What::Both => None,
        }
    }
}
