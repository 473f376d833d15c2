//! The ages of a place's blocks.

use crate::record::live_table::Sample;
use core::time::Duration;

/// The ages of live blocks.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Ages {
    /// The age of the oldest block.
    pub oldest: Duration,
    /// The median age of the bytes: half of them are at least this old.
    pub median: Duration,
    /// Bytes allocated in the first, second, third and last quarter of the time watched.
    pub quarters: [f64; 4],
}

/// A block that was live at the last observation.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Aged {
    pub(crate) site: u32,
    pub(crate) operation: u32,
    bytes: f64,
    milliseconds: u64,
    /// The quarter of the time watched in which the block was allocated.
    quarter: usize,
}

impl Aged {
    /// Returns the age of a sampled block; `None` if the block is not younger than the watch.
    pub(crate) fn of(sample: &Sample, now: u64, watched: u64) -> Option<Self> {
        let milliseconds = now.saturating_sub(sample.allocated_at);
        let since = watched.checked_sub(milliseconds)?.checked_sub(1)?;
        let quarter = (4 * since / watched) as usize;
        let (site, operation) = (sample.site, sample.operation);
        Some(Self { site, operation, bytes: sample.bytes().value, milliseconds, quarter })
    }
}

impl Ages {
    pub(crate) fn of(blocks: &[Aged]) -> Self {
        let mut sorted = blocks.to_vec();
        sorted.sort_by_key(|block| core::cmp::Reverse(block.milliseconds));
        let half = sorted.iter().map(|block| block.bytes).sum::<f64>() / 2.0;
        let mut older = 0.0;
        let middle = sorted.iter().find(|block| {
            older += block.bytes;
            older >= half
        });
        let age = |block: Option<&Aged>| {
            Duration::from_millis(block.map_or(0, |block| block.milliseconds))
        };
        let mut quarters = [0.0; 4];
        for block in &sorted {
            quarters[block.quarter] += block.bytes;
        }
        Self { oldest: age(sorted.first()), median: age(middle), quarters }
    }
}

/// Returns the call site whose blocks hold the most bytes.
pub(crate) fn largest_site(blocks: &[Aged]) -> Option<u32> {
    let mut by_site = blocks.to_vec();
    by_site.sort_by_key(|block| block.site);
    let of_site = by_site.chunk_by(|one, other| one.site == other.site);
    let sums = of_site.map(|one| (one[0].site, one.iter().map(|block| block.bytes).sum::<f64>()));
    sums.max_by(|a, b| a.1.total_cmp(&b.1)).map(|(site, _)| site)
}
