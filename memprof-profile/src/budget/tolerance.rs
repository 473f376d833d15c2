//! The tolerance of a comparison: the largest change that is accepted.

use crate::budget::parse::share;
use crate::budget::{AmountError, Budget};
use crate::views::Diff;
use core::fmt;
use core::str::FromStr;

/// The largest accepted change, in bytes or in percent of the total before: `4 KiB`, `0.5 %`, `5%`.
///
/// ```
/// use memprof::testing::Tolerance;
/// use memprof::Profile;
///
/// let (before, after) = (Profile::of(&vec![0_u8; 1000]), Profile::of(&vec![0_u8; 1020]));
/// assert!(after.diff(&before).is_within("2%".parse()?));
/// assert!(!after.diff(&before).is_within("19 B".parse()?));
/// # Ok::<(), memprof::testing::AmountError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tolerance {
    allowed: Allowed,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Allowed {
    Bytes(Budget),
    /// A share in millionths of a percent.
    Share(u64),
}

impl Diff<'_> {
    /// Returns whether each path, and the total, changed by at most the tolerance. New and gone
    /// paths count with all their bytes.
    pub fn is_within(&self, tolerance: Tolerance) -> bool {
        let largest = self.largest_change();
        let whole = self.before_bytes().abs_diff(self.after_bytes());
        tolerance.covers(largest.max(whole), self.before_bytes())
    }
}

impl Tolerance {
    /// Returns whether growth from `before` to `after` bytes is within the tolerance. A percentage
    /// is one of `before`.
    ///
    /// ```
    /// use memprof::testing::Tolerance;
    ///
    /// let tolerance: Tolerance = "5%".parse()?;
    /// assert!(tolerance.allows_growth(1000, 1050));
    /// assert!(!tolerance.allows_growth(1000, 1051));
    /// assert!(tolerance.allows_growth(1000, 10));
    /// # Ok::<(), memprof::testing::AmountError>(())
    /// ```
    pub fn allows_growth(self, before: u64, after: u64) -> bool {
        self.covers(after.saturating_sub(before), before)
    }

    /// Returns whether a change of `change` bytes is within the tolerance of the total `before`.
    fn covers(self, change: u64, before: u64) -> bool {
        match self.allowed {
            Allowed::Bytes(budget) => change <= budget.bytes(),
            // The left side is less than 2^64 times 2^27, so only the right side can overflow.
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
