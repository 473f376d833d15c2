//! Exports of a profile or a whole session to the formats of other tools.

pub mod perfetto;
mod pprof;
pub mod prometheus;
mod stacks;

pub use pprof::{Moment, Pprof};
pub use stacks::{folded_live_stacks, folded_operations, folded_sites};

use core::fmt;
use memprof_profile::text::WithCauses;
use memprof_profile::views::JsonError;
use std::error::Error;
use std::io;

/// The error of an export: the data was not recorded, a number is too large, or writing failed.
///
/// The message states the expected data and the next step.
pub struct ExportError(Kind);

#[derive(Debug)]
enum Kind {
    Unknown { subject: &'static str, reason: &'static str, action: &'static str },
    TooMuch { subject: &'static str, amount: u128, limit: u64, action: &'static str },
    Profile { of: String, snapshot: u64, error: JsonError },
    Io(io::Error),
}

impl ExportError {
    fn unknown(subject: &'static str, reason: &'static str, action: &'static str) -> Self {
        Self(Kind::Unknown { subject, reason, action })
    }

    fn too_much(subject: &'static str, amount: u128, limit: u64, action: &'static str) -> Self {
        Self(Kind::TooMuch { subject, amount, limit, action })
    }

    fn profile(of: &str, snapshot: u64, error: JsonError) -> Self {
        Self(Kind::Profile { of: of.to_owned(), snapshot, error })
    }

    /// Returns `true` if the data to export was not recorded.
    pub fn is_unknown(&self) -> bool {
        matches!(self.0, Kind::Unknown { .. })
    }

    /// Returns `true` if an amount is larger than the numbers of the format.
    pub fn is_too_much(&self) -> bool {
        matches!(self.0, Kind::TooMuch { .. })
    }

    /// Returns `true` if the data of a root or a source is not a profile that this version can
    /// read.
    pub fn is_foreign(&self) -> bool {
        matches!(self.0, Kind::Profile { .. })
    }
}

impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        Self(Kind::Io(error))
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Unknown { subject, reason, action } => {
                write!(out, "{subject} are unknown: {reason}; {action}")
            }
            Kind::TooMuch { subject, amount, limit, action } => {
                write!(
                    out,
                    "the total of {subject} is {amount}, but the format allows at most {limit}; {action}"
                )
            }
            Kind::Profile { of, snapshot, .. } => write!(
                out,
                "cannot read the profile of {of:?} in snapshot {snapshot}; the file was modified \
                 after memprof wrote it"
            ),
            Kind::Io(_) => out.write_str("cannot write; check the free disk space"),
        }
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for ExportError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
    }
}

impl Error for ExportError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.0 {
            Kind::Unknown { .. } | Kind::TooMuch { .. } => None,
            Kind::Profile { error, .. } => Some(error),
            Kind::Io(error) => Some(error),
        }
    }
}
