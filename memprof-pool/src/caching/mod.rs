//! A pool that caches freed memory.
//!
//! - `slots`, `free`, `state`: the segments and blocks, without calls to the upstream;
//! - `order`: streams and the order of their work;
//! - `supply`: memory taken from the upstream and returned to it;
//! - `builder`, `statistics`: the public interface;
//! - `check`: the check of the state for consistency.
//!
//! One lock guards the whole pool. An allocation from the cache holds the lock for one or two tree
//! searches. Several locks would cost more, because blocks would move between the parts that the
//! locks guard. An allocation that misses the cache holds the lock while it waits for the upstream.
//! Other threads must wait too. Otherwise, one of them could reserve the memory that this thread
//! releases for its own request. The lock is not held while the program's callback runs.

mod builder;
mod check;
mod free;
mod order;
mod slots;
mod state;
mod statistics;
mod supply;

#[cfg(test)]
mod tests;

use crate::resource::as_inner;
use crate::{
    Action, Address, AllocationError, DeallocationError, MemoryResource, Request, Stream, Timeline,
};
pub use builder::{Age, Limit, PoolBuilder, PoolError, Pressure};
use builder::{Callback, Rules};
use core::fmt;
use core::panic::Location;
use state::PoolState;
pub use statistics::{PoolSource, PoolStatistics};
use std::sync::{Mutex, MutexGuard, PoisonError};
pub use supply::Compaction;
use supply::Supply;

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

    /// Resets the peaks to the present values.
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
        drop(state);
        if let Some(streams) = self.upstream.streams() {
            self.state().order.close(streams);
        }
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
