//! What a pool holds and did, and the ratios that follow.

use super::advice::{Fragmentation, UnusedCache};
use super::books::Books;
use memprof_profile::{Advisor, Profile, Recommendation};

/// What a pool holds and did at a moment.
///
/// Bytes are disjoint: `reserved` is `allocated` and `cached`, which is `releasable` and what is free
/// beside blocks that are allocated. [`CachingPool`](super::CachingPool) has an example.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct PoolStatistics {
    /// Bytes taken from the upstream.
    pub reserved: u64,
    /// Bytes of blocks that are allocated.
    pub allocated: u64,
    /// Bytes that were asked for of these blocks.
    pub requested: u64,
    /// Bytes reserved that nobody uses: reserved less allocated.
    pub cached: u64,
    /// Of them, those in segments of which nothing is used, which can go back to the upstream.
    pub releasable: u64,
    /// Bytes in use: allocated, or freed and not yet known to be done with by the stream that freed
    /// them, as far as the pool had reason to ask.
    pub active: u64,
    /// Bytes that may be used again: reserved less active.
    pub inactive: u64,
    /// The largest free block; 0 if there is none.
    pub largest_free: u64,
    /// The most that was reserved at once, since the beginning or the last reset.
    pub peak_reserved: u64,
    /// The most that was allocated at once, likewise.
    pub peak_allocated: u64,
    /// Allocations so far.
    pub allocations: u64,
    /// Frees so far.
    pub frees: u64,
    /// Allocations served from what was reserved already.
    pub hits: u64,
    /// Segments that are reserved.
    pub segments: u64,
    /// Segments that were taken from the upstream so far.
    pub segments_reserved: u64,
    /// Requests that failed for want of memory.
    pub out_of_memory: u64,
    /// Times that the upstream refused to take a segment back.
    pub refused: u64,
}

impl PoolStatistics {
    pub(super) fn of(books: &Books) -> Self {
        let counts = &books.counts;
        let pending = books.free.iter().filter(|(_, queue, entry)| {
            books.order.is_pending(*queue, books.blocks[entry.block].freed)
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
            largest_free: books.free.largest(),
            peak_reserved: counts.peak_reserved,
            peak_allocated: counts.peak_allocated,
            allocations: counts.allocations,
            frees: counts.frees,
            hits: counts.hits,
            segments: books.segments.len() as u64,
            segments_reserved: counts.segments_reserved,
            out_of_memory: counts.out_of_memory,
            refused: counts.refused,
        }
    }

    /// Allocations served from what was reserved already, of all; `None` if there were none.
    pub fn hit_rate(&self) -> Option<f64> {
        ratio(self.hits, self.allocations)
    }

    /// Bytes that nobody uses, of those reserved; `None` if none are.
    pub fn cached_share(&self) -> Option<f64> {
        ratio(self.cached, self.reserved)
    }

    /// How scattered free memory is: 1 less the largest free block over all that is free; `None` if
    /// nothing is.
    pub fn fragmentation(&self) -> Option<f64> {
        ratio(self.largest_free, self.cached).map(|largest| 1.0 - largest)
    }

    /// Bytes that rounding added to what was asked for.
    pub fn internal_waste(&self) -> u64 {
        self.allocated - self.requested
    }

    /// The share of allocated bytes that rounding added; `None` if none are.
    pub fn internal_waste_share(&self) -> Option<f64> {
        ratio(self.internal_waste(), self.allocated)
    }

    /// What to do about it, if anything: what [`Fragmentation`] and [`UnusedCache`] say.
    ///
    /// ```
    /// use memprof_pool::{AddressSpace, CachingPool, MemoryResource, Request};
    ///
    /// let pool = CachingPool::builder(AddressSpace::new()).preallocate("1 GiB").build()?;
    /// pool.allocate(Request::new(4096))?;
    /// let advice = pool.statistics().advice();
    /// assert_eq!(advice[0].rule(), "unused cache");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn advice(&self) -> Vec<Recommendation> {
        let advisor = Advisor::without_rules();
        let advisor = advisor.rule(Fragmentation::of(*self)).rule(UnusedCache::of(*self));
        // The rules look at the figures alone.
        advisor.advise(&Profile::of(&()))
    }
}

#[expect(clippy::cast_precision_loss, reason = "a ratio is a rounded figure anyway")]
fn ratio(part: u64, whole: u64) -> Option<f64> {
    (whole > 0).then(|| part as f64 / whole as f64)
}
