//! Amounts estimated from samples.

use core::fmt;
use memprof_profile::views::Units;
use serde::{Deserialize, Serialize};

/// An unbiased estimate from samples, with its standard error.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The standard error. In 95 of 100 cases the true amount is within 1.96 standard errors.
    ///
    /// With fewer than 20 samples, this field is the distance from `value` to the upper end of the
    /// 95 % interval, divided by 1.96. The error also covers allocations of which no sample was
    /// taken.
    pub standard_error: f64,
    /// The number of samples.
    pub samples: u64,
}

impl Estimate {
    /// Returns an estimate with its standard error.
    pub const fn new(value: f64, standard_error: f64, samples: u64) -> Self {
        Self { value, standard_error, samples }
    }

    /// Returns the sum of two independent estimates.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        Self {
            value: self.value + other.value,
            standard_error: self.standard_error.hypot(other.standard_error),
            samples: self.samples.saturating_add(other.samples),
        }
    }

    /// Formats the estimate as bytes, followed by 1.96 standard errors: `1.2 MiB ± 102.4 KiB`.
    ///
    /// If the interval reaches below 0, only its upper end is shown: `at most 1.3 MiB`.
    pub fn bytes(&self, units: Units) -> impl fmt::Display + use<> {
        Bytes(*self, units)
    }
}

struct Bytes(Estimate, Units);

/// Formats an estimate with 1.96 standard errors, or only its upper end if the interval reaches below
/// 0.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "amounts are not negative, and below 2^64"
)]
pub fn with_side(
    estimate: &Estimate,
    value: impl Fn(u64) -> String,
    side: impl Fn(u64) -> String,
) -> String {
    let amount = estimate.value.max(0.0).round() as u64;
    match (1.96 * estimate.standard_error).round() as u64 {
        0 => value(amount),
        error if error > amount => format!("at most {}", value(amount.saturating_add(error))),
        error => format!("{} ± {}", value(amount), side(error)),
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(estimate, units) = self;
        let show = |amount| units.show(amount).to_string();
        out.pad(&with_side(estimate, show, show))
    }
}

#[cfg(test)]
mod tests {
    use super::Estimate;
    use memprof_profile::views::Units;

    #[test]
    fn an_interval_that_reaches_below_zero_is_shown_by_its_upper_end() {
        let shown =
            |value, side: f64| Estimate::new(value, side / 1.96, 2).bytes(Units::Iec).to_string();
        assert_eq!(shown(2048.0, 0.0), "2.0 KiB");
        assert_eq!(shown(2048.0, 2048.0), "2.0 KiB ± 2.0 KiB");
        assert_eq!(shown(2048.0, 3072.0), "at most 5.0 KiB");
        assert_eq!(shown(0.0, 3072.0), "at most 3.0 KiB");
    }
}
