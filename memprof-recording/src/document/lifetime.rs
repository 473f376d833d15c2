//! How long blocks lived that were freed.

use core::time::Duration;
use serde::{Deserialize, Serialize};

/// How long the blocks of a call site lived, from sampled blocks that were freed. Live blocks are
/// not among them. A reallocation counts as a free.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Lifetime {
    /// The mean in milliseconds. It is over bytes: a large block counts for more than a small one.
    pub mean_ms: f64,
    /// The standard error of the mean in milliseconds. `None` with one sample.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standard_error_ms: Option<f64>,
    /// The number of sampled blocks that were freed.
    pub samples: u64,
}

/// With fewer samples, a mean is too uncertain for an interval.
const FEW: u64 = 20;

impl Lifetime {
    /// Creates the lifetime of freed blocks.
    pub const fn new(mean_ms: f64, standard_error_ms: Option<f64>, samples: u64) -> Self {
        Self { mean_ms, standard_error_ms, samples }
    }

    /// Returns the mean lifetime.
    pub fn mean(&self) -> Duration {
        Duration::try_from_secs_f64(self.mean_ms / 1000.0).unwrap_or_default()
    }

    /// Returns the ends, in milliseconds, of the interval that contains the true mean in about 95 of
    /// 100 cases. `None` with fewer than 20 samples.
    pub fn interval_ms(&self) -> Option<[f64; 2]> {
        let margin = 1.96 * self.standard_error_ms.filter(|_| self.samples >= FEW)?;
        Some([(self.mean_ms - margin).max(0.0), self.mean_ms + margin])
    }

    /// Returns the lifetime of the blocks of both call sites.
    #[must_use]
    pub fn plus(&self, other: &Self) -> Self {
        let parts = [self, other].map(Moments::of);
        let sum = |of: fn(&Moments) -> f64| parts.iter().map(of).sum::<f64>();
        let (count, mean) = (sum(|part| part.count), sum(|part| part.sum) / sum(|part| part.count));
        let variance = (sum(|part| part.squares) / count - mean * mean).max(0.0);
        let samples = self.samples.saturating_add(other.samples);
        Self::new(mean, Some((variance / (count - 1.0)).sqrt()), samples)
    }
}

/// The sums from which a mean and its error are computed.
struct Moments {
    count: f64,
    sum: f64,
    squares: f64,
}

impl Moments {
    #[expect(clippy::cast_precision_loss, reason = "a number of samples is far below 2^53")]
    fn of(lifetime: &Lifetime) -> Self {
        // A file may have a number of samples that no session writes.
        let count = lifetime.samples.max(1) as f64;
        let mean = lifetime.mean_ms;
        let error = lifetime.standard_error_ms.unwrap_or(0.0);
        let variance = error * error * (count - 1.0);
        Self { count, sum: count * mean, squares: count * mean.mul_add(mean, variance) }
    }
}

#[cfg(test)]
mod tests {
    use super::Lifetime;

    /// Returns the lifetime of blocks with these ages.
    #[expect(clippy::cast_precision_loss, reason = "they are few")]
    fn of(ages: &[f64]) -> Lifetime {
        let count = ages.len() as f64;
        let mean = ages.iter().sum::<f64>() / count;
        let variance = ages.iter().map(|age| (age - mean).powi(2)).sum::<f64>() / count;
        let error = (count > 1.0).then(|| (variance / (count - 1.0)).sqrt());
        Lifetime::new(mean, error, ages.len() as u64)
    }

    #[test]
    fn joined_lifetimes_are_those_of_all_blocks_together() {
        let ages: Vec<f64> = (0..40).map(|at| f64::from(at * at % 17)).collect();
        for split in [1, 7, 39] {
            let (one, other) = ages.split_at(split);
            let joined = of(one).plus(&of(other));
            let whole = of(&ages);
            assert_eq!(joined.samples, whole.samples);
            assert!((joined.mean_ms - whole.mean_ms).abs() < 1e-9, "{joined:?}, not {whole:?}");
            let errors = joined.standard_error_ms.zip(whole.standard_error_ms).expect("both have");
            assert!((errors.0 - errors.1).abs() < 1e-9, "{joined:?}, not {whole:?}");
        }
    }

    #[test]
    fn an_interval_needs_twenty_samples_and_is_never_below_zero() {
        let of = |samples| Lifetime::new(10.0, Some(10.0), samples).interval_ms();
        assert_eq!((of(19), of(20)), (None, Some([0.0, 29.6])));
    }
}
