//! The supply of blocks: from free blocks, from other streams, and from the upstream.

use super::block::{Entry, Kind};
use super::classes::{PAGE, SMALL, rounded};
use super::queue::Queue;
use super::rules::Rules;
use super::state::PoolState;
use crate::{Action, Address, AllocationError, DeallocationError, MemoryResource, Request, Stream};
use core::panic::Location;

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
        let Some(size) = self.state.classes.observe(request.bytes) else {
            return Err(self.out_of_memory(request));
        };
        if self.upstream.streams().is_some() {
            let queue = self.queue(request.stream);
            self.state.order.add(queue);
            self.sweep();
        }
        let entry = if let Some(entry) = self.find(kinds_of(size), request, size) {
            self.state.counts.hits += 1;
            entry
        } else {
            let Some(bytes) = self.state.classes.segment(size) else {
                return Err(self.out_of_memory(request));
            };
            match self.reserve(kind_of(size), bytes, request) {
                Ok(entry) => entry,
                Err(error) if error.is_out_of_memory() => {
                    return self.obtain_under_pressure(request);
                }
                Err(error) => return Err(error),
            }
        };
        Ok(self.state.allocate_in(entry, request, size))
    }

    /// Allocates a block when the upstream has too little memory or the limit is reached.
    #[track_caller]
    fn obtain_under_pressure(&mut self, request: Request) -> Result<Address, AllocationError> {
        // A size class may be larger than the request, so the requested size is used, rounded up to
        // a granule.
        let Some(size) = rounded(request.bytes) else { return Err(self.out_of_memory(request)) };
        // Free blocks of all kinds of segments are considered.
        let mut entry = self.find(&ANY, request, size);
        entry = entry.or_else(|| self.find_with_wait(request, size));
        if entry.is_none() {
            self.merge_done();
            entry = self.find(&ANY, request, size);
        }
        if let Some(entry) = entry {
            self.state.counts.hits += 1;
            return Ok(self.state.allocate_in(entry, request, size));
        }
        let mut sizes: Vec<u64> = self.state.classes.segment(size).into_iter().collect();
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
                match self.reserve(kind_of(size), bytes, request) {
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
        let (queue, alignment) = (self.queue(request.stream), request.alignment);
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

    /// Returns the smallest free block for which the request's stream can wait.
    fn find_with_wait(&mut self, request: Request, size: u64) -> Option<Entry> {
        let streams = self.upstream.streams()?;
        let (queue, alignment) = (self.queue(request.stream), request.alignment);
        for kind in ANY {
            for entry in self.state.free.other_streams(kind, queue, size, alignment) {
                let block = &self.state.blocks[entry.block];
                if self.state.order.wait(streams, queue, block.queue, block.freed) {
                    return Some(entry);
                }
            }
        }
        None
    }

    /// Reserves a new segment and adds it as one free block.
    #[track_caller]
    pub(super) fn reserve(
        &mut self,
        kind: Kind,
        bytes: u64,
        request: Request,
    ) -> Result<Entry, AllocationError> {
        let limit = self.rules.limit;
        let left = limit.map_or(u64::MAX, |limit| limit.saturating_sub(self.state.counts.reserved));
        if bytes > left {
            return Err(self.out_of_memory(request));
        }
        let alignment = request.alignment.max(Request::ALIGNMENT);
        let segment = Request { bytes, alignment, stream: request.stream };
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
        let queue = self.queue(stream);
        let retired = self.state.order.retire(streams, queue)?;
        self.state.transfer(queue, retired.unwrap_or(Queue::DEFAULT), retired.is_none());
        self.sweep();
        Ok(())
    }

    /// Makes the freed memory of unreachable streams available to all streams once their work is
    /// done. The current thread can't reach, for example, the streams of threads that have ended.
    /// Without this call, the free lists of such streams would accumulate.
    fn sweep(&mut self) {
        let Some(streams) = self.upstream.streams() else { return };
        for queue in self.state.order.sweep(streams) {
            self.state.transfer(queue, Queue::DEFAULT, true);
        }
    }

    /// Returns the stream that the handle names in the current thread. If the upstream has no
    /// streams, all handles name the default stream.
    fn queue(&self, stream: Stream) -> Queue {
        let Some(streams) = self.upstream.streams() else { return Queue::DEFAULT };
        Queue::of(streams, stream)
    }

    /// Records a free that happens now in the stream. Returns the stream and the number of the
    /// free.
    fn record_free(&mut self, stream: Stream) -> (Queue, u64) {
        let queue = self.queue(stream);
        let order = &mut self.state.order;
        let freed = self.upstream.streams().map_or(0, |streams| order.free(streams, queue));
        (queue, freed)
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
            timeline.record_event(action, address.into(), request, site, self.state.counts.held());
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
