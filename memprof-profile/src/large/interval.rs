//! A range that contains an unknown number of bytes, and its lower end, computed from independent
//! estimates of the number.
//!
//! The method tests each candidate mean by betting. A gambler bets that the estimates are higher
//! than the candidate. If the candidate is the true mean or more, the gambler's expected wealth
//! does not grow, so the wealth exceeds 40 with a probability of at most 1/40 (Ville's inequality).
//! The lower end is the largest candidate against which the wealth exceeds 40. The proof needs no
//! assumption about the distribution, and the interval is nearly as short as Student's. See
//! Waudby-Smith and Ramdas, "Estimating means of bounded random variables by betting", 2020.

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

/// The wealth that rejects a candidate: one divided by the chance of an error, which is 2.5 %.
const REJECTS: f64 = 40.0;

/// The maximum part of the wealth that one bet can lose.
///
/// With a part close to 1, a few estimates of 0 lose nearly all of the wealth. With a small part,
/// equal estimates give a longer interval. Simulations with 0.5, 0.75 and 0.9 are in
/// `docs/internal/decisions.md`.
const MAX_LOSS: f64 = 0.75;

/// The number of times that the range of candidates is halved. The halvings leave 2⁻³⁰ of the
/// range.
const HALVINGS: u32 = 30;

/// Returns a bound that is at most the true mean with a probability of at least 97.5 %.
///
/// The estimates must be independent. The expected value of each estimate must be at most the true
/// mean.
pub(super) fn lower_end(estimates: &[f64]) -> u64 {
    let count = estimates.len() as f64;
    let mean = estimates.iter().sum::<f64>() / count;
    if !(mean > 0.0 && mean.is_finite()) {
        return 0;
    }
    let stakes = stakes(estimates);
    let (mut low, mut high) = (0.0, mean);
    for _ in 0..HALVINGS {
        let candidate = f64::midpoint(low, high);
        if log_wealth(estimates, &stakes, candidate) >= REJECTS.ln() {
            low = candidate;
        } else {
            high = candidate;
        }
    }
    low as u64
}

/// Returns the gambler's stake before each estimate, from the spread of the estimates before it.
///
/// A stake does not depend on the candidate, so the wealth decreases as the candidate increases.
fn stakes(estimates: &[f64]) -> Vec<f64> {
    let count = estimates.len() as f64;
    let (mut seen, mut mean, mut squares) = (0.0, 0.0, 0.0);
    let mut next = |&estimate: &f64| {
        let variance = squares / (seen - 1.0);
        let stake = (2.0 * REJECTS.ln() / (variance * count)).sqrt();
        let distance = estimate - mean;
        let first = seen < 2.0;
        seen += 1.0;
        mean += distance / seen;
        squares += distance * (estimate - mean);
        if first { 0.0 } else { stake }
    };
    estimates.iter().map(&mut next).collect()
}

/// Returns the logarithm of the wealth after all bets against a candidate. The wealth starts at 1.
fn log_wealth(estimates: &[f64], stakes: &[f64], candidate: f64) -> f64 {
    let most = MAX_LOSS / candidate;
    let (mut wealth, mut log) = (1.0_f64, 0.0);
    for (&estimate, &stake) in estimates.iter().zip(stakes) {
        wealth *= 1.0 + stake.min(most) * (estimate - candidate);
        // A logarithm takes longer than the rest of the loop, so it is taken only before the
        // product leaves the range of a float.
        if !(1e-100..1e100).contains(&wealth) {
            log += wealth.ln();
            wealth = 1.0;
        }
    }
    log + wealth.ln()
}

#[cfg(test)]
mod tests {
    use super::lower_end;

    /// Returns independent numbers from 0 to 1.
    fn uniform(seed: u64) -> impl Iterator<Item = f64> {
        let mut state = seed.wrapping_mul(0xd134_2543_de82_ef95) ^ 0x5851_f42d;
        std::iter::repeat_with(move || {
            state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            ((mixed ^ (mixed >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
        })
    }

    #[test]
    fn the_lower_end_is_at_most_the_mean_of_any_distribution() {
        type Quantile = fn(f64) -> f64;
        let distributions: [(&str, Quantile, f64, f64); 7] = [
            ("equal", |_| 100.0, 100.0, 0.98),
            ("uniform", |at| at, 0.5, 0.92),
            ("exponential", |at| -(1.0 - at).ln(), 1.0, 0.86),
            ("two values", |at| if at < 0.5 { 1.0 } else { 1000.0 }, 500.5, 0.85),
            ("rare zeros", |at| if at < 0.001 { 0.0 } else { 1000.0 }, 999.0, 0.97),
            ("one in a million", |at| if at < 1e-6 { 99e6 } else { 1.0 }, 100.0, 0.009),
            ("heavy tail", |at| (1.0 - at).powf(-1.0 / 1.2), 6.0, 0.4),
        ];
        for (name, quantile, mean, least) in distributions {
            let ends = |seed| {
                let estimates = uniform(seed).take(512).map(|at| 1e6 * quantile(at));
                lower_end(&estimates.collect::<Vec<f64>>()) as f64 / 1e6
            };
            let ends: Vec<f64> = (0..400).map(ends).collect();
            let covered = ends.iter().filter(|&&end| end <= mean).count();
            assert!(covered >= 390, "{name}: {covered} of 400");
            let average = ends.iter().sum::<f64>() / 400.0 / mean;
            assert!(average >= least, "{name}: {average}");
        }
    }

    #[test]
    fn estimates_without_bytes_have_a_lower_end_of_0() {
        assert_eq!(lower_end(&[]), 0);
        assert_eq!(lower_end(&[0.0; 100]), 0);
        assert_eq!(lower_end(&[f64::INFINITY, 1.0]), 0);
    }
}
