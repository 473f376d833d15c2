//! The books of a pool: segments, the blocks that tile them, and which of these are free.

use super::block::{Block, Entry, Idle, Kind, Segment};
use super::classes::{Classes, GRANULE, SMALL};
use super::counts::Counts;
use super::free::FreeLists;
use super::order::Order;
use super::queue::Queue;
use super::slots::Slots;
use super::spread::Spread;
use crate::{Address, DeallocationError, Request};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// What is where. Nothing here asks the upstream or a stream.
#[derive(Debug)]
pub(super) struct Books {
    pub(super) blocks: Slots<Block>,
    pub(super) segments: Slots<Segment>,
    /// Blocks that are allocated, by address.
    pub(super) allocated: HashMap<u64, u32, Spread>,
    /// Segments by address.
    pub(super) places: BTreeMap<u64, u32>,
    pub(super) free: FreeLists,
    /// Segments of which nothing is allocated, the longest idle first, preallocated ones last.
    pub(super) idle: BTreeSet<(bool, u64, u32)>,
    pub(super) order: Order,
    pub(super) classes: Classes,
    pub(super) counts: Counts,
    /// Allocations and frees so far.
    pub(super) operations: u64,
}

impl Books {
    pub(super) fn new(classes: Classes) -> Self {
        Self {
            blocks: Slots::new(),
            segments: Slots::new(),
            allocated: HashMap::default(),
            places: BTreeMap::new(),
            free: FreeLists::default(),
            idle: BTreeSet::new(),
            order: Order::default(),
            classes,
            counts: Counts::default(),
            operations: 0,
        }
    }

    /// Enters a segment, all of it one free block, as if its stream had freed it at that number.
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
        self.places.insert(address.0, segment);
        self.counts.reserve(bytes);
        self.list(first);
        self.enter_idle(segment);
        Entry { block: first, ..entry }
    }

    /// Strikes out a segment that is one free block, which the upstream took back.
    pub(super) fn remove_segment(&mut self, number: u32) {
        self.leave_idle(number);
        self.unlist(self.segments[number].first);
        let segment = self.segments.remove(number);
        self.blocks.remove(segment.first);
        self.places.remove(&segment.address);
        self.counts.release(segment.bytes);
    }

    /// Allocates a block of that size within a free one, and frees what is left over on either side.
    pub(super) fn take(&mut self, entry: Entry, request: Request, size: u64) -> Address {
        let begin = entry.address.next_multiple_of(request.alignment);
        let number = if begin == entry.address {
            self.unlist(entry.block);
            entry.block
        } else {
            self.unlist(entry.block);
            let taken = self.split(entry.block, begin - entry.address);
            self.list(entry.block);
            taken
        };
        let rest = self.blocks[number].bytes - size;
        if is_worth_keeping(size, rest) {
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

    /// Frees an allocated block, of which `request` was asked for; its stream may use it at once.
    pub(super) fn put(
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
        self.settle(number);
        self.segments[segment].used -= 1;
        if self.segments[segment].used == 0 {
            self.segments[segment].idle = at;
            self.enter_idle(segment);
        }
    }

    /// Why an address that is not allocated can't be freed.
    pub(super) fn not_allocated(&self, address: Address) -> DeallocationError {
        let mut next = self.places.range(..=address.0).next_back().and_then(|(_, &number)| {
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

    /// Enters a free block in its list.
    pub(super) fn list(&mut self, number: u32) {
        let block = &self.blocks[number];
        let kind = self.segments[block.segment].kind;
        self.free.insert(kind, block.queue, block.entry(number));
    }

    /// Strikes a block out of its list.
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

    /// As `idle` orders the segment.
    pub(super) fn idle_key(&self, number: u32) -> (bool, u64, u32) {
        let segment = &self.segments[number];
        (segment.kind == Kind::Preallocated, segment.idle.operation, number)
    }
}

/// Whether what is left of a block that is given out becomes a block of its own.
fn is_worth_keeping(size: u64, rest: u64) -> bool {
    // Small pieces beside a large block would keep its whole segment from going back.
    if size <= SMALL { rest >= GRANULE } else { rest > SMALL }
}
