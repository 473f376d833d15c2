//! How much may change before it counts.

use crate::budget::parse::share;
use crate::views::diff::Diff;
use crate::{AmountError, Budget};
use core::fmt;
use core::str::FromStr;

/// So many bytes, or so many percent of the whole profile before: `5%`, `0.5 %`, `4 KiB`.
///
/// ```
/// use memprof_profile::{Profile, Tolerance};
///
/// let (before, after) = (Profile::of(&vec![0_u8; 1000]), Profile::of(&vec![0_u8; 1020]));
/// assert!(after.diff(&before).is_within("2%".parse()?));
/// assert!(!after.diff(&before).is_within("19 B".parse()?));
/// # Ok::<(), memprof_profile::AmountError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tolerance {
    allowed: Allowed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allowed {
    Bytes(Budget),
    /// In millionths of a percent.
    Share(u64),
}

impl Diff<'_> {
    /// Whether no path, and not the whole, has grown or shrunk by more than is tolerated. New and
    /// gone paths count with all their bytes.
    pub fn is_within(&self, tolerance: Tolerance) -> bool {
        let largest = self.changes.first().map_or(0, |change| change.size);
        let whole = self.before_bytes().abs_diff(self.after_bytes());
        tolerance.covers(largest.max(whole), self.before_bytes())
    }

    /// Whether the whole has grown by more than is tolerated, whatever its paths did.
    pub fn grew_beyond(&self, tolerance: Tolerance) -> bool {
        let growth = self.after_bytes().saturating_sub(self.before_bytes());
        !tolerance.covers(growth, self.before_bytes())
    }
}

impl Tolerance {
    /// Whether a change by so many bytes is tolerated of a whole that was so large before.
    fn covers(self, change: u64, before: u64) -> bool {
        match self.allowed {
            Allowed::Bytes(budget) => change <= budget.bytes(),
            // The left side is less than 2^64 times 2^27; only the right side may not fit.
            Allowed::Share(millionths) => {
                let allowed = u128::from(millionths).checked_mul(before.into());
                allowed.is_none_or(|allowed| u128::from(change) * 100_000_000 <= allowed)
            }
        }
    }
}

impl FromStr for Tolerance {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Self, AmountError> {
        let allowed = match share(text) {
            Some(share) => Allowed::Share(share?),
            None => Allowed::Bytes(text.parse().map_err(AmountError::or_share)?),
        };
        Ok(Self { allowed })
    }
}

impl TryFrom<&str> for Tolerance {
    type Error = AmountError;

    fn try_from(text: &str) -> Result<Self, AmountError> {
        text.parse()
    }
}

impl From<Budget> for Tolerance {
    fn from(bytes: Budget) -> Self {
        Self { allowed: Allowed::Bytes(bytes) }
    }
}

impl fmt::Display for Tolerance {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.allowed {
            Allowed::Bytes(budget) => budget.fmt(out),
            Allowed::Share(millionths) => {
                let (whole, part) = (millionths / 1_000_000, millionths % 1_000_000);
                let part = format!("{part:06}");
                let part = part.trim_end_matches('0');
                let point = if part.is_empty() { "" } else { "." };
                write!(out, "{whole}{point}{part} %")
            }
        }
    }
}
