//! Whether a series of observations grows, or only looks as if it did.
//!
//! All of it goes by ranks, so that one value far off changes little and no shape of the noise is
//! assumed. What is assumed is that the noise of one observation says nothing of the next one's: a
//! value that wanders, as a random walk does, is found to grow far more often than the chances say,
//! of 100 observations in about one series of three.

mod order;
#[cfg(test)]
mod tests;

/// One value of a series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Observation {
    /// When, in seconds, calls, or whatever else the slope is to be per.
    pub(crate) x: f64,
    /// The value, in bytes as a rule.
    pub(crate) y: f64,
    /// The standard error of `y`, in its unit; 0 for a value that was counted.
    pub(crate) standard_error: f64,
}

/// How a series went, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Trend {
    /// Units of `y` per unit of `x`: the median over all pairs of observations (Theil and Sen).
    pub(crate) slope: f64,
    /// The value at `x = 0` of the line with that slope that has half of the observations above it.
    pub(crate) intercept: f64,
    /// Where the slope is, with a confidence of 95 %; infinite where so few observations can't tell.
    pub(crate) slope_interval: (f64, f64),
    /// How likely a series without a trend rises as much in its ranks (Mann and Kendall, one-sided).
    pub(crate) chance: f64,
    pub(crate) first: Observation,
    pub(crate) last: Observation,
    /// How many, those at the same `x` taken together.
    pub(crate) observations: usize,
    /// The slope of the later half alone.
    pub(crate) later_slope: f64,
    /// The chance of the later half alone.
    pub(crate) later_chance: f64,
    /// The least values of the earlier and of the later half.
    pub(crate) floors: (f64, f64),
}

/// Of fewer, no order is unlikely enough: 4 rise by chance in one of 24 series, 5 in one of 120.
pub(super) const LEAST_OBSERVATIONS: usize = 5;

/// One steady series in a hundred is called growing by this test alone.
const CHANCE: f64 = 0.01;

/// The later half has fewer observations, and is only asked whether it looks flat.
const LATER_CHANCE: f64 = 0.05;

/// A cache that fills up slows down; below this share of the whole's slope, its growth has ended.
const LATER_SHARE: f64 = 0.25;

/// Combined standard errors that the last value must be above the first.
const STANDARD_ERRORS: f64 = 3.0;

impl Trend {
    /// The trend of observations in any order, those at the same `x` taken as one with their mean.
    ///
    /// `None` if that leaves fewer than two, or if a number is not finite or an error negative.
    ///
    /// # Cost
    /// A slope of 8 bytes for each of the n (n − 1) / 2 pairs, found and sorted: meant for up to
    /// 1 000 observations, where that is 4 MB. Thin out longer series.
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

    /// Whether the values grow, and still do.
    ///
    /// That takes at least 5 observations, a chance below 1 %, a slope whose whole interval is
    /// above 0, and a last value above the first by more than 3 combined standard errors. And
    /// - the later half must not be flat: it has at least a quarter of the slope, and it alone has a
    ///   chance of at most 5 % or, with 3 observations, each is above the one before. So what filled
    ///   up is not growth any more, once it has stopped for as long as it took;
    /// - the later half must not go down to the least value of the earlier one: what was there then
    ///   is freed when it does, and what is filled and cleared in turn is no growth.
    pub(crate) fn grows(&self) -> bool {
        let error = self.first.standard_error.hypot(self.last.standard_error);
        self.observations >= LEAST_OBSERVATIONS
            && self.chance < CHANCE
            && self.slope_interval.0 > 0.0
            && self.last.y - self.first.y > STANDARD_ERRORS * error
            && self.still_grows()
            && self.floors.1 > self.floors.0
    }

    fn still_grows(&self) -> bool {
        let least = order::chance(later_count(self.observations), &[], 0);
        self.later_chance <= LATER_CHANCE.max(least) && self.later_slope >= LATER_SHARE * self.slope
    }
}

/// Sorted by `x`, each of which is there once.
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
    // Adding 0 makes the negative zero that of the others, which the order would tell apart.
    let unsigned = |one: &Observation| Observation { x: one.x + 0.0, y: one.y + 0.0, ..*one };
    let mut sorted: Vec<_> = observations.iter().map(unsigned).collect();
    sorted.sort_by(|one, other| one.x.total_cmp(&other.x));
    Some(sorted.chunk_by(|one, other| one.x.total_cmp(&other.x).is_eq()).map(mean).collect())
}

/// The mean of observations at one place.
fn mean(same: &[Observation]) -> Observation {
    let count = number(same.len());
    let error = same.iter().map(|one| one.standard_error).fold(0.0, f64::hypot);
    Observation {
        x: same[0].x,
        y: same.iter().map(|one| one.y / count).sum(),
        standard_error: error / count,
    }
}

/// The middle one is not in it.
fn earlier_half(series: &[Observation]) -> &[Observation] {
    &series[..series.len() / 2]
}

fn later_half(series: &[Observation]) -> &[Observation] {
    &series[series.len() - later_count(series.len())..]
}

/// The middle one is in it, and two are if there are.
fn later_count(observations: usize) -> usize {
    observations.div_ceil(2).max(2).min(observations)
}

fn least(series: &[Observation]) -> f64 {
    series.iter().map(|one| one.y).fold(f64::INFINITY, f64::min)
}

/// The line through a series, and what its ranks say.
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

/// Of sorted numbers; none of none, or of those too large to compute with.
fn median(sorted: &[f64]) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    let (low, high) = (sorted[last / 2], sorted[last.div_ceil(2)]);
    let median = low / 2.0 + high / 2.0;
    median.is_finite().then_some(median)
}

/// The slopes that are left when at either end so many are taken away as pairs fall in hardly any
/// series without a trend.
fn interval(slopes: &[f64], observations: usize) -> (f64, f64) {
    match order::unlikely(observations) {
        Some(falling) => (slopes[falling], slopes[slopes.len() - 1 - falling]),
        None => (f64::NEG_INFINITY, f64::INFINITY),
    }
}

/// How many values are the same, for each value that is there more than once.
fn ties(series: &[Observation]) -> Vec<usize> {
    let mut values: Vec<f64> = series.iter().map(|one| one.y).collect();
    values.sort_by(f64::total_cmp);
    let same = values.chunk_by(|one, other| one.total_cmp(other).is_eq());
    same.map(<[f64]>::len).filter(|&count| count > 1).collect()
}

/// A count of observations or pairs.
#[expect(clippy::cast_precision_loss, reason = "2^53 observations fit into no memory")]
fn number(count: usize) -> f64 {
    count as f64
}
