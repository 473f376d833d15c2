//! The statistics of a pool, and ratios computed from them.

use super::state::PoolState;

/// The statistics of a pool at one moment.
///
/// `reserved` is `allocated` plus `cached`. `cached` is `releasable` plus the free bytes in
/// segments that have an allocated block. [`CachingPool`](super::CachingPool) has an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStatistics {
    /// Bytes taken from the upstream.
    pub reserved: u64,
    /// Bytes of allocated blocks.
    pub allocated: u64,
    /// Bytes that were requested for these blocks.
    pub requested: u64,
    /// Bytes that are reserved and not allocated.
    pub cached: u64,
    /// Cached bytes in segments without an allocated block, which can go back to the upstream.
    pub releasable: u64,
    /// Bytes in use: allocated bytes, and freed bytes with a pending event. The pool recorded the
    /// event after the free, and has not yet found that the event has passed.
    pub active: u64,
    /// Bytes that can be reused: `reserved` less `active`.
    pub inactive: u64,
    /// The size of the largest free block. 0 if no block is free.
    pub largest_free: u64,
    /// The peak of `reserved` since the pool was built or its peaks were reset.
    pub peak_reserved: u64,
    /// The peak of `allocated` in the same period.
    pub peak_allocated: u64,
    /// The number of allocations so far.
    pub allocations: u64,
    /// The number of frees so far.
    pub frees: u64,
    /// The number of allocations served without the upstream.
    pub hits: u64,
    /// The number of segments that are reserved now.
    pub segments: u64,
    /// The number of segments taken from the upstream so far.
    pub segments_reserved: u64,
    /// The number of requests that failed because there was too little memory.
    pub out_of_memory: u64,
    /// The number of times that the upstream refused to take a segment back.
    pub refused: u64,
}

impl PoolStatistics {
    pub(super) fn of(state: &PoolState) -> Self {
        let counts = &state.counts;
        let pending = state.free.iter().filter(|(_, queue, entry)| {
            state.order.is_pending(*queue, state.blocks[entry.block].freed)
        });
        let active = counts.allocated + pending.map(|(_, _, entry)| entry.bytes).sum::<u64>();
        Self {
            reserved: counts.reserved,
            allocated: counts.allocated,
            requested: counts.requested,
            cached: counts.cached(),
            releasable: counts.releasable,
            active,
            inactive: counts.reserved - active,
            largest_free: state.free.largest(),
            peak_reserved: counts.peak_reserved,
            peak_allocated: counts.peak_allocated,
            allocations: counts.allocations,
            frees: counts.frees,
            hits: counts.hits,
            segments: state.segments.len() as u64,
            segments_reserved: counts.segments_reserved,
            out_of_memory: counts.out_of_memory,
            refused: counts.refused,
        }
    }

    /// Returns the share of allocations served without the upstream, or `None` before the first
    /// allocation.
    pub fn hit_rate(&self) -> Option<f64> {
        ratio(self.hits, self.allocations)
    }

    /// Returns the share of reserved bytes that are cached, or `None` if no bytes are reserved.
    pub fn cached_share(&self) -> Option<f64> {
        ratio(self.cached, self.reserved)
    }

    /// Returns the fragmentation, which is `1 - largest_free / cached`. Returns `None` if no bytes
    /// are free.
    pub fn fragmentation(&self) -> Option<f64> {
        ratio(self.largest_free, self.cached).map(|largest| 1.0 - largest)
    }

    /// Returns the bytes that rounding added to the requested ones.
    pub fn internal_waste(&self) -> u64 {
        self.allocated - self.requested
    }

    /// Returns the share of allocated bytes that rounding added, or `None` if no bytes are
    /// allocated.
    pub fn internal_waste_share(&self) -> Option<f64> {
        ratio(self.internal_waste(), self.allocated)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a ratio is rounded")]
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
