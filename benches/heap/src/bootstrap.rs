//! A median with its confidence interval, by bootstrap (resampling of the measurements).

use memprof_benches::xorshift::Xorshift;

/// The number of resamples. It makes the error of the bounds smaller than the rounding to two
/// digits.
const SAMPLES: usize = 2000;
/// The share of the resampled medians within the bounds.
const HELD: f64 = 0.95;

/// A median and the bounds of its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    /// The median of the measurements.
    pub median: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// Returns the median and its interval. Equal values give equal bounds, because the generator
/// always has the same seed.
///
/// # Panics
/// Panics if there are no values.
pub fn estimate(values: &[f64]) -> Estimate {
    let mut random = Xorshift::new(7);
    let mut medians: Vec<_> = (0..SAMPLES)
        .map(|_| median((0..values.len()).map(|_| values[random.below(values.len())])))
        .collect();
    medians.sort_by(f64::total_cmp);
    let bound = |part: f64| medians[position(part, medians.len())];
    let outside = (1.0 - HELD) / 2.0;
    Estimate {
        median: median(values.iter().copied()),
        low: bound(outside),
        high: bound(1.0 - outside),
    }
}

/// Returns the middle value, or the mean of the two in the middle.
fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    let (left, right) = ((values.len() - 1) / 2, values.len() / 2);
    f64::midpoint(values[left], values[right])
}

#[allow(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a part of some thousand values"
)]
fn position(part: f64, values: usize) -> usize {
    ((values - 1) as f64 * part).round() as usize
}

#[cfg(test)]
mod tests {
    use super::{Estimate, estimate, median};
    use memprof_benches::xorshift::Xorshift;

    #[test]
    fn the_median_is_the_middle_or_between_the_two() {
        assert!((median([3.0, 1.0, 2.0].into_iter()) - 2.0).abs() < 1e-12);
        assert!((median([4.0, 1.0, 2.0, 3.0].into_iter()) - 2.5).abs() < 1e-12);
    }

    #[test]
    fn the_interval_of_equal_values_is_empty() {
        assert_eq!(estimate(&[1.5; 9]), Estimate { median: 1.5, low: 1.5, high: 1.5 });
        assert_eq!(estimate(&[2.0]), Estimate { median: 2.0, low: 2.0, high: 2.0 });
    }

    #[test]
    fn one_disturbed_round_moves_nothing() {
        let mut values = vec![1.0; 30];
        values.push(100.0);
        assert_eq!(estimate(&values), Estimate { median: 1.0, low: 1.0, high: 1.0 });
    }

    #[test]
    fn nineteen_in_twenty_intervals_hold_the_truth() {
        let mut random = Xorshift::new(8);
        let (runs, rounds) = (100, 31);
        let held = (0..runs)
            .filter(|_| {
                let values: Vec<_> = (0..rounds).map(|_| random.unit()).collect();
                let Estimate { low, high, .. } = estimate(&values);
                (low..=high).contains(&0.5)
            })
            .count();
        let part = f64::from(u32::try_from(held).expect("of 400")) / f64::from(runs);
        assert!((0.91..=0.99).contains(&part), "{part}");
    }
}
