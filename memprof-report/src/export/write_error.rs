//! Why a file for another tool was not written.

use core::fmt;
use memprof_core::JsonError;
use std::error::Error;
use std::io;

/// Why a file for another tool was not written.
#[derive(Debug)]
pub struct WriteError(What);

#[derive(Debug)]
enum What {
    Io(io::Error),
    Profile { of: String, snapshot: u64, error: JsonError },
    Nothing { expected: &'static str },
}

impl WriteError {
    /// What a snapshot holds of a root or source is no profile.
    pub(super) fn profile(of: &str, snapshot: u64, error: JsonError) -> Self {
        Self(What::Profile { of: of.to_owned(), snapshot, error })
    }

    /// The format has nothing to show of the recording.
    pub(super) const fn nothing(expected: &'static str) -> Self {
        Self(What::Nothing { expected })
    }
}

impl From<io::Error> for WriteError {
    fn from(error: io::Error) -> Self {
        Self(What::Io(error))
    }
}

impl From<serde_json::Error> for WriteError {
    fn from(error: serde_json::Error) -> Self {
        // Numbers and texts are always JSON: only writing it fails.
        Self(What::Io(error.into()))
    }
}

impl fmt::Display for WriteError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            What::Io(error) => write!(out, "cannot write: {error}"),
            What::Profile { of, snapshot, error } => write!(
                out,
                "expected the profile of {of:?} in snapshot {snapshot}: {error}; the file is not \
                 as memprof wrote it"
            ),
            What::Nothing { expected } => write!(
                out,
                "expected {expected}: the recording has none; register the program's values with \
                 its session, or name its operations"
            ),
        }
    }
}

impl Error for WriteError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.0 {
            What::Io(error) => Some(error),
            What::Profile { error, .. } => Some(error),
            What::Nothing { .. } => None,
        }
    }
}
