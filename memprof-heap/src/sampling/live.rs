//! The samples of live blocks, found by address, without a lock and in memory of fixed size.
//!
//! `table` has the protocol; this module has the one table of the process. Its filter is 8 KiB.
//! With 32 KiB, the cache lines that frees read would evict too much of the program's data from the
//! cache.

mod filter;
mod losses;
mod table;

use super::estimate::{Estimate, probability};
use super::gap::Random;
use crate::base::sync::Ordering::Relaxed;
use crate::base::sync::{AtomicU32, AtomicU64, AtomicUsize};
use filter::Filter;
use losses::Losses;
pub(crate) use table::Sample;
use table::{EMPTY, LANES, Slot, Table};

/// The number of slots: twice the maximum number of live samples. With that many live samples, one
/// group in 280 has more samples than its 16 slots hold, and one sample in 1,300 has no slot.
pub(crate) const SLOTS: usize = GROUPS * LANES;
const GROUPS: usize = 512;
/// The number of words of the filter. Each has 32 counters, so there are eight counters for each
/// live sample that may exist.
const WORDS: usize = 1024;

static TABLE: Table<GROUPS, WORDS> = Table::new();

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
            share: AtomicU32::new(0),
            allocated_at: AtomicU64::new(0),
            generation: AtomicU64::new(0),
        }
    }
}

impl Sample {
    /// Estimates the bytes that the sample represents.
    pub(crate) fn bytes(&self) -> Estimate {
        Estimate::of_bytes(self.size, self.mean).times(LOSSES.factor(self.share))
    }

    /// Estimates the blocks that the sample represents.
    pub(crate) fn blocks(&self) -> Estimate {
        Estimate::of_blocks(self.size, self.mean).times(LOSSES.factor(self.share))
    }
}

static LOSSES: Losses = Losses::none();

/// Stores a sample, or counts it as lost if there is no slot.
pub(crate) fn insert(sample: Sample) {
    let share = LOSSES.share();
    count_insertion(share, TABLE.insert(Sample { share, ..sample }));
}

/// Counts a sample that could not be taken as lost.
pub(crate) fn count_not_taken() {
    count_insertion(LOSSES.share(), false);
}

fn count_insertion(share: u32, is_kept: bool) {
    if let Some(settled) = LOSSES.count(share, is_kept) {
        TABLE.settle(settled.from, settled.to);
    }
}

/// Stores again a sample that was just taken out.
pub(crate) fn put_back(sample: Sample) {
    if !TABLE.insert(sample) {
        LOSSES.count_lost();
    }
}

/// Returns the number of samples lost since the table was cleared.
pub(crate) fn lost() -> u64 {
    LOSSES.lost()
}

#[inline(always)]
pub(crate) fn may_have(address: usize) -> bool {
    TABLE.may_have(address)
}

#[inline]
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
    LOSSES.clear();
    TABLE.retain(|_| None);
}

/// Drops samples at random, as if all had been taken with this mean. Samples with a larger mean
/// keep that mean.
pub(crate) fn thin(mean: u64, random: &Random) {
    TABLE.retain(|sample| {
        let (was, wanted) = (probability(sample.size, sample.mean), probability(sample.size, mean));
        if wanted >= was {
            Some(sample.mean)
        } else {
            (random.unit() <= wanted / was).then_some(mean)
        }
    });
}

#[cfg(test)]
mod tests;
