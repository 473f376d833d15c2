//! Why a file for another tool was not written.

use core::fmt;
use memprof_core::JsonError;
use std::error::Error;
use std::io;

/// Why a file for another tool was not written.
#[derive(Debug)]
pub struct ExportError(What);

#[derive(Debug)]
enum What {
    Io(io::Error),
    Profile { of: String, snapshot: u64, error: JsonError },
}

impl ExportError {
    /// What a snapshot holds of a root or source is no profile.
    pub(super) fn profile(of: &str, snapshot: u64, error: JsonError) -> Self {
        Self(What::Profile { of: of.to_owned(), snapshot, error })
    }
}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        Self(What::Io(error))
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            What::Io(error) => write!(out, "cannot write: {error}"),
            What::Profile { of, snapshot, error } => write!(
                out,
                "expected the profile of {of:?} in snapshot {snapshot}: {error}; the file is not \
                 as memprof wrote it"
            ),
        }
    }
}

impl Error for ExportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.0 {
            What::Io(error) => Some(error),
            What::Profile { error, .. } => Some(error),
        }
    }
}
