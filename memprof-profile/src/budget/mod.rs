//! Budgets: amounts of memory as people write them, and the comparison of profiles with budgets;
//! the tolerances of differences.

mod check;
mod error;
mod exceeded;
mod parse;
mod tolerance;

pub use error::AmountError;
pub use exceeded::BudgetExceeded;
pub use tolerance::Tolerance;

use crate::text::{Amount, Units};
use core::convert::Infallible;
use core::fmt;
use core::str::FromStr;

/// A limit for an amount of memory: a number of bytes, or a string such as `64 MiB`.
///
/// A string has a number and a unit. Units are `B`; the powers of 1024 `KiB`, `MiB`, `GiB`, `TiB`,
/// `PiB`, `EiB`; and the powers of 1000 `kB`, `MB`, `GB`, `TB`, `PB`, `EB`. A number without a unit
/// is in bytes. Fractions of a byte are dropped.
///
/// ```
/// use memprof::testing::Budget;
///
/// let bytes = |text: &str| text.parse::<Budget>().unwrap().bytes();
/// assert_eq!(bytes("64 MiB"), 64 << 20);
/// assert_eq!(bytes("1.5GiB"), 3 << 29);
/// assert_eq!(bytes("100 kB"), 100_000);
/// assert_eq!(bytes("4096"), 4096);
/// assert_eq!(
///     "64 Mib".parse::<Budget>().unwrap_err().to_string(),
///     "\"64 Mib\" is not an amount of memory: unknown unit \"Mib\", did you mean \"MiB\"?"
/// );
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Budget {
    bytes: u64,
}

impl Budget {
    /// Returns a budget of this number of bytes.
    pub const fn of_bytes(bytes: u64) -> Self {
        Self { bytes }
    }

    /// Returns the number of bytes.
    pub const fn bytes(self) -> u64 {
        self.bytes
    }

    fn shown(self) -> Amount {
        Units::Iec.show(self.bytes)
    }
}

/// Shows IEC units, rounded to one digit after the point.
impl fmt::Display for Budget {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shown().fmt(out)
    }
}

impl FromStr for Budget {
    type Err = AmountError;

    fn from_str(text: &str) -> Result<Self, AmountError> {
        parse::parse(text).map(Self::of_bytes)
    }
}

impl TryFrom<&str> for Budget {
    type Error = AmountError;

    fn try_from(text: &str) -> Result<Self, AmountError> {
        text.parse()
    }
}

impl TryFrom<&String> for Budget {
    type Error = AmountError;

    fn try_from(text: &String) -> Result<Self, AmountError> {
        text.parse()
    }
}

/// Converts from `i32`, the type of a literal without a suffix.
impl TryFrom<i32> for Budget {
    type Error = AmountError;

    fn try_from(bytes: i32) -> Result<Self, AmountError> {
        let bytes = u64::try_from(bytes).map_err(|_| AmountError::negative(&bytes.to_string()))?;
        Ok(Self::of_bytes(bytes))
    }
}

impl From<u32> for Budget {
    fn from(bytes: u32) -> Self {
        Self::of_bytes(bytes.into())
    }
}

impl From<u64> for Budget {
    fn from(bytes: u64) -> Self {
        Self::of_bytes(bytes)
    }
}

impl From<usize> for Budget {
    fn from(bytes: usize) -> Self {
        Self::of_bytes(bytes as u64)
    }
}

/// A conversion that never runs, because a number of bytes is always a valid budget.
impl From<Infallible> for AmountError {
    fn from(never: Infallible) -> Self {
        match never {}
    }
}

/// Panics if a value exceeds its budget, or a path in the value exceeds the path's own budget.
///
/// ```
/// # use memprof::{assert_budget, Profile};
/// let names: Vec<String> = (0..1000).map(|i| format!("row {i}")).collect();
/// let model = (vec![0.0_f64; 4096], names);
/// assert_budget!(model, "64 KiB");
/// assert_budget!(model, "64 KiB", "0" => "32.1 KiB", "1" => "33 kB");
/// ```
///
/// The first argument is an expression. Its value is a [`Profile`](crate::Profile) or has a type
/// that implements [`MemoryProfile`](crate::MemoryProfile). The macro borrows the value.
///
/// A budget is a number of bytes or a string such as `"64 MiB"`; [`Budget`](crate::testing::Budget)
/// lists the accepted texts. A path is one that [`Profile::bytes_at`](crate::Profile::bytes_at)
/// accepts. Its budget covers the path and everything below it.
///
/// # Panics
/// - Panics if a budget is exceeded. The message contains the figures and the tree, largest
///   first, within a screen of 40 lines and 100 columns.
/// - Panics if a path does not exist. The message names the closest paths.
/// - Panics if a budget is not an amount of memory.
/// - Panics if the value is a mutable reference, or a reference to a reference, because a reference
///   owns nothing.
///
/// [`Profile::check_budget`](crate::Profile::check_budget) returns an error instead.
#[macro_export]
macro_rules! assert_budget {
    ($value:expr, $budget:expr $(, $path:expr => $of_path:expr)* $(,)?) => {{
        use $crate::testing::Profiled as _;
        let value = ::core::stringify!($value);
        $crate::testing::assert_budget(
            value,
            ($value).__memprof_profile(),
            $crate::testing::budget(value, $budget),
            &[$(($path, $crate::testing::budget(value, $of_path))),*],
        )
    }};
}

#[cfg(test)]
mod tests;
