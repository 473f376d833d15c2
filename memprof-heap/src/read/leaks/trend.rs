//! The test that a series of observations grows.
//!
//! All tests use ranks, so one outlier changes little and no distribution of the noise is assumed.
//! They assume that the noise of successive observations is independent. A value that wanders, like
//! a random walk, is found to grow far more often than the chances below state. With 100
//! observations this happens in about one series of three.

mod order;
#[cfg(test)]
mod tests;

/// One value of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Observation {
    /// The time in seconds, the number of calls, or any other unit for the slope.
    pub(crate) x: f64,
    /// The value, usually in bytes.
    pub(crate) y: f64,
    /// The standard error of `y`, in its unit; 0 for an exact value.
    pub(crate) standard_error: f64,
}

/// The course of a series, with its confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Trend {
    /// Units of `y` per unit of `x`: the median over all pairs of observations (Theil and Sen).
    pub(crate) slope: f64,
    /// The value at `x = 0` of a line with this slope. Half of the observations are above the line.
    pub(crate) intercept: f64,
    /// The interval of the slope with a confidence of 95 %; infinite if there are too few
    /// observations.
    pub(crate) slope_interval: (f64, f64),
    /// The probability that a series without a trend rises this much in its ranks (Mann and
    /// Kendall, one-sided).
    pub(crate) chance: f64,
    pub(crate) first: Observation,
    pub(crate) last: Observation,
    /// The number of observations. Those at the same `x` count as one.
    pub(crate) observations: usize,
    /// The slope of the later half alone.
    pub(crate) later_slope: f64,
    /// The `chance` of the later half alone.
    pub(crate) later_chance: f64,
    /// The minima of the earlier and of the later half.
    pub(crate) floors: (f64, f64),
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

/// The number of combined standard errors by which the last value must exceed the first.
const STANDARD_ERRORS: f64 = 3.0;

impl Trend {
    /// Returns the trend of observations in any order. Those at the same `x` are replaced by their
    /// mean.
    ///
    /// Returns `None` if fewer than two observations remain, or if a number is not finite or an
    /// error is negative.
    ///
    /// # Cost
    /// The call computes and sorts a slope of 8 bytes for each of the n (n − 1) / 2 pairs. It is
    /// meant for up to 1,000 observations, whose slopes take 4 MB. Thin out longer series.
    pub(crate) fn of(observations: &[Observation]) -> Option<Self> {
        let series = in_order(observations)?;
        let (first, last) = (*series.first()?, *series.last()?);
        let whole = Line::through(&series)?;
        let later = Line::through(later_half(&series))?;
        Some(Self {
            slope: whole.slope,
            intercept: whole.intercept,
            slope_interval: whole.slope_interval,
            chance: whole.chance,
            first,
            last,
            observations: series.len(),
            later_slope: later.slope,
            later_chance: later.chance,
            floors: (least(earlier_half(&series)), least(later_half(&series))),
        })
    }

    /// Returns true if the values grow, and still do.
    ///
    /// This requires at least 5 observations, a chance below 1 %, and a slope whose whole interval
    /// is above 0. The last value must exceed the first by more than 3 combined standard errors. In
    /// addition:
    /// - The later half must not be flat: its slope is at least a quarter of the whole slope. Its
    ///   own chance is at most 5 %. If it has only 3 observations, each must be above the one
    ///   before. So a cache that has filled up does not grow by this test, once it has been full
    ///   for as long as it took to fill.
    /// - The later half must stay above the minimum of the earlier half. If it falls to that
    ///   minimum, the earlier memory was freed. Memory that is filled and cleared in turn does not
    ///   grow.
    pub(crate) fn grows(&self) -> bool {
        let error = self.first.standard_error.hypot(self.last.standard_error);
        self.observations >= MIN_OBSERVATIONS
            && self.chance < CHANCE
            && self.slope_interval.0 > 0.0
            && self.last.y - self.first.y > STANDARD_ERRORS * error
            && self.is_still_growing()
            && self.floors.1 > self.floors.0
    }

    fn is_still_growing(&self) -> bool {
        let least = order::chance(later_count(self.observations), &[], 0);
        self.later_chance <= LATER_CHANCE.max(least) && self.later_slope >= LATER_SHARE * self.slope
    }
}

/// Sorts observations by `x`, and replaces those at the same `x` by their mean.
fn in_order(observations: &[Observation]) -> Option<Vec<Observation>> {
    let valid = |one: &Observation| {
        one.x.is_finite()
            && one.y.is_finite()
            && one.standard_error.is_finite()
            && one.standard_error >= 0.0
    };
    if !observations.iter().all(valid) {
        return None;
    }
    // The order distinguishes a negative from a positive zero. Adding 0 turns each negative zero
    // into a positive one.
    let unsigned = |one: &Observation| Observation { x: one.x + 0.0, y: one.y + 0.0, ..*one };
    let mut sorted: Vec<_> = observations.iter().map(unsigned).collect();
    sorted.sort_by(|one, other| one.x.total_cmp(&other.x));
    Some(sorted.chunk_by(|one, other| one.x.total_cmp(&other.x).is_eq()).map(mean).collect())
}

/// Returns the mean of observations at the same `x`.
fn mean(same: &[Observation]) -> Observation {
    let count = number(same.len());
    let error = same.iter().map(|one| one.standard_error).fold(0.0, f64::hypot);
    Observation {
        x: same[0].x,
        y: same.iter().map(|one| one.y / count).sum(),
        standard_error: error / count,
    }
}

/// Returns the earlier half, without the middle observation.
fn earlier_half(series: &[Observation]) -> &[Observation] {
    &series[..series.len() / 2]
}

fn later_half(series: &[Observation]) -> &[Observation] {
    &series[series.len() - later_count(series.len())..]
}

/// Returns the size of the later half, with the middle observation. The size is at least two if the
/// series has at least two observations.
fn later_count(observations: usize) -> usize {
    observations.div_ceil(2).max(2).min(observations)
}

fn least(series: &[Observation]) -> f64 {
    series.iter().map(|one| one.y).fold(f64::INFINITY, f64::min)
}

/// The line through a series, and the results of the rank tests.
struct Line {
    slope: f64,
    intercept: f64,
    slope_interval: (f64, f64),
    chance: f64,
}

impl Line {
    fn through(series: &[Observation]) -> Option<Self> {
        let mut slopes = Vec::with_capacity(order::pairs(series.len()));
        let mut falling = 0;
        for (index, one) in series.iter().enumerate() {
            for later in &series[index + 1..] {
                falling += usize::from(later.y < one.y);
                slopes.push((later.y - one.y) / (later.x - one.x));
            }
        }
        slopes.sort_by(f64::total_cmp);
        let slope = median(&slopes)?;
        let mut heights: Vec<f64> = series.iter().map(|one| one.y - slope * one.x).collect();
        heights.sort_by(f64::total_cmp);
        let intercept = median(&heights)?;
        Some(Self {
            slope,
            intercept,
            slope_interval: interval(&slopes, series.len()),
            chance: order::chance(series.len(), &ties(series), falling),
        })
    }
}

/// Returns the median of sorted numbers. Returns `None` for no numbers, or if they are too large to
/// compute with.
fn median(sorted: &[f64]) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let (low, high) = (sorted[last / 2], sorted[last.div_ceil(2)]);
    let median = low / 2.0 + high / 2.0;
    median.is_finite().then_some(median)
}

/// Returns the range of slopes after the same number of slopes is removed at each end. That number
/// is the result of `unlikely`.
fn interval(slopes: &[f64], observations: usize) -> (f64, f64) {
    match order::unlikely(observations) {
        Some(falling) => (slopes[falling], slopes[slopes.len() - 1 - falling]),
        None => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

/// Returns the size of each group of equal values.
fn ties(series: &[Observation]) -> Vec<usize> {
    let mut values: Vec<f64> = series.iter().map(|one| one.y).collect();
    values.sort_by(f64::total_cmp);
    let same = values.chunk_by(|one, other| one.total_cmp(other).is_eq());
    same.map(<[f64]>::len).filter(|&count| count > 1).collect()
}

/// Converts a count of observations or pairs to a float.
#[expect(clippy::cast_precision_loss, reason = "memory holds fewer than 2^53 observations")]
fn number(count: usize) -> f64 {
    count as f64
}
