//! The samples of live blocks, found by address, without a lock and in memory of fixed size.
//!
//! [`live_table`](super::live_table) has the protocol; this module has the one table of the
//! process. Its filter is 16 KiB. With 32 KiB, the cache lines that frees read would evict too much
//! of the program's data from the cache.
//!
//! A sample that finds no place is counted as lost, and estimates miss it. There is a place for all
//! 4,096 samples that may be live, whatever their addresses, but for one in billions. Smaller tables
//! lost one in a thousand, and corrected estimates for it by windows of 1,024 insertions.

use crate::record::estimate::{Estimate, probability};
use crate::record::live_table::{EMPTY, Filter, LANES, Sample, Slot, Table};
use crate::record::sync::Ordering::Relaxed;
use crate::record::sync::{AtomicU32, AtomicU64, AtomicUsize};

/// The number of slots: twice the maximum number of live samples.
pub(crate) const SLOTS: usize = GROUPS * LANES;
const GROUPS: usize = 512;
/// The number of words of the filter. Each has 16 counters, so there are eight counters for each
/// live sample that may exist.
const WORDS: usize = 2048;

static TABLE: Table<GROUPS, WORDS> = Table::new();
/// Samples lost since the table was cleared.
static LOST: AtomicU64 = AtomicU64::new(0);

impl<const GROUPS: usize, const WORDS: usize> Table<GROUPS, WORDS> {
    const fn new() -> Self {
        Self {
            filter: Filter { words: [const { AtomicU64::new(0) }; WORDS] },
            slots: [const { [const { Slot::new() }; LANES] }; GROUPS],
            count: AtomicU64::new(0),
        }
    }
}

impl Slot {
    const fn new() -> Self {
        Self {
            address: AtomicUsize::new(EMPTY),
            size: AtomicU64::new(0),
            mean: AtomicU64::new(0),
            site: AtomicU32::new(0),
            operation: AtomicU32::new(0),
            sampling_run: AtomicU32::new(0),
            thread: AtomicU32::new(0),
            allocated_at: AtomicU64::new(0),
            generation: AtomicU64::new(0),
        }
    }
}

impl Sample {
    /// Estimates the bytes that the sample represents.
    pub(crate) fn bytes(&self) -> Estimate {
        Estimate::of_bytes(self.size, self.mean)
    }

    /// Estimates the blocks that the sample represents.
    pub(crate) fn blocks(&self) -> Estimate {
        Estimate::of_blocks(self.size, self.mean)
    }
}

/// Stores a sample, or counts it as lost if there is no place for it.
pub(crate) fn insert(sample: Sample) {
    if !TABLE.insert(sample) {
        count_lost();
    }
}

/// Counts a sample that could not be taken or stored.
pub(crate) fn count_lost() {
    LOST.fetch_add(1, Relaxed);
}

/// Returns the number of samples lost since the table was cleared.
pub(crate) fn lost() -> u64 {
    LOST.load(Relaxed)
}

/// Returns true if a block has a sample. If the block has none, this returns true in at most one of
/// eight cases.
#[inline(always)]
pub(crate) fn may_have(address: usize) -> bool {
    TABLE.may_have(address)
}

/// Takes out the sample of a block that is about to be freed or moved, if it has one.
#[inline(always)]
pub(crate) fn take(address: usize) -> Option<Sample> {
    if TABLE.may_have(address) { TABLE.take(address) } else { None }
}

pub(crate) fn count() -> u64 {
    TABLE.count.load(Relaxed)
}

pub(crate) fn for_each(visit: impl FnMut(Sample)) {
    TABLE.for_each(visit);
}

pub(crate) fn clear() {
    LOST.store(0, Relaxed);
    TABLE.retain(|_| None);
}

/// Drops samples at random, as if all had been taken with this mean. Samples with a larger mean
/// keep that mean. `random` draws a number above 0 and at most 1.
pub(crate) fn thin(mean: u64, random: impl Fn() -> f64) {
    TABLE.retain(|sample| {
        let (was, wanted) = (probability(sample.size, sample.mean), probability(sample.size, mean));
        if wanted >= was { Some(sample.mean) } else { (random() <= wanted / was).then_some(mean) }
    });
}

#[cfg(test)]
mod tests;
