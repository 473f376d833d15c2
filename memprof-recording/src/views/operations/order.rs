//! The figure by which operations are sorted.

use crate::document::OperationRow;
use core::cmp::Ordering;

memprof_profile::keywords! {
    /// The figure by which operations are sorted, the largest first.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    #[non_exhaustive]
    pub enum OperationOrder {
        /// The bytes that all calls left live.
        Total => "total",
        /// The number of calls.
        Calls => "calls",
        /// The bytes that a call left live on average.
        Average => "average",
        /// The maximum of the bytes that one call left live.
        Max => "max",
        /// The maximum of the bytes that one call held at once.
        Peak => "peak",
        /// The bytes that all calls allocated.
        Allocated => "allocated",
        /// The time that all calls took.
        Time => "time",
        /// The live bytes that the operation allocated itself.
        Retained => "retained",
    }
}

impl OperationOrder {
    /// Orders the larger operation first; an unknown figure is less than any known one.
    pub(super) fn compare(self, one: &OperationRow, other: &OperationRow) -> Ordering {
        let by = match self {
            Self::Total => other.net_bytes.cmp(&one.net_bytes),
            Self::Calls => other.calls.cmp(&one.calls),
            Self::Average => {
                fractions(other.average_net_bytes).total_cmp(&fractions(one.average_net_bytes))
            }
            Self::Max => other.max_net_bytes.cmp(&one.max_net_bytes),
            Self::Peak => other.peak_bytes.cmp(&one.peak_bytes),
            Self::Allocated => other.allocated_bytes.cmp(&one.allocated_bytes),
            Self::Time => time(other).cmp(&time(one)),
            Self::Retained => fractions(other.retained.map(|live| live.value))
                .total_cmp(&fractions(one.retained.map(|live| live.value))),
        };
        // Ties are broken by the bytes allocated, for operations that left nothing live.
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
