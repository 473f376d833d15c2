//! Segments from the upstream, and the blocks into which they are divided.

use super::queue::Queue;
use crate::Request;
use std::time::Instant;

/// A block: a part of a segment, allocated or free.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) segment: u32,
    /// The neighbouring blocks in the segment.
    pub(super) previous: Option<u32>,
    pub(super) next: Option<u32>,
    pub(super) address: u64,
    pub(super) bytes: u64,
    /// The request of the allocation. `None` if the block is free.
    pub(super) request: Option<Request>,
    /// The stream that freed the block last. This stream may reuse the block at once. Meaningless
    /// while the block is allocated.
    pub(super) queue: Queue,
    /// The number of that free among the frees of the stream.
    pub(super) freed: u64,
}

impl Block {
    pub(super) fn is_free(&self) -> bool {
        self.request.is_none()
    }

    /// Returns the entry of the block in its free list.
    pub(super) fn entry(&self, block: u32) -> Entry {
        Entry { bytes: self.bytes, address: self.address, block }
    }
}

/// The entry of a free block, in the order of its list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) bytes: u64,
    pub(super) address: u64,
    pub(super) block: u32,
}

/// A segment: memory that the upstream returned in one call.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) kind: Kind,
    pub(super) address: u64,
    pub(super) bytes: u64,
    pub(super) alignment: u64,
    /// The first block.
    pub(super) first: u32,
    /// The number of allocated blocks.
    pub(super) used: u32,
    /// The start of the present idle period.
    pub(super) idle: Idle,
}

/// The start of a segment's idle period, in which no block is allocated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Idle {
    /// The number of the pool's allocations and frees before the idle period.
    pub(super) operation: u64,
    /// The time at which the idle period began. `None` if the pool does not release segments by
    /// time.
    pub(super) at: Option<Instant>,
}

/// The blocks for which a segment is reserved.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Blocks of at most 1 MiB.
    Small,
    /// Larger blocks.
    Large,
    /// Blocks of any size, because the sizes were unknown when the segment was reserved.
    Preallocated,
}
