//! The length of a measurement.

/// The length of a measurement.
#[derive(Clone, Copy, Debug)]
pub struct Plan {
    /// The number of rounds.
    pub rounds: usize,
    /// The number by which the repetitions of each workload are divided.
    pub part: usize,
}

impl Plan {
    /// Enough rounds for intervals of a few percent.
    pub const FULL: Self = Self { rounds: 41, part: 1 };
    /// Enough rounds for a median.
    pub const MEDIAN: Self = Self { rounds: 9, part: 1 };
    /// One round, for tests.
    pub const SHORT: Self = Self { rounds: 1, part: 100 };
}
