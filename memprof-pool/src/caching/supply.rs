//! The supply of blocks: from free blocks, from other streams, and from the upstream; and the return
//! of segments to the upstream.

use super::builder::{Age, Rules};
use super::order::Queue;
use super::state::{Block, Entry, Idle, Kind, PAGE, PoolState, SMALL, block_size, segment_size};
use crate::{Action, Address, AllocationError, DeallocationError, MemoryResource, Request, Stream};
use core::panic::Location;
use std::time::Instant;

/// The result of [`CachingPool::compact`](super::CachingPool::compact).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Compaction {
    /// Bytes that went back to the upstream.
    pub released: u64,
    /// The number of released segments.
    pub released_segments: u64,
    /// Free bytes that stay. Their segment has an allocated block, which can't be moved, or work in
    /// a stream may still use them.
    pub unmovable: u64,
    /// The number of segments that contain the unmovable bytes.
    pub unmovable_segments: u64,
}

/// The state, the upstream and the settings, while the pool is locked.
pub(super) struct Supply<'p, U> {
    pub(super) state: &'p mut PoolState,
    pub(super) upstream: &'p U,
    pub(super) rules: &'p Rules,
    /// `true` if a stream may wait for another one so that a segment can be released.
    pub(super) waits: bool,
}

impl<U: MemoryResource> Supply<'_, U> {
    /// Allocates memory and records it in the timeline.
    #[track_caller]
    pub(super) fn allocate(&mut self, request: Request) -> Result<Address, AllocationError> {
        let site = Location::caller();
        let address = self.allocate_block(request)?;
        self.state.operations += 1;
        self.record(Action::Allocate, address, request, site);
        self.trim();
        Ok(address)
    }

    /// Frees the memory of an allocation that was made for this request.
    #[track_caller]
    pub(super) fn free(
        &mut self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        let Some(&number) = self.state.allocated.get(&address.0) else {
            return Err(self.state.not_allocated(address));
        };
        if self.is_capturing(request.stream) {
            return Err(DeallocationError::Capturing(address, request.stream));
        }
        if let Some(allocated) = self.state.blocks[number].request {
            request.check_same(allocated, address)?;
        }
        self.state.operations += 1;
        let (queue, freed) = self.record_free(request.stream);
        let now = self.idle_now();
        self.state.free_block(number, request, queue, freed, now);
        self.record(Action::Free, address, request, Location::caller());
        self.trim();
        Ok(())
    }

    /// Allocates a block for the request: in a free block, else in a new segment, else by
    /// [`obtain_under_pressure`](Self::obtain_under_pressure).
    #[track_caller]
    fn allocate_block(&mut self, request: Request) -> Result<Address, AllocationError> {
        let Some(size) = block_size(request.bytes) else {
            return Err(self.out_of_memory(request));
        };
        if self.is_capturing(request.stream) {
            return Err(AllocationError::Capturing(request.stream));
        }
        let kinds = kinds_of(size);
        let mut is_per_thread = false;
        if let Some(streams) = self.upstream.streams() {
            is_per_thread = streams.is_per_thread(request.stream);
            if !is_per_thread {
                self.state.order.add(Queue::of(request.stream));
            }
            self.sweep();
        }
        let mut entry = self.find(kinds, request, size);
        if entry.is_none() && is_per_thread {
            // Such a stream owns no memory, so it waits for what it freed itself.
            entry = self.find_with_wait(kinds, request, size);
        }
        if let Some(entry) = entry {
            self.state.counts.hits += 1;
            return Ok(self.state.allocate_in(entry, request, size));
        }
        let Some(bytes) = segment_size(size) else { return Err(self.out_of_memory(request)) };
        match self.reserve(kind_of(size), size, bytes, request) {
            Ok(entry) => Ok(self.state.allocate_in(entry, request, size)),
            Err(error) if error.is_out_of_memory() => self.obtain_under_pressure(request, size),
            Err(error) => Err(error),
        }
    }

    /// Allocates a block when the upstream has too little memory or the limit is reached.
    #[track_caller]
    fn obtain_under_pressure(
        &mut self,
        request: Request,
        size: u64,
    ) -> Result<Address, AllocationError> {
        // Free blocks of all kinds of segments are considered.
        let mut entry = self.find(&ANY, request, size);
        entry = entry.or_else(|| self.find_with_wait(&ANY, request, size));
        if entry.is_none() {
            self.merge_done();
            entry = self.find(&ANY, request, size);
        }
        if let Some(entry) = entry {
            self.state.counts.hits += 1;
            return Ok(self.state.allocate_in(entry, request, size));
        }
        let mut sizes: Vec<u64> = segment_size(size).into_iter().collect();
        sizes.extend(size.checked_next_multiple_of(PAGE).filter(|_| size > SMALL));
        sizes.push(size);
        sizes.dedup();
        // With a limit, the pool first releases only enough segments for the request, starting with
        // the longest idle. It releases all others if the upstream still has too little memory.
        if let Some(limit) = self.rules.limit {
            let fits = |state: &PoolState| size <= limit.saturating_sub(state.counts.reserved);
            self.release_idle(fits);
        } else {
            self.release_idle(|_| false);
        }
        for attempt in 0..2 {
            for &bytes in &sizes {
                match self.reserve(kind_of(size), size, bytes, request) {
                    Ok(entry) => return Ok(self.state.allocate_in(entry, request, size)),
                    Err(error) if !error.is_out_of_memory() => return Err(error),
                    Err(_) => {}
                }
            }
            self.waits = true;
            if attempt == 0 && self.release_idle(|_| false) == 0 {
                break;
            }
        }
        Err(self.out_of_memory(request))
    }

    /// Returns the smallest free block of the request's stream, or else one of another stream that
    /// the request's stream may use at once. The kinds are searched in order.
    fn find(&mut self, kinds: &[Kind], request: Request, size: u64) -> Option<Entry> {
        let (queue, alignment) = (self.own_queue(request.stream), request.alignment);
        let own = kinds.iter().find_map(|kind| self.state.free.best(*kind, queue, size, alignment));
        if own.is_some() {
            return own;
        }
        let streams = self.upstream.streams()?;
        let candidates = kinds.iter().flat_map(|kind| {
            self.state.free.other_streams(*kind, queue, size, alignment).into_iter()
        });
        for entry in candidates.collect::<Vec<_>>() {
            let block = &self.state.blocks[entry.block];
            if self.state.order.has_passed(streams, block.queue, block.freed) {
                return Some(entry);
            }
        }
        None
    }

    /// Returns the smallest free block for which the request's stream can wait. The kinds are
    /// searched in order.
    fn find_with_wait(&mut self, kinds: &[Kind], request: Request, size: u64) -> Option<Entry> {
        let streams = self.upstream.streams()?;
        let (queue, alignment) = (self.own_queue(request.stream), request.alignment);
        for kind in kinds {
            for entry in self.state.free.other_streams(*kind, queue, size, alignment) {
                let block = &self.state.blocks[entry.block];
                if self.state.order.wait(streams, queue, block.queue, block.freed) {
                    return Some(entry);
                }
            }
        }
        None
    }

    /// Reserves a new segment of at least `bytes` bytes, in which an aligned block of `size` bytes
    /// fits, and adds it as one free block.
    #[track_caller]
    pub(super) fn reserve(
        &mut self,
        kind: Kind,
        size: u64,
        bytes: u64,
        request: Request,
    ) -> Result<Entry, AllocationError> {
        // Upstreams promise only the default alignment.
        let padding = if request.alignment > Request::ALIGNMENT { request.alignment } else { 0 };
        let Some(padded) = size.checked_add(padding) else {
            return Err(self.out_of_memory(request));
        };
        let bytes = bytes.max(padded);
        let limit = self.rules.limit;
        let left = limit.map_or(u64::MAX, |limit| limit.saturating_sub(self.state.counts.reserved));
        if bytes > left {
            return Err(self.out_of_memory(request));
        }
        let segment = Request::new(bytes).on(request.stream);
        let address = self.upstream.allocate(segment)?;
        // The segment may be available only in the order of its stream. So other streams must wait,
        // as if that stream had freed it.
        let (queue, freed) = self.record_free(segment.stream);
        let entry = self.state.add_segment(kind, address, segment, queue, freed);
        self.record(Action::SegmentAllocate, address, segment, Location::caller());
        Ok(entry)
    }

    /// Forgets a stream. Other streams may use its freed memory once its work is done, or once they
    /// wait for that work.
    ///
    /// # Errors
    /// Returns an error if the device refuses the event behind the stream's work. The stream and its
    /// freed memory then stay in the pool.
    pub(super) fn retire(&mut self, stream: Stream) -> Result<(), AllocationError> {
        let Some(streams) = self.upstream.streams() else { return Ok(()) };
        if streams.is_per_thread(stream) {
            return Ok(());
        }
        let queue = Queue::of(stream);
        let retired = self.state.order.retire(streams, queue)?;
        self.state.transfer(queue, retired.unwrap_or(Queue::DEFAULT), retired.is_none());
        self.sweep();
        Ok(())
    }

    /// Makes memory that belongs to no stream available to all streams once the work that used it is
    /// done. Without this call, its free lists would accumulate.
    fn sweep(&mut self) {
        let Some(streams) = self.upstream.streams() else { return };
        for queue in self.state.order.sweep(streams) {
            self.state.transfer(queue, Queue::DEFAULT, true);
        }
    }

    /// Returns the queue whose memory the stream may use at once. If the upstream has no streams, all
    /// handles name the default stream.
    fn own_queue(&self, stream: Stream) -> Queue {
        if self.upstream.streams().is_some() { Queue::of(stream) } else { Queue::DEFAULT }
    }

    /// Records a free that happens now in the stream. Returns the queue of the memory and the number
    /// of the free.
    fn record_free(&mut self, stream: Stream) -> (Queue, u64) {
        let order = &mut self.state.order;
        let streams = self.upstream.streams();
        streams.map_or((Queue::DEFAULT, 0), |streams| order.free(streams, stream))
    }

    fn is_capturing(&self, stream: Stream) -> bool {
        self.upstream.streams().is_some_and(|streams| streams.is_capturing(stream))
    }

    /// Releases idle segments, the longest idle first, until `is_enough` returns `true`. Returns
    /// the released bytes.
    #[track_caller]
    pub(super) fn release_idle(&mut self, is_enough: impl Fn(&PoolState) -> bool) -> u64 {
        // Copy the list, because segments that the upstream refuses to take back stay in it.
        let idle: Vec<u32> = self.state.idle.iter().map(|(_, _, segment)| *segment).collect();
        let mut released = 0;
        for segment in idle {
            if is_enough(self.state) {
                break;
            }
            released += self.release(segment);
        }
        released
    }

    /// Releases idle segments while the cache exceeds its limit, and segments that were idle for
    /// too long.
    #[track_caller]
    pub(super) fn trim(&mut self) {
        let limit = self.rules.cached.unwrap_or(u64::MAX);
        while self.state.counts.cached() > limit || self.is_oldest_stale() {
            // Preallocated segments come last in the list, and stay reserved.
            let Some(&(false, _, segment)) = self.state.idle.first() else { return };
            if self.release(segment) == 0 {
                return;
            }
        }
    }

    fn is_oldest_stale(&self) -> bool {
        let Some(age) = self.rules.age else { return false };
        let Some(&(false, _, segment)) = self.state.idle.first() else { return false };
        let idle = self.state.segments[segment].idle;
        match age {
            Age::Operations(limit) => self.state.operations - idle.operation >= limit,
            Age::Time(limit) => idle.at.is_some_and(|at| at.elapsed() >= limit),
        }
    }

    /// Releases an idle segment and returns its bytes. Returns 0 if work in a stream may still use
    /// the segment, or if the upstream refuses to free it.
    #[track_caller]
    fn release(&mut self, number: u32) -> u64 {
        if !self.merge_segment(number) {
            self.requeue_idle(number);
            return 0;
        }
        let segment = self.state.segments[number].clone();
        let Some(stream) = self.last_stream(segment.first) else {
            self.requeue_idle(number);
            return 0;
        };
        let request = Request::new(segment.bytes).on(stream);
        // SAFETY: the upstream allocated the segment for this request, it has been in the state
        // since, and no block of it is allocated. Work that used it is done, or comes earlier in
        // this stream.
        let freed = unsafe { self.upstream.deallocate(Address(segment.address), request) };
        if freed.is_err() {
            // Nothing was freed, so the segment stays in the state.
            self.state.counts.refused += 1;
            self.requeue_idle(number);
            return 0;
        }
        self.state.remove_segment(number);
        self.record(Action::SegmentFree, Address(segment.address), request, Location::caller());
        segment.bytes
    }

    /// Returns a stream in whose order a free block may be released.
    ///
    /// All work that used the block is done, or comes earlier in that stream. Returns `None` if there
    /// is no such stream.
    fn last_stream(&mut self, block: u32) -> Option<Stream> {
        let Block { queue, freed, .. } = self.state.blocks[block];
        let Some(streams) = self.upstream.streams().filter(|_| !queue.is_stream()) else {
            return Some(queue.stream);
        };
        let last = queue.waiting(streams);
        let order = &mut self.state.order;
        let is_ordered = order.has_passed(streams, queue, freed)
            || self.waits && order.wait(streams, last, queue, freed);
        is_ordered.then_some(last.stream)
    }

    /// Moves an idle segment to the end of the idle list, because the segment can't be released
    /// yet.
    fn requeue_idle(&mut self, number: u32) {
        self.state.idle.remove(&self.state.idle_key(number));
        self.state.segments[number].idle = self.idle_now();
        self.state.idle.insert(self.state.idle_key(number));
    }

    pub(super) fn idle_now(&self) -> Idle {
        let is_timed = matches!(self.rules.age, Some(Age::Time(_)));
        Idle { operation: self.state.operations, at: is_timed.then(Instant::now) }
    }

    /// Merges the blocks of an idle segment. Returns `true` if one block remains.
    fn merge_segment(&mut self, number: u32) -> bool {
        self.merge_done_of(number, self.waits);
        self.state.blocks[self.state.segments[number].first].next.is_none()
    }

    /// Merges neighbouring free blocks of different streams if all work of one stream is done.
    pub(super) fn merge_done(&mut self) {
        let segments: Vec<u32> = self.state.segments.iter().map(|(number, _)| number).collect();
        for segment in segments {
            self.merge_done_of(segment, false);
        }
    }

    /// Merges neighbouring free blocks of different streams in one segment. If `waits` is `true`,
    /// one stream may wait for the work of another.
    fn merge_done_of(&mut self, segment: u32, waits: bool) {
        let Some(streams) = self.upstream.streams() else { return };
        let mut left = self.state.segments[segment].first;
        while let Some(right) = self.state.blocks[left].next {
            let [one, other] = [left, right].map(|block| &self.state.blocks[block]);
            if !(one.is_free() && other.is_free()) {
                left = right;
                continue;
            }
            let [one, other] = [one, other].map(|block| (block.queue, block.freed));
            let last = if other.0.is_stream() { other.0 } else { one.0.waiting(streams) };
            let order = &mut self.state.order;
            let owner = if order.has_passed(streams, other.0, other.1) {
                one
            } else if order.has_passed(streams, one.0, one.1) {
                other
            } else if waits && [one, other].iter().all(|of| order.wait(streams, last, of.0, of.1)) {
                // The merged block counts as freed now, after the waits. So an event behind this
                // free also covers the work of both streams.
                order.free(streams, last.stream)
            } else {
                left = right;
                continue;
            };
            self.state.join(left, right, owner.0, owner.1);
            left = self.state.coalesce(left);
        }
    }

    /// Merges and releases as much as possible.
    #[track_caller]
    pub(super) fn compact(&mut self) -> Compaction {
        self.merge_done();
        let before = self.state.counts.segments_released;
        let released = self.release_idle(|_| false);
        let released_segments = self.state.counts.segments_released - before;
        let mut compaction = Compaction { released, released_segments, ..Compaction::default() };
        let mut segments: Vec<u32> = Vec::new();
        for (_, _, entry) in self.state.free.iter() {
            compaction.unmovable += entry.bytes;
            segments.push(self.state.blocks[entry.block].segment);
        }
        segments.sort_unstable();
        segments.dedup();
        compaction.unmovable_segments = segments.len() as u64;
        compaction
    }

    pub(super) fn out_of_memory(&self, request: Request) -> AllocationError {
        AllocationError::OutOfMemory {
            request,
            memory: self.upstream.memory(),
            largest_free: Some(self.state.free.largest()),
            reserved: Some(self.state.counts.reserved),
            cached: Some(self.state.counts.cached()),
            limit: self.rules.limit,
        }
    }

    /// Records an action in the timeline, if there is one.
    pub(super) fn record(
        &self,
        action: Action,
        address: impl Into<Option<Address>>,
        request: Request,
        site: &'static Location<'static>,
    ) {
        if let Some(timeline) = &self.rules.timeline {
            timeline.add(action, address.into(), request, site, self.state.counts.held());
        }
    }
}

const ANY: [Kind; 3] = [Kind::Small, Kind::Large, Kind::Preallocated];

/// Returns the kinds of segments in which a search looks for a block of this size.
fn kinds_of(size: u64) -> &'static [Kind] {
    match kind_of(size) {
        Kind::Small => &[Kind::Small, Kind::Preallocated],
        _ => &[Kind::Large, Kind::Preallocated],
    }
}

/// Returns the kind of segment for a block of this size.
fn kind_of(size: u64) -> Kind {
    if size <= SMALL { Kind::Small } else { Kind::Large }
}
