//! An amount known from samples, and how well.

use core::fmt;
use core::iter::Sum;
use memprof_core::Units;

/// An amount estimated from samples: unbiased, with its standard error.
///
/// ```
/// use memprof_heap::Estimate;
///
/// let exact = Estimate::exact(1024.0);
/// assert_eq!(exact.interval(), (1024.0, 1024.0));
/// assert_eq!(exact.bytes().to_string(), "1.0 KiB");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Estimate {
    /// The estimate.
    pub value: f64,
    /// The square of the standard error.
    pub variance: f64,
    /// How many samples it comes from.
    pub samples: u64,
}

/// Standard errors to either side in which 95 of 100 estimates have the truth.
const SIDES: f64 = 1.96;

impl Estimate {
    /// What is known without samples.
    pub fn exact(value: f64) -> Self {
        Self { value, variance: 0.0, samples: 0 }
    }

    /// How far off the estimate is on average.
    pub fn standard_error(&self) -> f64 {
        self.variance.sqrt()
    }

    /// Where the truth is in 95 of 100 cases; never below 0, as no amount is.
    ///
    /// With less than about 20 samples it is too narrow: what no sample came from doesn't show.
    pub fn interval(&self) -> (f64, f64) {
        let side = SIDES * self.standard_error();
        ((self.value - side).max(0.0), self.value + side)
    }

    /// Shows it as bytes: `1.2 MiB ± 0.1 MiB`.
    pub fn bytes(&self) -> impl fmt::Display + use<> {
        Bytes(*self)
    }

    /// What a block of `size` bytes stands for that was sampled with a mean distance: bytes.
    pub(crate) fn of_bytes(size: u64, mean: u64) -> Self {
        Self::of(size as f64, probability(size, mean))
    }

    /// The same: blocks.
    pub(crate) fn of_blocks(size: u64, mean: u64) -> Self {
        Self::of(1.0, probability(size, mean))
    }

    /// Adds what comes from other samples.
    pub(crate) fn add(&mut self, other: Self) {
        self.value += other.value;
        self.variance += other.variance;
        self.samples += other.samples;
    }

    fn of(amount: f64, probability: f64) -> Self {
        Self {
            value: amount / probability,
            variance: amount * amount * (1.0 - probability) / (probability * probability),
            samples: 1,
        }
    }
}

/// That a block of `size` bytes has a marked one: above 0, as only such blocks are asked for.
/// A mean of 0 samples each block.
pub(crate) fn probability(size: u64, mean: u64) -> f64 {
    if mean == 0 {
        return 1.0;
    }
    let expected = size as f64 / mean as f64;
    (-(-expected).exp_m1()).max(f64::MIN_POSITIVE)
}

impl Sum for Estimate {
    fn sum<I: Iterator<Item = Self>>(all: I) -> Self {
        all.fold(Self::default(), |mut sum, next| {
            sum.add(next);
            sum
        })
    }
}

struct Bytes(Estimate);

impl fmt::Display for Bytes {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (value, error) = (self.0.value.max(0.0), SIDES * self.0.standard_error());
        let shown = Units::Iec.show(value.round() as u64).to_string();
        if error < 0.5 {
            return out.pad(&shown);
        }
        out.pad(&format!("{shown} ± {}", Units::Iec.show(error.round() as u64)))
    }
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these are exact")]
mod tests {
    use super::{Estimate, probability};

    #[test]
    fn a_block_far_above_the_mean_stands_for_itself() {
        let estimate = Estimate::of_bytes(1 << 20, 1024);
        assert_eq!((estimate.value, estimate.variance), (1_048_576.0, 0.0));
        assert_eq!(Estimate::of_blocks(1 << 20, 1024).value, 1.0);
    }

    #[test]
    fn a_block_far_below_the_mean_stands_for_about_the_mean() {
        let estimate = Estimate::of_bytes(16, 65_536);
        assert!((estimate.value - 65_544.0).abs() < 1.0, "{estimate:?}");
        let blocks = Estimate::of_blocks(16, 65_536);
        assert!((blocks.value - 4096.5).abs() < 0.1, "{blocks:?}");
    }

    #[test]
    fn the_probability_grows_with_the_block_and_never_is_0() {
        assert!(probability(1, u64::MAX) > 0.0);
        assert!(probability(0, 1) > 0.0);
        assert!(probability(100, 1000) < probability(200, 1000));
        assert_eq!(probability(u64::MAX, 1), 1.0);
        assert_eq!(probability(1, 0), 1.0, "each block");
    }

    #[test]
    fn estimates_show_their_interval() {
        let sum: Estimate = (0..100).map(|_| Estimate::of_bytes(100, 65_536)).sum();
        assert_eq!(sum.samples, 100);
        assert_eq!(sum.bytes().to_string(), "6.3 MiB ± 1.2 MiB");
        assert_eq!(Estimate::default().bytes().to_string(), "0 B");
    }
}
