//! A range that contains an unknown number of bytes.

use crate::text::Units;
use core::fmt;

/// A range of bytes that contains the true number in at least 95 of 100 estimates.
///
/// ```
/// use memprof::large::Interval;
///
/// let interval = Interval { low: 55 << 20, high: Some(59 << 20) };
/// assert_eq!(interval.to_string(), "55.0 MiB to 59.0 MiB");
/// assert!(interval.contains(57 << 20));
/// assert_eq!(Interval { high: None, ..interval }.to_string(), "at least 55.0 MiB");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[expect(clippy::exhaustive_structs, reason = "an interval has two ends and never gains a third")]
pub struct Interval {
    /// The lower end.
    pub low: u64,
    /// The upper end; `None` if it is not known.
    pub high: Option<u64>,
}

impl Interval {
    /// Returns the interval of a number that is known exactly.
    pub const fn exact(bytes: u64) -> Self {
        Self { low: bytes, high: Some(bytes) }
    }

    /// Returns whether both ends are the same.
    pub fn is_exact(self) -> bool {
        self.high == Some(self.low)
    }

    /// Returns whether a number of bytes is inside the interval.
    pub fn contains(self, bytes: u64) -> bool {
        self.low <= bytes && self.high.is_none_or(|high| bytes <= high)
    }

    /// Formats the interval in these units.
    pub fn show(self, units: Units) -> impl fmt::Display + use<> {
        Shown(self, units)
    }
}

impl fmt::Display for Interval {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.show(Units::Iec).fmt(out)
    }
}

struct Shown(Interval, Units);

impl fmt::Display for Shown {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(Interval { low, high }, units) = *self;
        out.pad(&match high {
            Some(high) if high == low => units.show(low).to_string(),
            Some(high) => format!("{} to {}", units.show(low), units.show(high)),
            None => format!("at least {}", units.show(low)),
        })
    }
}
