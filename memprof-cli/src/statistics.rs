//! The statistics of a profile as JSON; `docs/format.md` describes its keys.

use memprof_profile::report::Statistics;
use serde::Serialize;

#[derive(Serialize)]
pub(crate) struct StatisticsJson {
    data: u64,
    metadata: u64,
    auxiliary: u64,
    shared_metadata: u64,
    spare: u64,
    padding: u64,
    allocations: u64,
    overhead_ratio: Option<f64>,
    metadata_share: Option<f64>,
    auxiliary_ratio: Option<f64>,
}

impl From<Statistics> for StatisticsJson {
    fn from(statistics: Statistics) -> Self {
        Self {
            data: statistics.data,
            metadata: statistics.metadata,
            auxiliary: statistics.auxiliary,
            shared_metadata: statistics.shared_metadata,
            spare: statistics.spare,
            padding: statistics.padding,
            allocations: statistics.allocations,
            overhead_ratio: statistics.overhead_ratio(),
            metadata_share: statistics.metadata_share(),
            auxiliary_ratio: statistics.auxiliary_ratio(),
        }
    }
}
