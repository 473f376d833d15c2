//! Medians and what is known of them, without any assumption on how samples are spread.

use serde::{Deserialize, Serialize};

/// A median, and where it is with a confidence of 95 %.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Estimate {
    /// The median.
    pub value: f64,
    /// Its interval; `None` of fewer than six samples, which can't tell.
    pub interval: Option<(f64, f64)>,
}

impl Estimate {
    /// Of numbers in any order; those that aren't finite don't count. `None` if none is left.
    pub(super) fn of(samples: impl IntoIterator<Item = f64>) -> Option<Self> {
        let sorted = sorted(samples);
        let value = middle(&sorted)?;
        Some(Self { value, interval: interval(&sorted) })
    }
}

/// The median of numbers in any order; those that aren't finite don't count.
pub(super) fn median(samples: impl IntoIterator<Item = f64>) -> Option<f64> {
    middle(&sorted(samples))
}

fn sorted(samples: impl IntoIterator<Item = f64>) -> Vec<f64> {
    let mut sorted: Vec<f64> = samples
        .into_iter()
        .filter(|sample| sample.is_finite())
        .map(|sample| sample + 0.0)
        .collect();
    sorted.sort_by(f64::total_cmp);
    sorted
}

fn middle(sorted: &[f64]) -> Option<f64> {
    let last = sorted.len().checked_sub(1)?;
    Some(f64::midpoint(sorted[last / 2], sorted[last.div_ceil(2)]))
}

/// Each sample is above the true median or below it, as a coin falls: so the interval lies between the
/// samples of those ranks that coins reach in 95 of 100 throws.
fn interval(sorted: &[f64]) -> Option<(f64, f64)> {
    let below = rank(sorted.len())?;
    Some((sorted[below], sorted[sorted.len() - 1 - below]))
}

/// How many samples can be left out at either end.
#[expect(clippy::cast_precision_loss, reason = "there are thousands of samples at most")]
fn rank(count: usize) -> Option<usize> {
    const EITHER_SIDE: f64 = 0.025;
    // The chance of `heads` heads and of no more than that, in logarithms: half to the power of
    // thousands is no number.
    let mut log_chance = -(count as f64) * core::f64::consts::LN_2;
    let mut chance = log_chance.exp();
    let mut heads = 0;
    while chance <= EITHER_SIDE && heads < count {
        heads += 1;
        log_chance += ((count - heads + 1) as f64 / heads as f64).ln();
        chance += log_chance.exp();
    }
    heads.checked_sub(1)
}

#[cfg(test)]
mod tests {
    use super::{Estimate, median, rank};

    #[test]
    fn medians_leave_out_what_is_no_number() {
        assert_eq!(median([f64::NAN, 3.0, f64::INFINITY, 1.0]), Some(2.0));
        assert_eq!(median([f64::NAN]), None);
        assert_eq!(median([]), None);
        assert_eq!(median([-0.0]).map(f64::to_bits), Some(0));
    }

    /// From the tables of the sign test.
    #[test]
    fn intervals_leave_out_as_many_as_the_sign_test_does() {
        let table = [(0, None), (5, None), (6, Some(0)), (8, Some(0)), (9, Some(1))];
        let more = [(20, Some(5)), (25, Some(7)), (100, Some(39)), (5000, Some(2430))];
        for (count, left_out) in table.into_iter().chain(more) {
            assert_eq!(rank(count), left_out, "{count}");
        }
    }

    #[test]
    fn an_estimate_of_few_samples_has_no_interval() {
        let few = Estimate::of([1.0, 2.0, 9.0]).unwrap();
        assert_eq!((few.value, few.interval), (2.0, None));
        let six = Estimate::of([6.0, 1.0, 5.0, 2.0, 4.0, 3.0]).unwrap();
        assert_eq!((six.value, six.interval), (3.5, Some((1.0, 6.0))));
        assert_eq!(Estimate::of([]), None);
    }
}
