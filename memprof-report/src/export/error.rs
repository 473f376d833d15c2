//! Why something can't be said in another format.

use core::fmt;
use std::error::Error;

/// Why there is nothing to export, or the format has no room for it: what was expected, and what
/// to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExportError(What);

#[derive(Clone, Debug, PartialEq, Eq)]
enum What {
    Unknown { what: &'static str, why: &'static str, instead: &'static str },
    TooMuch { what: &'static str, amount: u128, limit: u64, instead: &'static str },
}

impl ExportError {
    /// Nobody recorded it.
    pub(super) fn unknown(what: &'static str, why: &'static str, instead: &'static str) -> Self {
        Self(What::Unknown { what, why, instead })
    }

    /// The numbers of the format end below it.
    pub(super) fn too_much(
        what: &'static str,
        amount: u128,
        limit: u64,
        instead: &'static str,
    ) -> Self {
        Self(What::TooMuch { what, amount, limit, instead })
    }

    /// Whether nobody recorded what was to be exported.
    pub fn is_unknown(&self) -> bool {
        matches!(self.0, What::Unknown { .. })
    }

    /// Whether an amount is larger than the numbers of the format.
    pub fn is_too_much(&self) -> bool {
        matches!(self.0, What::TooMuch { .. })
    }
}

impl fmt::Display for ExportError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            What::Unknown { what, why, instead } => {
                write!(out, "{what} are unknown: {why}; {instead}")
            }
            What::TooMuch { what, amount, limit, instead } => {
                write!(
                    out,
                    "{what} is {amount} in all: expected at most {limit}, the most that the format can say; {instead}"
                )
            }
        }
    }
}

impl Error for ExportError {}
