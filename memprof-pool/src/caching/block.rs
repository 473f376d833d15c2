//! What the upstream gave out, and the blocks that it is divided into.

use super::queue::Queue;
use crate::Request;
use std::time::Instant;

/// A block: a part of a segment, allocated or free.
#[derive(Clone, Debug)]
pub(super) struct Block {
    pub(super) segment: u32,
    /// The blocks beside it in the segment.
    pub(super) previous: Option<u32>,
    pub(super) next: Option<u32>,
    pub(super) address: u64,
    pub(super) bytes: u64,
    /// What it was allocated for; `None` if it is free.
    pub(super) request: Option<Request>,
    /// The stream that freed it last, which may use it at once, and the number of that free. Of a
    /// block that is allocated they mean nothing.
    pub(super) queue: Queue,
    pub(super) freed: u64,
}

impl Block {
    pub(super) fn is_free(&self) -> bool {
        self.request.is_none()
    }

    /// As free lists order it.
    pub(super) fn entry(&self, block: u32) -> Entry {
        Entry { bytes: self.bytes, address: self.address, block }
    }
}

/// A free block as its list orders it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) bytes: u64,
    pub(super) address: u64,
    pub(super) block: u32,
}

/// What the upstream gave out in one call.
#[derive(Clone, Debug)]
pub(super) struct Segment {
    pub(super) kind: Kind,
    pub(super) address: u64,
    pub(super) bytes: u64,
    pub(super) alignment: u64,
    /// The first block.
    pub(super) first: u32,
    /// Blocks that are allocated.
    pub(super) used: u32,
    /// Since when none is.
    pub(super) idle: Idle,
}

/// Since when nothing of a segment is used.
#[derive(Clone, Copy, Debug)]
pub(super) struct Idle {
    /// Allocations and frees of the pool until then.
    pub(super) operation: u64,
    /// When, if somebody wants to know.
    pub(super) at: Option<Instant>,
}

/// What a segment is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Kind {
    /// Blocks of at most 1 MiB.
    Small,
    /// Larger blocks.
    Large,
    /// Blocks of any size, as nobody could know which there will be.
    Preallocated,
}
