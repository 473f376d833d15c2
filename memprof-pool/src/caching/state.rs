//! The state of a pool: segments, the blocks that tile them, and the lists of free blocks.
//!
//! Sizes are those of `PyTorch`, so its traces can be replayed: blocks of at most 1 MiB lie in
//! segments of 2 MiB, larger blocks below 10 MiB in segments of 20 MiB, and each block of at least 10
//! MiB has a segment of its own. Classes that follow the requested sizes reserved 0 to 6 % less in
//! replays, at the price of 160 lines.

use super::free::FreeLists;
use super::order::{Order, Queue};
use super::slots::Slots;
use crate::{Address, DeallocationError, Held, Request};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

/// The granule: each block size is a multiple of it. Device memory is aligned to at least one
/// granule.
pub(super) const GRANULE: u64 = 512;
/// The size of the largest block in a small segment.
pub(super) const SMALL: u64 = 1 << 20;
/// The size of a small segment.
const SMALL_SEGMENT: u64 = 2 << 20;
/// The size of the smallest block that has a segment of its own.
const LARGE: u64 = 10 << 20;
/// The size of a segment for blocks between small and large.
const MIDDLE_SEGMENT: u64 = 20 << 20;
/// The page size of device memory. Segment sizes are multiples of it, unless memory is short.
pub(super) const PAGE: u64 = 2 << 20;

/// Returns the smallest block size for `bytes` bytes, or `None` if that size overflows.
pub(super) fn block_size(bytes: u64) -> Option<u64> {
    bytes.max(1).checked_next_multiple_of(GRANULE)
}

/// Returns the size of a segment to reserve for a block of `size` bytes, or `None` if the segment's
/// size overflows.
pub(super) fn segment_size(size: u64) -> Option<u64> {
    match size {
        ..=SMALL => Some(SMALL_SEGMENT),
        LARGE.. => size.checked_next_multiple_of(PAGE),
        _ => Some(MIDDLE_SEGMENT),
    }
}

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
            reserved: self.reserved,
            releasable: self.releasable,
        }
    }

    /// Returns the reserved bytes that are not allocated.
    pub(super) fn cached(&self) -> u64 {
        self.reserved - self.allocated
    }
}

/// The state of a pool. It calls neither the upstream nor its streams.
#[derive(Debug)]
pub(super) struct PoolState {
    pub(super) blocks: Slots<Block>,
    pub(super) segments: Slots<Segment>,
    /// Allocated blocks by address.
    pub(super) allocated: HashMap<u64, u32, AddressHasher>,
    /// Segments by address.
    pub(super) segments_by_address: BTreeMap<u64, u32>,
    pub(super) free: FreeLists,
    /// Segments without an allocated block, the longest idle first, preallocated ones last.
    pub(super) idle: BTreeSet<(bool, u64, u32)>,
    pub(super) order: Order,
    pub(super) counts: Counts,
    /// The number of allocations and frees so far.
    pub(super) operations: u64,
}

impl PoolState {
    pub(super) fn new() -> Self {
        Self {
            blocks: Slots::new(),
            segments: Slots::new(),
            allocated: HashMap::default(),
            segments_by_address: BTreeMap::new(),
            free: FreeLists::default(),
            idle: BTreeSet::new(),
            order: Order::default(),
            counts: Counts::default(),
            operations: 0,
        }
    }

    /// Adds a segment as one free block, as if the free with the number `freed` in its stream had
    /// freed the block.
    pub(super) fn add_segment(
        &mut self,
        kind: Kind,
        address: Address,
        request: Request,
        queue: Queue,
        freed: u64,
    ) -> Entry {
        let Request { bytes, .. } = request;
        let idle = Idle { operation: self.operations, at: None };
        let segment = Segment { kind, address: address.0, bytes, first: 0, used: 0, idle };
        let segment = self.segments.insert(segment);
        let block = Block {
            segment,
            previous: None,
            next: None,
            address: address.0,
            bytes,
            request: None,
            queue,
            freed,
        };
        let entry = block.entry(0);
        let first = self.blocks.insert(block);
        self.segments[segment].first = first;
        self.segments_by_address.insert(address.0, segment);
        self.counts.reserve(bytes);
        self.list(first);
        self.enter_idle(segment);
        Entry { block: first, ..entry }
    }

    /// Removes a segment of one free block, which the upstream has taken back.
    pub(super) fn remove_segment(&mut self, number: u32) {
        self.leave_idle(number);
        self.unlist(self.segments[number].first);
        let segment = self.segments.remove(number);
        self.blocks.remove(segment.first);
        self.segments_by_address.remove(&segment.address);
        self.counts.release(segment.bytes);
    }

    /// Allocates a block of `size` bytes within a free one. A rest before the new block becomes a
    /// free block. A rest after the new block does so only if [`should_split`] returns `true`.
    pub(super) fn allocate_in(&mut self, entry: Entry, request: Request, size: u64) -> Address {
        let begin = entry.address.next_multiple_of(request.alignment);
        let number = if begin == entry.address {
            self.unlist(entry.block);
            entry.block
        } else {
            self.unlist(entry.block);
            let block = self.split(entry.block, begin - entry.address);
            self.list(entry.block);
            block
        };
        let rest = self.blocks[number].bytes - size;
        if should_split(size, rest) {
            let rest = self.split(number, size);
            self.list(rest);
        }
        let block = &mut self.blocks[number];
        block.request = Some(request);
        let (segment, bytes) = (block.segment, block.bytes);
        self.allocated.insert(begin, number);
        if self.segments[segment].used == 0 {
            self.leave_idle(segment);
        }
        self.segments[segment].used += 1;
        self.counts.allocate(bytes, request.bytes);
        Address(begin)
    }

    /// Frees the allocated block of `request`. The stream `queue` may reuse the block at once.
    pub(super) fn free_block(
        &mut self,
        number: u32,
        request: Request,
        queue: Queue,
        freed: u64,
        at: Idle,
    ) {
        let block = &mut self.blocks[number];
        block.request = None;
        (block.queue, block.freed) = (queue, freed);
        let (address, bytes, segment) = (block.address, block.bytes, block.segment);
        self.allocated.remove(&address);
        self.counts.free(bytes, request.bytes);
        self.list(number);
        self.coalesce(number);
        self.segments[segment].used -= 1;
        if self.segments[segment].used == 0 {
            self.segments[segment].idle = at;
            self.enter_idle(segment);
        }
    }

    /// Returns the error for the free of an address that is not allocated.
    pub(super) fn not_allocated(&self, address: Address) -> DeallocationError {
        let mut next =
            self.segments_by_address.range(..=address.0).next_back().and_then(|(_, &number)| {
                let segment = &self.segments[number];
                (address.0 - segment.address < segment.bytes).then_some(segment.first)
            });
        while let Some(block) = next.map(|number| &self.blocks[number]) {
            if address.0 - block.address < block.bytes {
                let is_free = block.is_free();
                let error =
                    if is_free { DeallocationError::Twice } else { DeallocationError::Foreign };
                return error(address);
            }
            next = block.next;
        }
        DeallocationError::Foreign(address)
    }

    /// Adds a free block to its list.
    pub(super) fn list(&mut self, number: u32) {
        let block = &self.blocks[number];
        let kind = self.segments[block.segment].kind;
        self.free.insert(kind, block.queue, block.entry(number));
    }

    /// Removes a block from its list.
    pub(super) fn unlist(&mut self, number: u32) {
        let block = &self.blocks[number];
        let kind = self.segments[block.segment].kind;
        self.free.remove(kind, block.queue, block.entry(number));
    }

    /// Merges a free block with its free neighbours of the same stream, and returns the merged
    /// block.
    pub(super) fn coalesce(&mut self, number: u32) -> u32 {
        let mut number = number;
        while let Some(next) = self.blocks[number].next.filter(|&next| self.can_merge(number, next))
        {
            let newest = self.blocks[number].freed.max(self.blocks[next].freed);
            self.join(number, next, self.blocks[number].queue, newest);
        }
        while let Some(previous) = self.blocks[number].previous
            && self.can_merge(previous, number)
        {
            let newest = self.blocks[number].freed.max(self.blocks[previous].freed);
            self.join(previous, number, self.blocks[number].queue, newest);
            number = previous;
        }
        number
    }

    fn can_merge(&self, one: u32, other: u32) -> bool {
        let (one, other) = (&self.blocks[one], &self.blocks[other]);
        one.is_free() && other.is_free() && one.queue == other.queue
    }

    /// Merges two neighbouring free blocks into one.
    pub(super) fn join(&mut self, left: u32, right: u32, queue: Queue, freed: u64) {
        self.unlist(left);
        self.unlist(right);
        let right = self.blocks.remove(right);
        let block = &mut self.blocks[left];
        block.bytes += right.bytes;
        block.next = right.next;
        (block.queue, block.freed) = (queue, freed);
        if let Some(next) = right.next {
            self.blocks[next].previous = Some(left);
        }
        self.list(left);
    }

    /// Splits a block that is in no list and returns the second part, which is in no list either.
    pub(super) fn split(&mut self, number: u32, bytes: u64) -> u32 {
        let first = &mut self.blocks[number];
        let mut second = first.clone();
        first.bytes = bytes;
        second.previous = Some(number);
        second.address += bytes;
        second.bytes -= bytes;
        let next = second.next;
        let second = self.blocks.insert(second);
        self.blocks[number].next = Some(second);
        if let Some(next) = next {
            self.blocks[next].previous = Some(second);
        }
        second
    }

    /// Moves the free blocks of one stream to another.
    ///
    /// If `is_done` is `true`, all work of the first stream is done, so any stream may use the
    /// blocks. Otherwise the blocks keep the numbers of their frees.
    pub(super) fn transfer(&mut self, from: Queue, to: Queue, is_done: bool) {
        for number in self.free.of(from) {
            // An earlier iteration may have merged this block into the block before it.
            if self.blocks.get(number).is_none_or(|block| block.queue != from || !block.is_free()) {
                continue;
            }
            self.unlist(number);
            let block = &mut self.blocks[number];
            block.queue = to;
            if is_done {
                block.freed = 0;
            }
            self.list(number);
            self.coalesce(number);
        }
        self.free.forget(from);
    }

    fn enter_idle(&mut self, segment: u32) {
        self.idle.insert(self.idle_key(segment));
        self.counts.releasable += self.segments[segment].bytes;
    }

    fn leave_idle(&mut self, segment: u32) {
        self.idle.remove(&self.idle_key(segment));
        self.counts.releasable -= self.segments[segment].bytes;
    }

    /// Returns the key of a segment in `idle`.
    pub(super) fn idle_key(&self, number: u32) -> (bool, u64, u32) {
        let segment = &self.segments[number];
        (segment.kind == Kind::Preallocated, segment.idle.operation, number)
    }
}

/// Returns `true` if the rest of a block becomes a free block of its own.
fn should_split(size: u64, rest: u64) -> bool {
    // A small block next to a large one would prevent the release of its whole segment.
    if size <= SMALL { rest >= GRANULE } else { rest > SMALL }
}

/// A hasher of addresses. The attack-resistant hasher of `std` would take as long as all other work
/// of a call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AddressHasher(u64);

impl core::hash::BuildHasher for AddressHasher {
    type Hasher = Self;

    fn build_hasher(&self) -> Self {
        Self(0)
    }
}

impl core::hash::Hasher for AddressHasher {
    fn write(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.write_u64((*byte).into());
        }
    }

    fn write_u64(&mut self, number: u64) {
        // The factor is the odd number nearest to 2^64 divided by the golden ratio. The
        // multiplication mixes the upper half better, so the next line mixes that half into the
        // lower one.
        let mixed = (self.0 ^ number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.0 = mixed ^ (mixed >> 32);
    }

    fn finish(&self) -> u64 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::{block_size, segment_size};

    const MIB: u64 = 1 << 20;

    #[test]
    fn sizes_are_those_of_pytorch() {
        for (bytes, size, segment) in [
            (0, 512, 2 * MIB),
            (1, 512, 2 * MIB),
            (513, 1024, 2 * MIB),
            (MIB, MIB, 2 * MIB),
            (MIB + 1, MIB + 512, 20 * MIB),
            (10 * MIB - 512, 10 * MIB - 512, 20 * MIB),
            (10 * MIB, 10 * MIB, 10 * MIB),
            (11 * MIB, 11 * MIB, 12 * MIB),
        ] {
            assert_eq!(block_size(bytes), Some(size), "{bytes}");
            assert_eq!(segment_size(size), Some(segment), "{bytes}");
        }
        assert_eq!(block_size(u64::MAX), None);
    }
}
