//! The test that a series of exact values grows: the bytes of the process, of the rounds of a test, or
//! of one block.
//!
//! All tests use ranks, so one outlier changes little and no distribution of the noise is assumed.
//! They assume that the noise of successive observations is independent. A value that wanders, like
//! a random walk, is found to grow far more often than the chances below state. With 100
//! observations this happens in about one series of three.
//!
//! The number of falling pairs of a series without a trend has the distribution of Kendall's
//! statistic: all orders of the values are equally likely. Up to 20 values, the orders are counted;
//! above that, the number is close to normally distributed.

/// The course of exact values `(x, y)`. The unit of `x` is a second, a round, or any other.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Trend {
    /// Units of `y` per unit of `x`: the median over all pairs of observations (Theil and Sen).
    pub slope: f64,
    /// The interval of the slope with a confidence of 95 %; infinite if there are too few
    /// observations.
    pub slope_interval: (f64, f64),
    /// The probability that a series without a trend rises this much in its ranks (Mann and
    /// Kendall, one-sided).
    pub chance: f64,
    pub first: (f64, f64),
    pub last: (f64, f64),
    grows: bool,
}

/// The minimum number of observations of a series that grows. With fewer, no order is unlikely
/// enough: 4 values rise by chance in one of 24 series, 5 values in one of 120.
pub(crate) const MIN_OBSERVATIONS: usize = 5;

/// A series grows only if its chance is below this limit. This test alone finds growth in one of a
/// hundred steady series.
const CHANCE: f64 = 0.01;

/// The limit for the chance of the later half. The limit is higher than `CHANCE`, because that half
/// has fewer observations and this test only excludes that it is flat.
const LATER_CHANCE: f64 = 0.05;

/// If the slope of the later half is below this share of the whole slope, the growth has ended. The
/// growth of a cache slows down as it fills.
const LATER_SHARE: f64 = 0.25;

/// The number of windows into which a long series is divided.
///
/// Adjacent observations of a program are correlated, but the test assumes independent ones. The
/// minima of this many windows hardly depend on the fluctuations of their neighbours.
const WINDOWS: usize = 20;

impl Trend {
    /// Returns the trend of the minima of 20 windows, or of all values if there are at most 20. The
    /// first window may be shorter. Its minimum is then larger, so growth may be missed but is not
    /// invented.
    pub(crate) fn of_minima(series: &[(f64, f64)]) -> Option<Self> {
        let size = series.len().div_ceil(WINDOWS).max(1);
        let least = |window: &[(f64, f64)]| {
            window.iter().copied().min_by(|one, other| one.1.total_cmp(&other.1))
        };
        let mut minima: Vec<_> = series.rchunks(size).filter_map(least).collect();
        minima.reverse();
        Self::of(&minima)
    }

    /// Returns the trend of a series in the order of `x`, each of which occurs once.
    ///
    /// Returns `None` if there are fewer than two observations, or if a number is not finite.
    ///
    /// # Cost
    /// The call computes and sorts a slope of 8 bytes for each of the n (n − 1) / 2 pairs. It is
    /// meant for up to 1,000 observations, whose slopes take 4 MB. Thin out longer series.
    pub(crate) fn of(series: &[(f64, f64)]) -> Option<Self> {
        if !series.iter().all(|one| one.0.is_finite() && one.1.is_finite()) {
            return None;
        }
        let (first, last) = (*series.first()?, *series.last()?);
        let whole = Line::through(series)?;
        let later = Line::through(later_half(series))?;
        let Line { slope, slope_interval, chance } = whole;
        let grows = series.len() >= MIN_OBSERVATIONS
            && chance < CHANCE
            && slope_interval.0 > 0.0
            && last.1 > first.1
            && later.is_still_growing(slope, later_half(series).len())
            && least(later_half(series)) > least(earlier_half(series));
        Some(Self { slope, slope_interval, chance, first, last, grows })
    }

    /// Returns true if the values grow, and still do.
    ///
    /// This requires at least 5 observations, a chance below 1 %, and a slope whose whole interval
    /// is above 0. The last value must exceed the first. In addition:
    /// - The later half must not be flat: its slope is at least a quarter of the whole slope. Its
    ///   own chance is at most 5 %. If it has only 3 observations, each must be above the one
    ///   before. So a cache that has filled up does not grow by this test, once it has been full
    ///   for as long as it took to fill.
    /// - The later half must stay above the minimum of the earlier half. If it falls to that
    ///   minimum, the earlier memory was freed. Memory that is filled and cleared in turn does not
    ///   grow.
    pub(crate) fn grows(&self) -> bool {
        self.grows
    }
}

/// Returns the earlier half, without the middle observation.
fn earlier_half(series: &[(f64, f64)]) -> &[(f64, f64)] {
    &series[..series.len() / 2]
}

/// Includes the middle observation, so there are two if the series has two.
fn later_half(series: &[(f64, f64)]) -> &[(f64, f64)] {
    &series[series.len() - series.len().div_ceil(2).max(2).min(series.len())..]
}

fn least(series: &[(f64, f64)]) -> f64 {
    series.iter().map(|one| one.1).fold(f64::INFINITY, f64::min)
}

/// The line through a series, and the results of the rank tests.
struct Line {
    slope: f64,
    slope_interval: (f64, f64),
    chance: f64,
}

impl Line {
    fn through(series: &[(f64, f64)]) -> Option<Self> {
        let mut slopes = Vec::with_capacity(pairs(series.len()));
        let mut falling = 0;
        for (index, one) in series.iter().enumerate() {
            for later in &series[index + 1..] {
                falling += usize::from(later.1 < one.1);
                slopes.push((later.1 - one.1) / (later.0 - one.0));
            }
        }
        slopes.sort_by(f64::total_cmp);
        let slope = median(&slopes)?;
        Some(Self {
            slope,
            slope_interval: interval(&slopes, series.len()),
            chance: chance(series.len(), &ties(series), falling),
        })
    }

    /// Returns true if the later half, of this many observations, is not flat compared with the whole.
    fn is_still_growing(&self, whole_slope: f64, observations: usize) -> bool {
        let least = chance(observations, &[], 0);
        self.chance <= LATER_CHANCE.max(least) && self.slope >= LATER_SHARE * whole_slope
    }
}

/// Returns `None` for no numbers, or if they are too large to compute with.
fn median(sorted: &[f64]) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let (low, high) = (sorted[last / 2], sorted[last.div_ceil(2)]);
    let median = low / 2.0 + high / 2.0;
    median.is_finite().then_some(median)
}

/// Removes the same number of slopes at each end: the result of `unlikely`.
fn interval(slopes: &[f64], observations: usize) -> (f64, f64) {
    match unlikely(observations) {
        Some(falling) => (slopes[falling], slopes[slopes.len() - 1 - falling]),
        None => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

fn ties(series: &[(f64, f64)]) -> Vec<usize> {
    let mut values: Vec<f64> = series.iter().map(|one| one.1).collect();
    values.sort_by(f64::total_cmp);
    let same = values.chunk_by(|one, other| one.total_cmp(other).is_eq());
    same.map(<[f64]>::len).filter(|&count| count > 1).collect()
}

#[expect(clippy::cast_precision_loss, reason = "memory holds fewer than 2^53 observations")]
fn number(count: usize) -> f64 {
    count as f64
}

/// The maximum number of values whose orders can be counted in 63 bits: 20! = 2.4 · 10^18.
const COUNTED: usize = 20;

/// The lower-tail probability of [`unlikely`], and the number of standard deviations below the mean
/// at which a normal distribution has this probability.
const TAIL: (f64, f64) = (0.025, 1.959_964);

const fn pairs(values: usize) -> usize {
    values * values.saturating_sub(1) / 2
}

/// Returns the probability that `values` values in random order have at most `falling` falling
/// pairs.
///
/// `ties` has the sizes of groups of equal values; a pair within a group neither falls nor rises.
fn chance(values: usize, ties: &[usize], falling: usize) -> f64 {
    if values <= COUNTED {
        share(&orders(values, ties), falling)
    } else {
        let (mean, deviation) = normal(values, ties);
        // The numbers up to `falling` end half-way to the next one (continuity correction).
        match (number(falling) + 0.5 - mean) / deviation {
            of_equal if of_equal.is_infinite() || of_equal.is_nan() => 1.0,
            deviations => below(deviations),
        }
    }
}

/// Returns the largest `k` for which at most `k` pairs fall with a probability of at most 2.5 %, in
/// a random order of `values` different values. Returns `None` if even `k` = 0 has a higher
/// probability.
fn unlikely(values: usize) -> Option<usize> {
    if values <= COUNTED {
        let orders = orders(values, &[]);
        (0..orders.len()).take_while(|&falling| share(&orders, falling) <= TAIL.0).last()
    } else {
        let (mean, deviation) = normal(values, &[]);
        Some(whole(mean - TAIL.1 * deviation - 0.5))
    }
}

/// Returns the number of orders of the values without a falling pair, with one, with two, and so
/// on.
///
/// A value that is added to smaller ones makes 0, 1, 2, … pairs fall, depending on its position. So
/// the orders of n values are the coefficients of 1 (1 + q) (1 + q + q²) … up to q^(n - 1). Groups
/// of equal values divide this by the polynomial of their own orders.
fn orders(values: usize, ties: &[usize]) -> Vec<i64> {
    let mut orders = vec![0; pairs(values) + 1];
    orders[0] = 1;
    for places in 2..=values {
        multiply(&mut orders, places);
    }
    for places in ties.iter().flat_map(|&equal| 2..=equal) {
        divide(&mut orders, places);
    }
    orders
}

/// Multiplies by 1 + q + … + q^(places - 1), which is (1 - q^places) / (1 - q).
fn multiply(series: &mut [i64], places: usize) {
    for power in (places..series.len()).rev() {
        series[power] -= series[power - places];
    }
    for power in 1..series.len() {
        series[power] += series[power - 1];
    }
}

fn divide(series: &mut [i64], places: usize) {
    for power in (1..series.len()).rev() {
        series[power] -= series[power - 1];
    }
    for power in places..series.len() {
        series[power] += series[power - places];
    }
}

#[expect(clippy::cast_precision_loss, reason = "a probability needs at most 52 bits")]
fn share(orders: &[i64], falling: usize) -> f64 {
    let all: i64 = orders.iter().sum();
    let some: i64 = orders.iter().take(falling + 1).sum();
    some as f64 / all as f64
}

/// Returns the mean and the standard deviation of the number of falling pairs (Kendall).
fn normal(values: usize, ties: &[usize]) -> (f64, f64) {
    let sum = |of: fn(f64) -> f64| {
        of(number(values)) - ties.iter().map(|&equal| of(number(equal))).sum::<f64>()
    };
    let mean = sum(|n| n * (n - 1.0)) / 4.0;
    let variance = sum(|n| n * (n - 1.0) * (2.0 * n + 5.0)) / 72.0;
    (mean, variance.max(0.0).sqrt())
}

/// Returns the probability that a normal value is at most `deviations` standard deviations above
/// its mean.
///
/// It uses the approximation of the error function in *Numerical Recipes* (`erfcc`). Its relative
/// error is below 1.2 · 10^-7 everywhere, also for small probabilities.
fn below(deviations: f64) -> f64 {
    const TERMS: [f64; 10] = [
        0.170_872_77,
        -0.822_152_23,
        1.488_515_87,
        -1.135_203_98,
        0.278_868_07,
        -0.186_288_06,
        0.096_784_18,
        0.374_091_96,
        1.000_023_68,
        -1.265_512_23,
    ];
    let x = deviations.abs() / core::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + x / 2.0);
    let exponent = TERMS.iter().fold(0.0, |sum, term| sum * t + term) - x * x;
    let tail = t * exponent.exp() / 2.0;
    if deviations < 0.0 { tail } else { 1.0 - tail }
}

#[expect(clippy::cast_sign_loss, reason = "the mean of more than 20 values is far from 0")]
fn whole(number: f64) -> usize {
    number as usize
}

#[cfg(test)]
mod tests;
