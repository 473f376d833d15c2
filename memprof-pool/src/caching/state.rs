//! The state of a pool: segments, the blocks that tile them, and the lists of free blocks.
//!
//! Segments and blocks are named by their addresses. Blocks tile segments, so the next block begins
//! where a block ends, and only the previous one is stored. A sorted map would need no such link, but
//! took twice the time for a call.
//!
//! Sizes are those of `PyTorch`, so its traces can be replayed: blocks of at most 1 MiB lie in
//! segments of 2 MiB, larger blocks below 10 MiB in segments of 20 MiB, and each block of at least 10
//! MiB has a segment of its own. Classes that follow the requested sizes reserved 0 to 6 % less in
//! replays, at the price of 160 lines.

use super::order::{Freed, Order, Queue};
use crate::{Address, DeallocationError, PoolStatistics, Request};
use core::hash::{BuildHasher, Hasher};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::time::Instant;

/// Block sizes are multiples of it. Device memory is aligned to at least one granule.
const GRANULE: u64 = 512;
/// The size of the largest block in a small segment.
pub(super) const SMALL: u64 = 1 << 20;
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

/// `None` if the segment's size overflows.
pub(super) fn segment_size(size: u64) -> Option<u64> {
    match size {
        ..=SMALL => Some(SMALL_SEGMENT),
        LARGE.. => size.checked_next_multiple_of(PAGE),
        _ => Some(MIDDLE_SEGMENT),
    }
}

/// A block: a part of a segment, allocated or free.
#[derive(Clone, Copy, Debug)]
pub(super) struct Block {
    pub(super) segment: u64,
    /// The kind of the segment, so that a change of a list needs no lookup.
    kind: Kind,
    previous: Option<u64>,
    pub(super) bytes: u64,
    usage: Usage,
}

#[derive(Clone, Copy, Debug)]
enum Usage {
    Allocated(Request),
    /// The stream that freed the block last may reuse it at once.
    Free(Freed),
}

impl Block {
    /// Returns the free that made the block available, or `None` if the block is allocated.
    pub(super) fn freed(&self) -> Option<Freed> {
        match self.usage {
            Usage::Free(freed) => Some(freed),
            Usage::Allocated(_) => None,
        }
    }

    fn list(&self) -> (Kind, Queue) {
        (self.kind, self.freed().map_or(Queue::DEFAULT, |freed| freed.queue))
    }

    /// Adds a neighbour that was freed in the same stream.
    fn absorb(&mut self, other: Self) {
        self.bytes += other.bytes;
        if let (Usage::Free(freed), Some(other)) = (&mut self.usage, other.freed()) {
            freed.number = freed.number.max(other.number);
        }
    }

    /// Returns `true` if both blocks are free in the same stream, and parts of one segment.
    fn can_merge(&self, other: &Self) -> bool {
        let frees = (self.freed(), other.freed());
        self.segment == other.segment
            && matches!(frees, (Some(one), Some(other)) if one.queue == other.queue)
    }
}

/// A free block, in the order of its list: by size, then by address.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Entry {
    pub(super) bytes: u64,
    pub(super) address: u64,
}

impl Entry {
    fn holds(&self, bytes: u64, alignment: u64) -> bool {
        let begin = self.address.checked_next_multiple_of(alignment);
        begin.is_some_and(|begin| begin - self.address <= self.bytes - bytes)
    }
}

/// A segment: memory that the upstream returned in one call.
#[derive(Clone, Copy, Debug)]
pub(super) struct Segment {
    kind: Kind,
    pub(super) bytes: u64,
    /// The number of allocated blocks.
    used: u32,
    idle: Idle,
}

/// The start of a segment's idle period, in which no block is allocated.
#[derive(Clone, Copy, Debug)]
pub(super) struct Idle {
    /// The number of the pool's allocations and frees before the idle period.
    pub(super) operation: u64,
    /// `None` if the pool does not release segments by time.
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

impl Kind {
    pub(super) const ALL: [Self; 3] = [Self::Small, Self::Large, Self::Preallocated];
}

/// The state of a pool. It calls neither the upstream nor its streams.
#[derive(Debug, Default)]
pub(super) struct PoolState {
    pub(super) blocks: HashMap<u64, Block, AddressHasher>,
    pub(super) segments: BTreeMap<u64, Segment>,
    pub(super) free: FreeLists,
    /// Segments without an allocated block, longest idle first, preallocated ones last.
    idle: BTreeSet<(bool, u64, u64)>,
    pub(super) order: Order,
    /// The statistics, without the figures that [`PoolStatistics::of`] computes.
    pub(super) counts: PoolStatistics,
    pub(super) operations: u64,
}

impl PoolState {
    /// Adds a segment as one free block.
    pub(super) fn add_segment(
        &mut self,
        kind: Kind,
        Address(address): Address,
        bytes: u64,
        freed: Freed,
    ) -> Entry {
        let idle = Idle { operation: self.operations, at: None };
        self.segments.insert(address, Segment { kind, bytes, used: 0, idle });
        let usage = Usage::Free(freed);
        self.add_free(address, Block { segment: address, kind, previous: None, bytes, usage });
        let counts = &mut self.counts;
        counts.segments += 1;
        counts.segments_reserved += 1;
        counts.reserved += bytes;
        counts.cached += bytes;
        counts.peak_reserved = counts.peak_reserved.max(counts.reserved);
        self.enter_idle(address);
        Entry { bytes, address }
    }

    /// Removes a segment of one free block, which the upstream has taken back.
    pub(super) fn remove_segment(&mut self, address: u64) {
        self.leave_idle(address);
        let block = self.remove_free(address);
        self.segments.remove(&address);
        self.counts.segments -= 1;
        self.counts.reserved -= block.bytes;
        self.counts.cached -= block.bytes;
    }

    /// Allocates a block of `size` bytes within a free one. A rest before the new block becomes a
    /// free block. A rest after the new block does so only if [`should_split`] returns `true`.
    pub(super) fn allocate_in(&mut self, entry: Entry, request: Request, size: u64) -> Address {
        let block = self.remove_free(entry.address);
        let begin = entry.address.next_multiple_of(request.alignment);
        if begin > entry.address {
            self.add_free(entry.address, Block { bytes: begin - entry.address, ..block });
        }
        let previous = if begin > entry.address { Some(entry.address) } else { block.previous };
        let mut bytes = entry.address + block.bytes - begin;
        if should_split(size, bytes - size) {
            let previous = Some(begin);
            self.add_free(begin + size, Block { previous, bytes: bytes - size, ..block });
            bytes = size;
        }
        let usage = Usage::Allocated(request);
        self.add(begin, Block { previous, bytes, usage, ..block });
        let segment = block.segment;
        if self.segments[&segment].used == 0 {
            self.leave_idle(segment);
        }
        self.segment(segment).used += 1;
        let counts = &mut self.counts;
        counts.allocations += 1;
        counts.allocated += bytes;
        counts.cached -= bytes;
        counts.requested += request.bytes;
        counts.peak_allocated = counts.peak_allocated.max(counts.allocated);
        Address(begin)
    }

    /// `at` begins the segment's idle period, if no other block of it is allocated.
    pub(super) fn free_block(
        &mut self,
        Address(address): Address,
        request: Request,
        freed: Freed,
        at: Idle,
    ) {
        let block = self.blocks.remove(&address).expect(INVARIANT);
        let Block { segment, bytes, .. } = block;
        self.counts.frees += 1;
        self.counts.allocated -= bytes;
        self.counts.cached += bytes;
        self.counts.requested -= request.bytes;
        self.add_merged(address, Block { usage: Usage::Free(freed), ..block });
        let of = self.segment(segment);
        of.used -= 1;
        if of.used == 0 {
            of.idle = at;
            self.enter_idle(segment);
        }
    }

    pub(super) fn allocated(&self, address: Address) -> Result<Request, DeallocationError> {
        if let Some(Block { usage: Usage::Allocated(request), .. }) = self.blocks.get(&address.0) {
            return Ok(*request);
        }
        let mut segments = self.segments.range(..=address.0);
        let mut block = segments.next_back().map(|(&segment, _)| segment);
        while let Some(begin) = block {
            let Block { bytes, usage, .. } = self.blocks[&begin];
            if address.0 < begin + bytes && matches!(usage, Usage::Free(_)) {
                return Err(DeallocationError::Twice(address));
            }
            block = self.next(begin).filter(|next| *next <= address.0);
        }
        Err(DeallocationError::Foreign(address))
    }

    /// Adds a free block, without merging it with its neighbours.
    fn add_free(&mut self, address: u64, block: Block) {
        self.add(address, block);
        self.free.insert(address, &block);
    }

    /// Adds a block, and links the next one to it.
    fn add(&mut self, address: u64, block: Block) {
        self.blocks.insert(address, block);
        if let Some(next) = self.blocks.get_mut(&(address + block.bytes))
            && next.segment == block.segment
        {
            next.previous = Some(address);
        }
    }

    fn remove_free(&mut self, address: u64) -> Block {
        let block = self.blocks.remove(&address).expect(INVARIANT);
        self.free.remove(address, &block);
        block
    }

    pub(super) fn next(&self, address: u64) -> Option<u64> {
        let block = &self.blocks[&address];
        let next = address + block.bytes;
        self.blocks.get(&next).is_some_and(|next| next.segment == block.segment).then_some(next)
    }

    /// Returns the address of the merged block.
    fn add_merged(&mut self, address: u64, block: Block) -> u64 {
        let (mut begin, mut block) = (address, block);
        while let Some(next) = self.blocks.get(&(begin + block.bytes))
            && block.can_merge(next)
        {
            block.absorb(self.remove_free(begin + block.bytes));
        }
        while let Some(previous) = block.previous
            && block.can_merge(&self.blocks[&previous])
        {
            let before = self.remove_free(previous);
            block.absorb(before);
            (begin, block.previous) = (previous, before.previous);
        }
        self.add_free(begin, block);
        begin
    }

    /// Merges two neighbouring free blocks into one, as if this free had freed it, and that block with
    /// its free neighbours of the same stream. Returns the address of the merged block.
    pub(super) fn join(&mut self, left: u64, right: u64, freed: Freed) -> u64 {
        let [block, other] = [left, right].map(|address| self.remove_free(address));
        let (bytes, usage) = (block.bytes + other.bytes, Usage::Free(freed));
        self.add_merged(left, Block { bytes, usage, ..block })
    }

    /// Without `to`, all work of `from` is done, and any stream may use the blocks.
    pub(super) fn transfer(&mut self, from: Queue, to: Option<Queue>) {
        for address in self.free.take(from) {
            let mut block = self.blocks.remove(&address).expect(INVARIANT);
            if let Usage::Free(freed) = &mut block.usage {
                *freed = to.map_or(Freed::BY_NO_STREAM, |queue| Freed { queue, ..*freed });
            }
            self.add_merged(address, block);
        }
    }

    fn enter_idle(&mut self, segment: u64) {
        self.idle.insert(self.idle_key(segment));
        self.counts.releasable += self.segments[&segment].bytes;
    }

    fn leave_idle(&mut self, segment: u64) {
        self.idle.remove(&self.idle_key(segment));
        self.counts.releasable -= self.segments[&segment].bytes;
    }

    /// Returns the idle segments, longest idle first, preallocated ones last.
    pub(super) fn idle_segments(&self) -> Vec<u64> {
        self.idle.iter().map(|(_, _, segment)| *segment).collect()
    }

    /// Returns the segment that is idle for longest and was not preallocated.
    pub(super) fn oldest_idle(&self) -> Option<(u64, Idle)> {
        let &(is_preallocated, _, segment) = self.idle.first()?;
        (!is_preallocated).then(|| (segment, self.segments[&segment].idle))
    }

    /// Moves an idle segment to the end of the idle list.
    pub(super) fn restart_idle(&mut self, segment: u64, at: Idle) {
        self.leave_idle(segment);
        self.segment(segment).idle = at;
        self.enter_idle(segment);
    }

    fn idle_key(&self, address: u64) -> (bool, u64, u64) {
        let segment = &self.segments[&address];
        (segment.kind == Kind::Preallocated, segment.idle.operation, address)
    }

    fn segment(&mut self, address: u64) -> &mut Segment {
        self.segments.get_mut(&address).expect(INVARIANT)
    }
}

/// `check` verifies this.
const INVARIANT: &str = "the state refers only to existing blocks and segments";

/// Returns `true` if the rest of a block becomes a free block of its own.
fn should_split(size: u64, rest: u64) -> bool {
    // A small block next to a large one would prevent the release of its whole segment.
    if size <= SMALL { rest >= GRANULE } else { rest > SMALL }
}

/// Free blocks for each kind of segment and each stream, ordered by size, then by address.
#[derive(Debug, Default)]
pub(super) struct FreeLists {
    lists: BTreeMap<(Kind, Queue), BTreeSet<Entry>>,
}

/// Blocks per stream other than the request's own. The limit bounds the time of a search.
pub(super) const MAX_EXAMINED: usize = 8;

impl FreeLists {
    fn insert(&mut self, address: u64, block: &Block) {
        let list = self.lists.entry(block.list()).or_default();
        list.insert(Entry { bytes: block.bytes, address });
    }

    fn remove(&mut self, address: u64, block: &Block) {
        // An empty list stays, because the next free of the stream would create it again.
        if let Some(list) = self.lists.get_mut(&block.list()) {
            list.remove(&Entry { bytes: block.bytes, address });
        }
    }

    /// Returns the smallest block of a stream that holds `bytes` bytes at this alignment.
    pub(super) fn best(
        &self,
        kind: Kind,
        queue: Queue,
        bytes: u64,
        alignment: u64,
    ) -> Option<Entry> {
        let list = self.lists.get(&(kind, queue))?;
        from(list, bytes).find(|entry| entry.holds(bytes, alignment)).copied()
    }

    /// Returns the smallest blocks first, and examines only [`MAX_EXAMINED`] blocks of each stream.
    pub(super) fn other_streams(
        &self,
        kind: Kind,
        queue: Queue,
        bytes: u64,
        alignment: u64,
    ) -> Vec<Entry> {
        let lists = self.lists.range((kind, Queue::FIRST)..=(kind, Queue::LAST));
        let candidates = lists.filter(|((_, other), _)| *other != queue);
        let mut found: Vec<Entry> = candidates
            .flat_map(|(_, list)| from(list, bytes).take(MAX_EXAMINED))
            .filter(|entry| entry.holds(bytes, alignment))
            .copied()
            .collect();
        found.sort_unstable();
        found
    }

    pub(super) fn largest(&self) -> u64 {
        self.lists
            .values()
            .filter_map(|list| list.last())
            .map(|entry| entry.bytes)
            .max()
            .unwrap_or(0)
    }

    fn iter(&self) -> impl Iterator<Item = (Kind, Queue, Entry)> {
        let lists = self.lists.iter();
        lists.flat_map(|((kind, queue), list)| list.iter().map(|entry| (*kind, *queue, *entry)))
    }

    /// Removes the lists of a stream, and returns the addresses of its free blocks.
    fn take(&mut self, queue: Queue) -> Vec<u64> {
        let taken = Kind::ALL.iter().filter_map(|kind| self.lists.remove(&(*kind, queue)));
        taken.flatten().map(|entry| entry.address).collect()
    }
}

/// Returns the blocks of at least `bytes` bytes.
fn from(list: &BTreeSet<Entry>, bytes: u64) -> impl Iterator<Item = &Entry> {
    list.range(Entry { bytes, address: 0 }..)
}

impl PoolState {
    /// Returns an error that describes the first inconsistency of the state.
    pub(super) fn check(&self, limit: Option<u64>) -> Result<(), String> {
        let mut sums = Sums::default();
        for (&address, segment) in &self.segments {
            let mut others = self.segments.range(address + 1..address + segment.bytes);
            expect(others.next().is_none(), || format!("segment {address:#x} overlaps"))?;
            sums.reserved += segment.bytes;
            self.check_segment(address, segment, &mut sums)?;
        }
        let found = sums.used + sums.free;
        expect(found == self.blocks.len(), || "blocks outside of all segments".into())?;
        self.check_free_lists(sums.free)?;
        self.check_idle()?;
        let counts = &self.counts;
        for (name, sum, counted) in [
            ("reserved", sums.reserved, counts.reserved),
            ("allocated", sums.allocated, counts.allocated),
            ("requested", sums.requested, counts.requested),
            ("cached", sums.cached, counts.cached),
            ("blocks", sums.used as u64, counts.allocations - counts.frees),
            ("segments", self.segments.len() as u64, counts.segments),
        ] {
            expect(sum == counted, || format!("{name}: found {sum}, counted {counted}"))?;
        }
        for (peak, now) in
            [(counts.peak_reserved, counts.reserved), (counts.peak_allocated, counts.allocated)]
        {
            expect(peak >= now, || format!("a peak of {peak}, below {now}"))?;
        }
        expect(counts.hits <= counts.allocations, || "more hits than allocations".into())?;
        let is_within = limit.is_none_or(|limit| counts.reserved <= limit);
        expect(is_within, || "the limit is exceeded".into())
    }

    /// Checks that blocks tile a segment, and adds them to the sums.
    fn check_segment(&self, begin: u64, segment: &Segment, sums: &mut Sums) -> Result<(), String> {
        let (end, used_before) = (begin + segment.bytes, sums.used);
        let (mut at, mut previous, mut free_before) = (begin, None, None);
        while at < end {
            let describe = |problem| move || format!("block {at:#x}: {problem}");
            let block = self.blocks.get(&at).ok_or_else(describe("is missing"))?;
            expect(block.segment == begin, describe("belongs to another segment"))?;
            expect(block.previous == previous, describe("is not linked to the previous one"))?;
            expect(block.bytes > 0, describe("is empty"))?;
            match block.usage {
                Usage::Allocated(request) => {
                    sums.used += 1;
                    sums.allocated += block.bytes;
                    sums.requested += request.bytes;
                    expect(request.bytes <= block.bytes, describe("is smaller than its request"))?;
                    expect(at % request.alignment == 0, describe("is not aligned"))?;
                    free_before = None;
                }
                Usage::Free(freed) => {
                    sums.free += 1;
                    sums.cached += block.bytes;
                    let is_merged = free_before.replace(freed.queue) != Some(freed.queue);
                    expect(is_merged, describe("is free next to a free block"))?;
                }
            }
            previous = Some(at);
            at += block.bytes;
        }
        expect(at == end, || format!("the blocks of segment {begin:#x} end at {at:#x}"))?;
        let used = sums.used - used_before;
        expect(used == segment.used as usize, || {
            format!("segment {begin:#x} has a wrong number of used blocks")
        })
    }

    /// Checks that the free lists contain the `free` free blocks and no others.
    fn check_free_lists(&self, free: usize) -> Result<(), String> {
        let mut listed = 0;
        for (kind, queue, entry) in self.free.iter() {
            listed += 1;
            let block = self.blocks.get(&entry.address);
            let freed = block.and_then(|block| Some((block, block.freed()?)));
            let (block, freed) = freed
                .ok_or_else(|| format!("block {:#x} is listed but not free", entry.address))?;
            let is_same = block.bytes == entry.bytes
                && freed.queue == queue
                && self.segments[&block.segment].kind == kind;
            expect(is_same, || format!("block {:#x} is in the wrong free list", entry.address))?;
        }
        expect(listed == free, || format!("{free} blocks are free, {listed} are in free lists"))
    }

    /// Checks that `idle` contains the segments without an allocated block and no others.
    fn check_idle(&self) -> Result<(), String> {
        let idle = self.segments.iter().filter(|(_, segment)| segment.used == 0);
        let keys = idle.clone().map(|(&address, _)| self.idle_key(address)).collect();
        expect(self.idle == keys, || "the idle list has other segments than the idle ones".into())?;
        let bytes: u64 = idle.map(|(_, segment)| segment.bytes).sum();
        expect(bytes == self.counts.releasable, || "releasable bytes are counted wrong".into())
    }
}

#[derive(Default)]
struct Sums {
    used: usize,
    free: usize,
    reserved: u64,
    allocated: u64,
    requested: u64,
    cached: u64,
}

fn expect(holds: bool, problem: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(problem()) }
}

/// The attack-resistant hasher of `std` would take as long as all other work of a call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct AddressHasher(u64);

impl BuildHasher for AddressHasher {
    type Hasher = Self;

    fn build_hasher(&self) -> Self {
        Self(0)
    }
}

impl Hasher for AddressHasher {
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
mod tests;
