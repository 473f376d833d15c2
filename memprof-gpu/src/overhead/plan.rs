//! How long and how often operations are timed.

use std::time::Duration;

/// How long and how often two operations are timed.
///
/// ```
/// use memprof_gpu::overhead::{Batch, Plan};
/// use std::time::Duration;
///
/// let plan = Plan::default().measure(Duration::from_millis(20)).batch(Batch::Calls(100));
/// assert_eq!(plan.repeats, 3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
#[must_use]
pub struct Plan {
    /// For how long both are called before anything counts.
    pub warmup: Duration,
    /// For how long both are timed in turn, and before that raw against raw, all repeats together.
    pub measure: Duration,
    /// Samples of each, all repeats together, even if they take longer than `measure`.
    pub min_samples: u32,
    /// When to stop nevertheless: each repeat has at least one sample then.
    pub longest: Duration,
    /// Calls in one sample.
    pub batch: Batch,
    /// How often the whole is repeated, to see whether it is the same again.
    pub repeats: u32,
    /// Whether caches are flushed before each sample.
    pub flush: bool,
}

/// How many calls a sample is the mean of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Batch {
    /// As many as take at least so long.
    Lasting(Duration),
    /// So many, at least one.
    Calls(u32),
}

impl Default for Plan {
    fn default() -> Self {
        Self {
            warmup: Duration::from_millis(25),
            measure: Duration::from_millis(100),
            min_samples: 21,
            longest: Duration::from_secs(10),
            batch: Batch::Lasting(Duration::from_micros(50)),
            repeats: 3,
            flush: false,
        }
    }
}

impl Plan {
    /// The same, with another time to warm up.
    pub fn warmup(self, warmup: Duration) -> Self {
        Self { warmup, ..self }
    }

    /// The same, with another time to measure.
    pub fn measure(self, measure: Duration) -> Self {
        Self { measure, ..self }
    }

    /// The same, with other numbers of samples at least; of fewer than six, no interval is known.
    pub fn min_samples(self, min_samples: u32) -> Self {
        Self { min_samples, ..self }
    }

    /// The same, with another time after which it stops.
    pub fn longest(self, longest: Duration) -> Self {
        Self { longest, ..self }
    }

    /// The same, with other batches.
    pub fn batch(self, batch: Batch) -> Self {
        Self { batch, ..self }
    }

    /// The same, so often; of fewer than two, nobody knows whether the result is stable.
    pub fn repeats(self, repeats: u32) -> Self {
        Self { repeats, ..self }
    }

    /// The same, with caches flushed or not.
    pub fn flush(self, flush: bool) -> Self {
        Self { flush, ..self }
    }
}
