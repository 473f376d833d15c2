//! The counts of a pool.

use crate::Held;

/// Sums that the pool updates with each change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Counts {
    /// The bytes taken from the upstream.
    pub(super) reserved: u64,
    /// The bytes of allocated blocks.
    pub(super) allocated: u64,
    /// The bytes that were requested for these blocks.
    pub(super) requested: u64,
    /// Bytes of segments without an allocated block.
    pub(super) releasable: u64,
    pub(super) peak_reserved: u64,
    pub(super) peak_allocated: u64,
    pub(super) allocations: u64,
    pub(super) frees: u64,
    /// The number of allocations served without the upstream.
    pub(super) hits: u64,
    pub(super) segments_reserved: u64,
    pub(super) segments_released: u64,
    pub(super) out_of_memory: u64,
    /// The number of times that the upstream refused to take a segment back.
    pub(super) refused: u64,
}

impl Counts {
    pub(super) fn reserve(&mut self, bytes: u64) {
        self.segments_reserved += 1;
        self.reserved += bytes;
        self.peak_reserved = self.peak_reserved.max(self.reserved);
    }

    pub(super) fn release(&mut self, bytes: u64) {
        self.segments_released += 1;
        self.reserved -= bytes;
    }

    pub(super) fn allocate(&mut self, bytes: u64, requested: u64) {
        self.allocations += 1;
        self.allocated += bytes;
        self.requested += requested;
        self.peak_allocated = self.peak_allocated.max(self.allocated);
    }

    pub(super) fn free(&mut self, bytes: u64, requested: u64) {
        self.frees += 1;
        self.allocated -= bytes;
        self.requested -= requested;
    }

    /// Returns the bytes for a timeline event.
    pub(super) fn held(&self) -> Held {
        Held {
            requested: self.requested,
            allocated: self.allocated,
            reserved: Some(self.reserved),
            releasable: self.releasable,
        }
    }

    /// Returns the reserved bytes that are not allocated.
    pub(super) fn cached(&self) -> u64 {
        self.reserved - self.allocated
    }
}
