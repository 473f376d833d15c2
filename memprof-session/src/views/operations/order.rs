//! What makes one operation wider than another.

use crate::document::OperationRow;
use core::cmp::Ordering;

/// What makes one operation wider than another.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum OperationOrder {
    /// What all calls left behind.
    #[default]
    Total,
    /// How many calls.
    Calls,
    /// What a call left behind on average.
    Average,
    /// The most that a call left behind.
    Max,
    /// The most that a call held at once.
    Peak,
    /// What all calls allocated.
    Allocated,
    /// How long all calls took.
    Time,
    /// What is live of what it allocated.
    Retained,
}

impl OperationOrder {
    /// The wider one first. What is not known is less than what is.
    pub(super) fn compare(self, one: &OperationRow, other: &OperationRow) -> Ordering {
        let by = match self {
            Self::Total => other.total_delta_bytes.cmp(&one.total_delta_bytes),
            Self::Calls => other.calls.cmp(&one.calls),
            Self::Average => {
                fractions(other.average_delta_bytes).total_cmp(&fractions(one.average_delta_bytes))
            }
            Self::Max => other.max_delta_bytes.cmp(&one.max_delta_bytes),
            Self::Peak => other.peak_bytes.cmp(&one.peak_bytes),
            Self::Allocated => other.allocated_bytes.cmp(&one.allocated_bytes),
            Self::Time => time(other).cmp(&time(one)),
            Self::Retained => fractions(other.retained.map(|live| live.value))
                .total_cmp(&fractions(one.retained.map(|live| live.value))),
        };
        // Those that left nothing behind are told apart by what they needed.
        let by = by.then_with(|| other.allocated_bytes.cmp(&one.allocated_bytes));
        by.then_with(|| one.path.cmp(&other.path))
    }
}

fn fractions(amount: Option<f64>) -> f64 {
    amount.unwrap_or(f64::NEG_INFINITY)
}

fn time(row: &OperationRow) -> Option<u64> {
    row.wall_time.map(|time| time.total_ns)
}
