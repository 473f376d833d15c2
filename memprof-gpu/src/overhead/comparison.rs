//! What timing two operations in turn tells: times, their difference, its noise and a verdict.

use super::statistics::{Estimate, median};
use serde::{Deserialize, Serialize};

/// Repeats whose medians differ by more are not stable.
const STABLE: f64 = 0.10;

/// An operation through a wrapper beside the same without it. [`Bench::compare`](super::Bench::compare)
/// makes it.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Comparison {
    /// The time that the host is busy: on a device, with submitting the work.
    pub host: Timing,
    /// The time that the device takes; `None` where the host does the work.
    pub device: Option<Timing>,
    /// Calls in a sample.
    pub batch: u32,
    /// Samples of either operation.
    pub samples: u32,
    /// Times that the whole was repeated.
    pub repeats: u32,
}

/// Nanoseconds per call of either operation, by one clock.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Timing {
    /// The raw operation, the median of its samples.
    pub raw_ns: f64,
    /// The operation through the wrapper, likewise.
    pub wrapped_ns: f64,
    /// What the wrapper takes more: the median of the differences between neighbouring samples.
    pub extra_ns: Estimate,
    /// Wrapped over raw: the median of the ratios of neighbouring samples. `None` if the raw operation
    /// takes no time that the clock shows.
    pub ratio: Option<Estimate>,
    /// By how much the raw operation differs from itself, in nanoseconds; `None` if too few samples
    /// can tell.
    pub noise_ns: Option<f64>,
    /// The same as a share of its time: a ratio that is not farther from 1 is none.
    pub noise: Option<f64>,
    /// By how much the medians of the repeats differ, as a share of the least; the larger of both
    /// operations'. `None` of one repeat.
    pub spread: Option<f64>,
    /// What is to be said of it.
    pub verdict: Verdict,
}

/// Whether a wrapper costs time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// The wrapper takes more time, and more so than the raw operation differs from itself.
    Slower,
    /// The wrapper takes less, likewise.
    Faster,
    /// No difference above the noise.
    Same,
    /// There are too few samples to tell.
    TooFew,
    /// The raw operation is too short for the clock.
    TooShort,
}

impl Verdict {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Slower => "slower",
            Self::Faster => "faster",
            Self::Same => "same",
            Self::TooFew => "unknown: too few samples",
            Self::TooShort => "unknown: too short",
        }
    }
}

/// Two times of neighbouring samples, in nanoseconds per call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Pair {
    pub(super) one: f64,
    pub(super) other: f64,
}

/// The samples of one repeat by one clock.
#[derive(Clone, Debug, Default)]
pub(super) struct Repeat {
    /// The raw operation beside itself.
    pub(super) same: Vec<Pair>,
    /// The raw operation beside the wrapped one.
    pub(super) pairs: Vec<Pair>,
}

impl Timing {
    /// `None` if there is no sample.
    pub(super) fn of(repeats: &[Repeat]) -> Option<Self> {
        let pairs = || repeats.iter().flat_map(|repeat| &repeat.pairs);
        let same = || repeats.iter().flat_map(|repeat| &repeat.same);
        let mut timing = Self {
            raw_ns: median(pairs().map(|pair| pair.one))?,
            wrapped_ns: median(pairs().map(|pair| pair.other))?,
            extra_ns: Estimate::of(pairs().map(difference))?,
            ratio: Estimate::of(pairs().map(ratio)),
            noise_ns: noise(Estimate::of(same().map(difference)), repeats, difference),
            noise: noise(Estimate::of(same().map(excess)), repeats, excess),
            spread: spread(repeats),
            verdict: Verdict::TooShort,
        };
        timing.verdict = timing.judge(repeats);
        Some(timing)
    }

    /// Whether the repeats are within 10 % of one another; `None` of one repeat.
    pub fn is_stable(&self) -> Option<bool> {
        self.spread.map(|spread| spread <= STABLE)
    }

    fn judge(&self, repeats: &[Repeat]) -> Verdict {
        let Some(ratio) = self.ratio.filter(|_| self.raw_ns > 0.0) else {
            return Verdict::TooShort;
        };
        let (Some((low, high)), Some(noise)) = (ratio.interval, self.noise) else {
            return Verdict::TooFew;
        };
        let medians =
            || repeats.iter().filter_map(|repeat| median(repeat.pairs.iter().map(excess)));
        if ratio.value - 1.0 > noise && low > 1.0 && medians().all(|more| more > 0.0) {
            Verdict::Slower
        } else if 1.0 - ratio.value > noise && high < 1.0 && medians().all(|more| more < 0.0) {
            Verdict::Faster
        } else {
            Verdict::Same
        }
    }
}

fn difference(pair: &Pair) -> f64 {
    pair.other - pair.one
}

/// Not finite where no time passed, so that it doesn't count.
fn ratio(pair: &Pair) -> f64 {
    pair.other / pair.one
}

fn excess(pair: &Pair) -> f64 {
    ratio(pair) - 1.0
}

/// How far from none a difference can be though there is none: the far end of its interval, or the
/// median of the repeat that is farthest off.
fn noise(of_all: Option<Estimate>, repeats: &[Repeat], of: fn(&Pair) -> f64) -> Option<f64> {
    let (low, high) = of_all?.interval?;
    let medians = repeats.iter().filter_map(|repeat| median(repeat.same.iter().map(of)));
    Some(medians.chain([low, high]).map(f64::abs).fold(0.0, f64::max))
}

fn spread(repeats: &[Repeat]) -> Option<f64> {
    let one = spread_of(repeats, |pair| pair.one)?;
    let other = spread_of(repeats, |pair| pair.other)?;
    Some(one.max(other))
}

fn spread_of(repeats: &[Repeat], time: fn(&Pair) -> f64) -> Option<f64> {
    let medians: Vec<f64> =
        repeats.iter().filter_map(|repeat| median(repeat.pairs.iter().map(time))).collect();
    if medians.len() < 2 {
        return None;
    }
    let least = medians.iter().copied().fold(f64::INFINITY, f64::min);
    let most = medians.iter().copied().fold(0.0, f64::max);
    (least > 0.0).then(|| most / least - 1.0)
}
