//! How fast bytes grow.

/// How fast bytes grow, and how sure that is.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Growth {
    /// Bytes in a second: the median over all pairs of observations.
    pub per_second: f64,
    /// Where that is, with a confidence of 95 %; infinite of too few observations.
    pub interval: (f64, f64),
    /// Bytes from one observation to the next.
    pub per_observation: f64,
    /// How unlikely a series without a trend rises as much: 0.99 is one in a hundred.
    pub confidence: f64,
}

impl Growth {
    /// That of bytes that grow in steps, each to about twice as many: what there is for each second
    /// watched, within a factor of two.
    pub(super) fn in_steps((seconds, bytes): (f64, f64), by_trend: Self) -> Self {
        let per_second = bytes / seconds.max(f64::MIN_POSITIVE);
        let interval = (per_second / 2.0, per_second * 2.0);
        Self { per_second, interval, ..by_trend }
    }
}
