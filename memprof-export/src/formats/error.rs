//! The error of an export to another tool's format.

use core::fmt;
use memprof_profile::text::WithCauses;
use memprof_profile::views::JsonError;
use std::error::Error;
use std::io;

/// The error of an export: the data were not recorded, a number is too large, or writing failed.
///
/// The message contains what was expected and what to do.
pub struct ExportError(What);

#[derive(Debug)]
enum What {
    Unknown { what: &'static str, why: &'static str, instead: &'static str },
    TooMuch { what: &'static str, amount: u128, limit: u64, instead: &'static str },
    Profile { of: String, snapshot: u64, error: JsonError },
    Io(io::Error),
}

impl ExportError {
    /// Returns the error for data that were not recorded.
    pub(super) fn unknown(what: &'static str, why: &'static str, instead: &'static str) -> Self {
        Self(What::Unknown { what, why, instead })
    }

    /// Returns the error for an amount larger than the format's numbers.
    pub(super) fn too_much(
        what: &'static str,
        amount: u128,
        limit: u64,
        instead: &'static str,
    ) -> Self {
        Self(What::TooMuch { what, amount, limit, instead })
    }

    /// Returns the error for a root or source whose data in a snapshot are not a profile.
    pub(super) fn profile(of: &str, snapshot: u64, error: JsonError) -> Self {
        Self(What::Profile { of: of.to_owned(), snapshot, error })
    }

    /// Returns `true` if the data to export were not recorded.
    pub fn is_unknown(&self) -> bool {
        matches!(self.0, What::Unknown { .. })
    }

    /// Returns `true` if an amount is larger than the numbers of the format.
    pub fn is_too_much(&self) -> bool {
        matches!(self.0, What::TooMuch { .. })
    }

    /// Returns `true` if the recording contains data that memprof did not write.
    pub fn is_foreign(&self) -> bool {
        matches!(self.0, What::Profile { .. })
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
            What::Unknown { what, why, instead } => {
                write!(out, "{what} are unknown: {why}; {instead}")
            }
            What::TooMuch { what, amount, limit, instead } => {
                write!(
                    out,
                    "the total of {what} is {amount}, but the format allows at most {limit}; {instead}"
                )
            }
            What::Profile { of, snapshot, .. } => write!(
                out,
                "cannot read the profile of {of:?} in snapshot {snapshot}; the file was changed \
                 after memprof wrote it"
            ),
            What::Io(_) => out.write_str("cannot write; check the free disk space"),
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
            What::Unknown { .. } | What::TooMuch { .. } => None,
            What::Profile { error, .. } => Some(error),
            What::Io(error) => Some(error),
        }
    }
}
