//! Amounts estimated from samples, with their errors.

use core::fmt;
use core::iter::Sum;
use core::time::Duration;
use memprof_profile::views::Units;

/// An amount estimated from samples. It is unbiased and has a standard error.
///
/// ```
/// use memprof::heap::site::Estimate;
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
    /// The number of samples from which the estimate is computed.
    pub samples: u64,
    pub(crate) unseen: f64,
}

/// The number of standard errors on each side of a 95 % interval.
const SIDES: f64 = 1.96;

/// With fewer samples, the interval is wide and asymmetric, and more samples are worth their cost.
const FEW: u64 = 20;

impl Estimate {
    /// Returns an amount that is known exactly, without samples.
    pub fn exact(value: f64) -> Self {
        Self { value, variance: 0.0, samples: 0, unseen: 0.0 }
    }

    /// The estimate is 0; the mean distance determines how many bytes can exist without a sample.
    pub(crate) fn of_none(mean: u64) -> Self {
        Self { unseen: mean as f64, ..Self::exact(0.0) }
    }

    /// Returns the standard error of the samples.
    pub fn standard_error(&self) -> f64 {
        self.variance.sqrt()
    }

    /// Returns an interval that contains the true amount in at least 95 of 100 cases. It is never
    /// below 0.
    ///
    /// The interval is valid for few samples and for none, because it includes amounts that may
    /// exist without a sample. In bytes, these amounts are up to 3.7 times the
    /// [mean](crate::Rate::mean_bytes).
    ///
    /// The call uses the method of Fay and Feuer for weighted sums of Poisson variables. For equal
    /// weights, that method gives Garwood's exact limits.
    pub fn interval(&self) -> (f64, f64) {
        let value = self.value.max(0.0);
        let weight = if value > 0.0 { self.unseen.max(self.variance / value) } else { self.unseen };
        if self.variance + weight <= 0.0 {
            return (value, value);
        }
        let low = if self.variance > 0.0 && value > 0.0 {
            gamma(value, self.variance, -SIDES)
        } else {
            value
        };
        (low, gamma(value + weight, weight.mul_add(weight, self.variance), SIDES))
    }

    /// Returns the distance from the value to the upper end of the [interval](Self::interval),
    /// which is the farther end.
    ///
    /// With many samples, both ends are about 1.96 standard errors away.
    pub fn margin(&self) -> f64 {
        self.interval().1 - self.value.max(0.0)
    }

    /// Returns true if there are fewer than 20 samples, and a finer [rate](crate::set_rate) is
    /// possible.
    ///
    /// Exact amounts return false.
    pub fn has_few_samples(&self) -> bool {
        self.samples < FEW && self.unseen > 0.0
    }

    /// Returns the estimate of an amount of which each sampled block has `factor`.
    ///
    /// ```
    /// use memprof::heap::site::Estimate;
    ///
    /// assert_eq!(Estimate::exact(3.0).times(4096.0).value, 12288.0);
    /// ```
    #[must_use]
    pub fn times(self, factor: f64) -> Self {
        let Self { value, variance, samples, unseen } = self;
        let variance = variance * factor * factor;
        Self { value: value * factor, variance, samples, unseen: unseen * factor }
    }

    /// Displays the estimate as bytes with the [margin](Self::margin): `1.2 MiB ± 102.4 KiB`.
    pub fn bytes(&self) -> impl fmt::Display + use<> {
        Bytes(*self)
    }

    /// Estimates the bytes that a sampled block of `size` bytes represents, for this mean distance.
    pub(crate) fn of_bytes(size: u64, mean: u64) -> Self {
        Self { unseen: mean as f64, ..Self::of(size as f64, probability(size, mean)) }
    }

    /// Estimates the blocks that a sampled block of `size` bytes represents, for this mean
    /// distance. As many blocks of this size as have the mean may exist without a sample.
    pub(crate) fn of_blocks(size: u64, mean: u64) -> Self {
        let unseen = mean as f64 / size.max(1) as f64;
        Self { unseen, ..Self::of(1.0, probability(size, mean)) }
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.value += other.value;
        self.variance += other.variance;
        self.samples += other.samples;
        self.unseen = self.unseen.max(other.unseen);
    }

    fn of(amount: f64, probability: f64) -> Self {
        Self {
            value: amount / probability,
            variance: amount * amount * (1.0 - probability) / (probability * probability),
            samples: 1,
            unseen: 0.0,
        }
    }
}

/// Returns a quantile of a gamma distribution, from the cube of a normal one (Wilson and Hilferty).
///
/// `errors` is the same quantile of the standard normal distribution.
fn gamma(mean: f64, variance: f64, errors: f64) -> f64 {
    // For k degrees of freedom, the formula has the term 2 / (9 k). A gamma variable has k = 2
    // mean² / variance.
    let spread = variance / (9.0 * mean * mean);
    let root = errors.mul_add(spread.sqrt(), 1.0 - spread);
    mean * root.max(0.0).powi(3)
}

/// Returns the probability that a block of `size` bytes has a marked byte. The result is above 0,
/// so that callers can divide by it. A mean of 0 samples each block.
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
        let (value, margin) = (self.0.value.max(0.0), self.0.margin());
        let shown = Units::Iec.show(value.round() as u64).to_string();
        if margin < 0.5 {
            return out.pad(&shown);
        }
        out.pad(&format!("{shown} ± {}", Units::Iec.show(margin.round() as u64)))
    }
}

/// The lifetimes of sampled blocks that have been freed.
///
/// Blocks that are still live are not included. A reallocation counts as a free. Each sample stands
/// for about the same number of bytes, so the mean is weighted by bytes: a large block counts for
/// more than a small one.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lifetimes {
    pub(crate) samples: u64,
    /// The sum of the lifetimes in milliseconds.
    pub(crate) sum: f64,
    pub(crate) squares: f64,
}

impl Lifetimes {
    /// Returns the number of sampled blocks that were freed.
    pub fn samples(&self) -> u64 {
        self.samples
    }

    /// Returns the mean lifetime, rounded to milliseconds. `None` if no sampled block was freed.
    pub fn mean(&self) -> Option<Duration> {
        (self.samples > 0).then(|| milliseconds(self.sum / self.samples as f64))
    }

    /// Returns the standard error of the mean. `None` with fewer than two samples.
    pub fn standard_error(&self) -> Option<Duration> {
        self.error().map(|error| Duration::from_secs_f64(error / 1000.0))
    }

    /// Returns an interval that contains the true mean in about 95 of 100 cases. `None` with fewer
    /// than 20 samples.
    pub fn interval(&self) -> Option<(Duration, Duration)> {
        let margin = SIDES * self.error().filter(|_| self.samples >= FEW)?;
        let mean = self.sum / self.samples as f64;
        Some((milliseconds(mean - margin), milliseconds(mean + margin)))
    }

    /// Returns milliseconds.
    fn error(&self) -> Option<f64> {
        if self.samples < 2 {
            return None;
        }
        let count = self.samples as f64;
        let mean = self.sum / count;
        Some(((self.squares / count - mean * mean).max(0.0) / (count - 1.0)).sqrt())
    }

    pub(crate) fn add(&mut self, other: Self) {
        self.samples += other.samples;
        self.sum += other.sum;
        self.squares += other.squares;
    }
}

fn milliseconds(number: f64) -> Duration {
    Duration::from_millis(number.max(0.0).round() as u64)
}

#[cfg(test)]
#[expect(clippy::float_cmp, reason = "these are exact")]
mod tests {
    use super::{Estimate, Lifetimes, probability};
    use crate::record::sample::Random;
    use core::time::Duration;

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
        assert_eq!(sum.bytes().to_string(), "6.3 MiB ± 1.4 MiB");
        assert_eq!(Estimate::default().bytes().to_string(), "0 B");
    }

    #[test]
    fn few_samples_have_a_wide_interval_and_none_an_upper_limit() {
        let within = |value: f64, expected: f64| (value / expected - 1.0).abs() < 0.02;
        let of = |samples: u32| {
            let sum = (0..samples).map(|_| Estimate::of_bytes(1, 1 << 20)).sum::<Estimate>();
            let sum = [Estimate::of_none(1 << 20), sum].into_iter().sum::<Estimate>();
            let (low, high) = sum.interval();
            (low / f64::from(1 << 20), high / f64::from(1 << 20))
        };
        // The exact limits of a Poisson variable.
        for (samples, low, high) in [(0, 0.0, 3.689), (3, 0.619, 8.767), (10, 4.795, 18.39)] {
            let (found_low, found_high) = of(samples);
            assert!(within(found_high, high), "{samples}: {found_high}, not {high}");
            assert!(found_low <= low * 1.001 + 1e-9 && found_low >= low * 0.85, "{found_low}");
        }
        let three: Estimate = (0..3).map(|_| Estimate::of_bytes(64 << 20, 1 << 19)).sum();
        assert_eq!(three.bytes().to_string(), "192.0 MiB ± 1.5 MiB");
        assert!(three.has_few_samples() && three.interval().0 > 190.0 * 1_048_576.0);
        assert_eq!(Estimate::of_none(1 << 19).bytes().to_string(), "0 B ± 1.8 MiB");
        let each: Estimate = (0..3).map(|_| Estimate::of_bytes(100, 0)).sum();
        assert!(!each.has_few_samples());
        assert_eq!((each.bytes().to_string(), each.interval()), ("300 B".into(), (300.0, 300.0)));
    }

    /// Block sizes as multiples of the mean, for heaps of small, medium, large and mixed blocks.
    const HEAPS: [&[f64]; 4] =
        [&[0.02], &[1.0], &[4.0, 8.0, 0.01], &[0.01, 0.01, 0.1, 0.5, 1.0, 3.0]];

    #[test]
    #[cfg_attr(miri, ignore = "draws by the 100,000")]
    fn intervals_have_the_truth_inside_in_95_of_100_cases() {
        const TRIALS: u32 = 2000;
        const MEAN: u64 = 1 << 20;
        let random = Random::new();
        random.seed(5);
        for (heap, sizes) in HEAPS.iter().enumerate() {
            for means in [0.3, 1.0, 3.0, 10.0, 60.0] {
                let sizes: Vec<u64> =
                    sizes.iter().map(|size| (size * MEAN as f64) as u64).collect();
                let (mut blocks, mut truth) = (Vec::new(), 0);
                while (truth as f64) < means * MEAN as f64 {
                    blocks.push(sizes[blocks.len() % sizes.len()]);
                    truth += blocks[blocks.len() - 1];
                }
                let is_inside = |_: &u32| {
                    let sampled =
                        blocks.iter().filter(|size| random.unit() <= probability(**size, MEAN));
                    let estimates = sampled.map(|size| Estimate::of_bytes(*size, MEAN));
                    let mut sum = Estimate::of_none(MEAN);
                    estimates.for_each(|one| sum.add(one));
                    let (low, high) = sum.interval();
                    (low..=high).contains(&(truth as f64))
                };
                let inside = (0..TRIALS).filter(is_inside).count();
                let share = inside as f64 / f64::from(TRIALS);
                assert!(share >= 0.94, "heap {heap} of {means} means: {share}");
            }
        }
    }

    #[test]
    fn the_interval_of_a_mean_lifetime_needs_twenty_samples_and_has_the_mean() {
        let of = |ages: &[f64]| {
            let one = |age: &f64| Lifetimes { samples: 1, sum: *age, squares: age * age };
            ages.iter().map(one).fold(Lifetimes::default(), |mut sum, next| {
                sum.add(next);
                sum
            })
        };
        let milliseconds = Duration::from_millis;
        assert_eq!((of(&[]).mean(), of(&[]).interval()), (None, None));
        assert_eq!((of(&[10.0]).standard_error(), of(&[10.0; 19]).interval()), (None, None));
        let same = of(&[10.0; 20]);
        assert_eq!(same.mean(), Some(milliseconds(10)));
        assert_eq!(same.interval(), Some((milliseconds(10), milliseconds(10))));
        // The standard deviation is 100 ms, so the standard error of 100 samples is 10 ms.
        let spread: Vec<f64> = (0..100).map(|at| if at % 2 == 0 { 100.0 } else { 300.0 }).collect();
        assert_eq!(of(&spread).mean(), Some(milliseconds(200)));
        assert_eq!(of(&spread).interval(), Some((milliseconds(180), milliseconds(220))));
        let error = of(&spread).standard_error().expect("there are two");
        assert!(error.abs_diff(milliseconds(10)) < milliseconds(1), "{error:?}");
    }
}
