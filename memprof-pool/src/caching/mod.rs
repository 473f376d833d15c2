//! A pool that caches freed memory.
//!
//! - `state`: the segments, the blocks and the lists of free blocks, without calls to the upstream;
//! - `order`: streams and the order of their work;
//! - `builder`, `statistics`: settings and figures;
//! - here: the pool, which takes memory from the upstream and returns it.
//!
//! One lock guards the whole pool. An allocation from the cache holds the lock for one or two tree
//! searches. Several locks would cost more, because blocks would move between the parts that the
//! locks guard. An allocation that misses the cache holds the lock while it waits for the upstream.
//! Other threads must wait too. Otherwise, one of them could reserve the memory that this thread
//! releases for its own request. The lock is not held while the program's callback runs.

mod builder;
mod order;
mod state;
mod statistics;

#[cfg(test)]
mod tests;

use crate::resource::as_inner;
use crate::{
    Action, Address, AllocationError, DeallocationError, MemoryResource, Request, Stream, Streams,
    Timeline,
};
pub use builder::{Age, PoolBuilder, PoolError, Pressure};
use builder::{Callback, Rules};
use core::fmt;
use core::panic::Location;
use order::{Freed, Order, Queue};
use state::{Entry, Idle, Kind, PAGE, PoolState, SMALL, block_size, segment_size};
pub use statistics::{PoolSource, PoolStatistics};
use std::collections::BTreeSet;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A pool that takes memory from an upstream, caches freed memory and reuses it.
///
/// The pool takes segments from the upstream and divides them into blocks. A request gets the
/// smallest free block that is large enough. The rest of that block becomes a free block again, and
/// free neighbours are merged.
///
/// If the upstream has [`streams`](MemoryResource::streams), a stream may at once reuse memory that
/// it freed. Another stream gets that memory once the work before the free is done. If there is no
/// other memory, the pool makes the other stream wait for that work. Until a stream is
/// [retired](Self::retire), the pool may record events in it and wait for it. If the upstream has
/// no streams, any stream may reuse freed memory at once.
///
/// Memory that is freed in CUDA's `CU_STREAM_PER_THREAD` belongs to no stream: each free records an
/// event, and the next user waits for it. A graph capture can't use the pool: the calls of its stream
/// return an error.
///
/// ```
/// use memprof::pool::{AddressSpace, CachingPool, MemoryResource, Request};
///
/// let pool = CachingPool::builder(AddressSpace::new()).limit("1 GiB").build()?;
/// let request = Request::new(3 << 20);
/// for _ in 0..10 {
///     let address = pool.allocate(request)?;
///     // SAFETY: the memory was just allocated for this request.
///     unsafe { pool.deallocate(address, request) }?;
/// }
/// let statistics = pool.statistics();
/// assert_eq!((statistics.allocations, statistics.hits), (10, 9));
/// assert_eq!((statistics.allocated, statistics.reserved), (0, 20 << 20));
/// assert_eq!(pool.empty_cache(), 20 << 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// A free of an address that is not allocated, or with another size, returns an error and frees
/// nothing. When the pool is dropped, it releases all segments without an allocated block. The
/// others are never freed, so their users may keep using them. A CUDA upstream then also keeps its
/// context.
///
/// # Cost
/// Each allocation and each free takes a lock and searches a tree. Each block takes about 200 bytes
/// of host memory.
pub struct CachingPool<U: MemoryResource> {
    name: String,
    upstream: U,
    rules: Rules,
    pressure: Option<Callback>,
    state: Mutex<PoolState>,
}

impl<U: MemoryResource> CachingPool<U> {
    /// Creates a builder of a pool over this upstream.
    pub fn builder(upstream: U) -> PoolBuilder<U> {
        PoolBuilder::new(upstream)
    }

    /// Returns the name of the pool in snapshots and timelines.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the upstream.
    pub const fn upstream(&self) -> &U {
        &self.upstream
    }

    /// Returns the maximum number of bytes that the pool may take from its upstream, or `None`
    /// without a limit.
    pub const fn limit(&self) -> Option<u64> {
        self.rules.limit
    }

    /// Returns the timeline, or `None` if the pool does not [record](PoolBuilder::record) one.
    pub const fn timeline(&self) -> Option<&Timeline> {
        self.rules.timeline.as_ref()
    }

    /// Returns the statistics of the pool.
    ///
    /// # Cost
    /// The call visits all free blocks while it holds the lock.
    pub fn statistics(&self) -> PoolStatistics {
        PoolStatistics::of(&self.state())
    }

    /// Resets the peaks to the current values.
    pub fn reset_peaks(&self) {
        let counts = &mut self.state().counts;
        counts.peak_allocated = counts.allocated;
        counts.peak_reserved = counts.reserved;
    }

    /// Releases all segments without an allocated block, and returns the released bytes.
    ///
    /// A segment that the upstream refuses to take back stays reserved.
    #[track_caller]
    pub fn empty_cache(&self) -> u64 {
        self.supply(&mut self.state()).release_idle(|_| false)
    }

    /// Releases segments above the cache limit and segments that were idle for too long, as each
    /// allocation and each free does. Returns the released bytes.
    #[track_caller]
    pub fn trim(&self) -> u64 {
        let mut state = self.state();
        let before = state.counts.reserved;
        self.supply(&mut state).trim();
        before - state.counts.reserved
    }

    /// Merges free blocks and releases segments, as far as possible.
    ///
    /// Callers use the addresses of allocated blocks, so the pool can't move these blocks. The free
    /// blocks between them stay, and the result contains their bytes.
    ///
    /// # Cost
    /// The call visits all blocks while it holds the lock.
    #[track_caller]
    pub fn compact(&self) -> Compaction {
        self.supply(&mut self.state()).compact()
    }

    /// Forgets a stream before it is destroyed. Other streams may then use the memory that it
    /// freed.
    ///
    /// Unless all work in the stream is done, the pool records an event behind that work. Other
    /// streams get the memory once that event has passed, or wait for the event. The work may still
    /// run after the call. The call does not block.
    ///
    /// `CU_STREAM_PER_THREAD` needs no such call.
    ///
    /// # Errors
    /// Returns [`AllocationError`] if the device refuses the event. The pool then keeps the stream,
    /// which must not be destroyed.
    pub fn retire(&self, stream: Stream) -> Result<(), AllocationError> {
        self.supply(&mut self.state()).retire(stream)
    }

    /// Checks that the pool's blocks, segments and counts agree. Tests of programs and of upstreams
    /// call it between allocations.
    ///
    /// # Errors
    /// Returns the first contradiction.
    ///
    /// # Cost
    /// Visits all blocks and segments, and holds the pool's lock during the visit.
    pub fn check(&self) -> Result<(), String> {
        self.state().check(self.rules.limit)
    }

    fn state(&self) -> MutexGuard<'_, PoolState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn supply<'p>(&'p self, state: &'p mut PoolState) -> Supply<'p, U> {
        Supply { state, upstream: &self.upstream, rules: &self.rules, waits: false }
    }
}

// SAFETY: blocks tile segments, which the upstream allocated, and the pool returns only free
// blocks. So live blocks don't overlap. Another stream gets a block only once the work that used it
// is done, or waits for that work.
unsafe impl<U: MemoryResource> MemoryResource for CachingPool<U> {
    as_inner!(self => self.upstream, limit self.rules.limit);

    #[track_caller]
    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        request.check_alignment(1 << 62)?;
        let mut attempt = 0;
        loop {
            // The lock is released at the end of the statement.
            let address = self.supply(&mut self.state()).allocate(request);
            attempt += 1;
            match address {
                Err(error) if error.is_out_of_memory() => {
                    if !self.should_retry(request, attempt) {
                        let state = &mut self.state();
                        state.counts.out_of_memory += 1;
                        let supply = self.supply(state);
                        supply.record(Action::OutOfMemory, None, request, Location::caller());
                        return Err(error);
                    }
                }
                address => return address,
            }
        }
    }

    #[track_caller]
    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        self.supply(&mut self.state()).free(address, request)
    }
}

impl<U: MemoryResource> Drop for CachingPool<U> {
    fn drop(&mut self) {
        let mut state = self.state();
        let mut supply = self.supply(&mut state);
        // The pool can't check again later whether the work is done, so streams wait for it.
        supply.waits = true;
        supply.release_idle(|_| false);
    }
}

impl<U: MemoryResource + fmt::Debug> fmt::Debug for CachingPool<U> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("CachingPool")
            .field("name", &self.name)
            .field("upstream", &self.upstream)
            .field("rules", &self.rules)
            .field("counts", &self.state().counts)
            .finish_non_exhaustive()
    }
}

/// The result of [`CachingPool::compact`].
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
struct Supply<'p, U> {
    state: &'p mut PoolState,
    upstream: &'p U,
    rules: &'p Rules,
    /// `true` if a stream may wait for another one so that a segment can be released.
    waits: bool,
}

impl<U: MemoryResource> Supply<'_, U> {
    #[track_caller]
    fn allocate(&mut self, request: Request) -> Result<Address, AllocationError> {
        let site = Location::caller();
        let address = self.allocate_block(request)?;
        self.state.operations += 1;
        self.record(Action::Allocate, address, request, site);
        self.trim();
        Ok(address)
    }

    #[track_caller]
    fn free(&mut self, address: Address, request: Request) -> Result<(), DeallocationError> {
        let allocated = self.state.allocated(address)?;
        if self.is_capturing(request.stream) {
            return Err(DeallocationError::Capturing(address, request.stream));
        }
        request.check_same(allocated, address)?;
        self.state.operations += 1;
        let freed = self.record_free(request.stream);
        let now = self.idle_now();
        self.state.free_block(address, request, freed, now);
        self.record(Action::Free, address, request, Location::caller());
        self.trim();
        Ok(())
    }

    /// Takes a free block, else a new segment, else calls [`Self::obtain_under_pressure`].
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

    #[track_caller]
    fn obtain_under_pressure(
        &mut self,
        request: Request,
        size: u64,
    ) -> Result<Address, AllocationError> {
        // Free blocks of all kinds of segments are considered.
        let mut entry = self.find(&Kind::ALL, request, size);
        entry = entry.or_else(|| self.find_with_wait(&Kind::ALL, request, size));
        if entry.is_none() {
            self.merge_done();
            entry = self.find(&Kind::ALL, request, size);
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
        own.or_else(|| self.find_in_others(kinds, request, size, Order::has_passed))
    }

    /// Prefers the smallest block. The kinds are searched in order.
    fn find_with_wait(&mut self, kinds: &[Kind], request: Request, size: u64) -> Option<Entry> {
        let queue = self.own_queue(request.stream);
        self.find_in_others(kinds, request, size, |order, streams, freed| {
            order.wait(streams, queue, freed)
        })
    }

    /// Returns the smallest free block of another stream for which `is_usable` returns `true`.
    fn find_in_others(
        &mut self,
        kinds: &[Kind],
        request: Request,
        size: u64,
        is_usable: impl Fn(&mut Order, &dyn Streams, Freed) -> bool,
    ) -> Option<Entry> {
        let streams = self.upstream.streams()?;
        let (queue, state) = (self.own_queue(request.stream), &mut *self.state);
        kinds.iter().find_map(|kind| {
            let others = state.free.other_streams(*kind, queue, size, request.alignment);
            others.into_iter().find(|entry| {
                let freed = state.blocks[&entry.address].freed();
                freed.is_some_and(|freed| is_usable(&mut state.order, streams, freed))
            })
        })
    }

    /// Reserves a new segment of at least `bytes` bytes, in which an aligned block of `size` bytes
    /// fits, and adds it as one free block.
    #[track_caller]
    fn reserve(
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
        let freed = self.record_free(segment.stream);
        let entry = self.state.add_segment(kind, address, bytes, freed);
        self.record(Action::SegmentAllocate, address, segment, Location::caller());
        Ok(entry)
    }

    /// Forgets a stream. Other streams may use its freed memory once its work is done, or once they
    /// wait for that work.
    ///
    /// # Errors
    /// Returns an error if the device refuses the event behind the stream's work. The stream and its
    /// freed memory then stay in the pool.
    fn retire(&mut self, stream: Stream) -> Result<(), AllocationError> {
        let Some(streams) = self.upstream.streams() else { return Ok(()) };
        if streams.is_per_thread(stream) {
            return Ok(());
        }
        let queue = Queue::of(stream);
        let retired = self.state.order.retire(streams, queue)?;
        self.state.transfer(queue, retired);
        self.sweep();
        Ok(())
    }

    /// Makes memory that belongs to no stream available to all streams once the work that used it is
    /// done. Without this call, its free lists would accumulate.
    fn sweep(&mut self) {
        for queue in self.state.order.sweep() {
            self.state.transfer(queue, None);
        }
    }

    /// If the upstream has no streams, all handles name the default stream.
    fn own_queue(&self, stream: Stream) -> Queue {
        if self.upstream.streams().is_some() { Queue::of(stream) } else { Queue::DEFAULT }
    }

    fn record_free(&mut self, stream: Stream) -> Freed {
        let order = &mut self.state.order;
        let streams = self.upstream.streams();
        streams.map_or(Freed::BY_NO_STREAM, |streams| order.free(streams, stream))
    }

    fn is_capturing(&self, stream: Stream) -> bool {
        self.upstream.streams().is_some_and(|streams| streams.is_capturing(stream))
    }

    /// Starts with the longest idle, until `is_enough`. Returns the released bytes.
    #[track_caller]
    fn release_idle(&mut self, is_enough: impl Fn(&PoolState) -> bool) -> u64 {
        let mut released = 0;
        for segment in self.state.idle_segments() {
            if is_enough(self.state) {
                break;
            }
            released += self.release(segment);
        }
        released
    }

    /// Releases idle segments above the limit of the cache, and those that were idle for too long.
    #[track_caller]
    fn trim(&mut self) {
        let limit = self.rules.cached.unwrap_or(u64::MAX);
        while let Some((segment, idle)) = self.state.oldest_idle()
            && (self.state.counts.cached > limit || self.is_stale(idle))
        {
            if self.release(segment) == 0 {
                return;
            }
        }
    }

    fn is_stale(&self, idle: Idle) -> bool {
        match self.rules.age {
            Some(Age::Operations(limit)) => self.state.operations - idle.operation >= limit,
            Some(Age::Time(limit)) => idle.at.is_some_and(|at| at.elapsed() >= limit),
            None => false,
        }
    }

    /// Releases an idle segment and returns its bytes. Returns 0 if work in a stream may still use
    /// the segment, or if the upstream refuses to free it. The segment then stays, at the end of the
    /// idle list.
    #[track_caller]
    fn release(&mut self, segment: u64) -> u64 {
        let address = Address(segment);
        let Some(request) = self.releasable(segment) else {
            self.state.restart_idle(segment, self.idle_now());
            return 0;
        };
        // SAFETY: the upstream allocated the segment for this request, it has been in the state
        // since, and no block of it is allocated. Work that used it is done, or comes earlier in
        // this stream.
        if unsafe { self.upstream.deallocate(address, request) }.is_err() {
            self.state.counts.refused += 1;
            self.state.restart_idle(segment, self.idle_now());
            return 0;
        }
        self.state.remove_segment(segment);
        self.record(Action::SegmentFree, address, request, Location::caller());
        request.bytes
    }

    /// Merges the blocks of an idle segment, and returns the request with which it can be freed.
    ///
    /// All work that used the segment is done, or comes earlier in the request's stream. Returns
    /// `None` if there is no such stream.
    fn releasable(&mut self, segment: u64) -> Option<Request> {
        self.merge_done_of(segment, self.waits);
        let block = self.state.blocks[&segment];
        let freed = block.freed().filter(|_| block.bytes == self.state.segments[&segment].bytes)?;
        let mut last = freed.queue;
        if let Some(streams) = self.upstream.streams().filter(|_| !last.is_stream()) {
            last = last.waiting(streams);
            let order = &mut self.state.order;
            let is_ordered =
                order.has_passed(streams, freed) || self.waits && order.wait(streams, last, freed);
            if !is_ordered {
                return None;
            }
        }
        Some(Request::new(block.bytes).on(last.stream))
    }

    fn idle_now(&self) -> Idle {
        let is_timed = matches!(self.rules.age, Some(Age::Time(_)));
        Idle { operation: self.state.operations, at: is_timed.then(Instant::now) }
    }

    /// Merges neighbouring free blocks of different streams if all work of one stream is done.
    fn merge_done(&mut self) {
        let segments: Vec<u64> = self.state.segments.keys().copied().collect();
        for segment in segments {
            self.merge_done_of(segment, false);
        }
    }

    /// With `waits`, one stream may wait for the work of another.
    fn merge_done_of(&mut self, segment: u64, waits: bool) {
        let Some(streams) = self.upstream.streams() else { return };
        let mut left = segment;
        while let Some(right) = self.state.next(left) {
            let frees = [left, right].map(|address| self.state.blocks[&address].freed());
            let [Some(one), Some(other)] = frees else {
                left = right;
                continue;
            };
            let last =
                if other.queue.is_stream() { other.queue } else { one.queue.waiting(streams) };
            let order = &mut self.state.order;
            let merged = if order.has_passed(streams, other) {
                one
            } else if order.has_passed(streams, one) {
                other
            } else if waits && [one, other].iter().all(|freed| order.wait(streams, last, *freed)) {
                // The merged block counts as freed now, after the waits. So an event behind this
                // free also covers the work of both streams.
                order.free(streams, last.stream)
            } else {
                left = right;
                continue;
            };
            left = self.state.join(left, right, merged);
        }
    }

    #[track_caller]
    fn compact(&mut self) -> Compaction {
        self.merge_done();
        let before = self.state.counts.segments;
        let released = self.release_idle(|_| false);
        let free = self.state.blocks.values().filter(|block| block.freed().is_some());
        let segments: BTreeSet<u64> = free.map(|block| block.segment).collect();
        Compaction {
            released,
            released_segments: before - self.state.counts.segments,
            unmovable: self.state.counts.cached,
            unmovable_segments: segments.len() as u64,
        }
    }

    fn out_of_memory(&self, request: Request) -> AllocationError {
        AllocationError::OutOfMemory {
            request,
            memory: self.upstream.memory(),
            largest_free: Some(self.state.free.largest()),
            reserved: Some(self.state.counts.reserved),
            cached: Some(self.state.counts.cached),
            limit: self.rules.limit,
        }
    }

    fn record(
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

/// Returns the kinds of segments in which a search looks for a block of this size.
fn kinds_of(size: u64) -> &'static [Kind] {
    match kind_of(size) {
        Kind::Small => &[Kind::Small, Kind::Preallocated],
        _ => &[Kind::Large, Kind::Preallocated],
    }
}

fn kind_of(size: u64) -> Kind {
    if size <= SMALL { Kind::Small } else { Kind::Large }
}
