//! The state of a pool: segments, the blocks that tile them, and the lists of free blocks.

use super::address_hasher::AddressHasher;
use super::block::{Block, Entry, Idle, Kind, Segment};
use super::classes::{Classes, GRANULE, SMALL};
use super::counts::Counts;
use super::free::FreeLists;
use super::order::Order;
use super::queue::Queue;
use super::slots::Slots;
use crate::{Address, DeallocationError, Request};
use std::collections::{BTreeMap, BTreeSet, HashMap};

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
    pub(super) classes: Classes,
    pub(super) counts: Counts,
    /// The number of allocations and frees so far.
    pub(super) operations: u64,
}

impl PoolState {
    pub(super) fn new(classes: Classes) -> Self {
        Self {
            blocks: Slots::new(),
            segments: Slots::new(),
            allocated: HashMap::default(),
            segments_by_address: BTreeMap::new(),
            free: FreeLists::default(),
            idle: BTreeSet::new(),
            order: Order::default(),
            classes,
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
        let Request { bytes, alignment, .. } = request;
        let idle = Idle { operation: self.operations, at: None };
        let segment =
            Segment { kind, address: address.0, bytes, alignment, first: 0, used: 0, idle };
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
