//! The growth of bytes.

/// The growth of bytes per second, with its confidence.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Growth {
    /// Bytes per second: the median over all pairs of observations.
    pub per_second: f64,
    /// The interval of `per_second` with a confidence of 95 %; infinite if there are too few
    /// observations.
    pub interval: (f64, f64),
    /// Bytes from one observation to the next.
    pub per_observation: f64,
    /// The confidence that the bytes grow. At 0.99, one in a hundred series without a trend rises
    /// this much.
    pub confidence: f64,
}

impl Growth {
    /// Returns the growth of bytes that grow in steps, each to about twice the amount. The rate is
    /// the bytes divided by the seconds watched, correct within a factor of two.
    pub(crate) fn in_steps((seconds, bytes): (f64, f64), by_trend: Self) -> Self {
        let per_second = bytes / seconds.max(f64::MIN_POSITIVE);
        let interval = (per_second / 2.0, per_second * 2.0);
        Self { per_second, interval, ..by_trend }
    }
}
