//! A pool that keeps what was given back.
//!
//! - `slots`, `spread`, `block`, `free`, `books`, `merge`: what is where, without asking anybody;
//! - `classes`, `queue`, `order`, `rules`: how large, in which stream and order, how much;
//! - `supply`, `release`: what is taken from the upstream, and what goes back;
//! - `builder`, `statistics`, `advice`, `source`: what users see;
//! - `check`: whether the books agree with themselves.
//!
//! One lock guards all of it. An allocation that is served from the cache holds it for a search or two
//! in a tree, which is less than what handing work to several locks and a block from one to the other
//! would cost; one that is not waits for the upstream, and so must whoever wants memory of that
//! upstream, or both would reserve what one of them is about to give back. No lock is held
//! while the program's callback runs.

mod block;
mod classes;
mod counts;
mod free;
mod order;
mod queue;
mod rules;
mod slots;
mod spread;

mod books;
mod merge;
mod pressure;
mod release;
mod supply;

mod advice;
mod builder;
mod check;
mod source;
mod statistics;
mod text;

#[cfg(test)]
mod tests;

use crate::pointers::as_inner;
use crate::{
    Action, Address, AllocationError, DeallocationError, MemoryResource, Request, Stream, Timeline,
};
pub use advice::{Fragmentation, UnusedCache};
use books::Books;
pub use builder::{PoolBuilder, PoolError};
pub use classes::SizeClasses;
use core::fmt;
use core::panic::Location;
use pressure::Callback;
pub use pressure::Pressure;
pub use release::Compaction;
use rules::Rules;
pub use rules::{Age, Limit};
pub use source::PoolSource;
pub use statistics::PoolStatistics;
use std::sync::{Mutex, MutexGuard, PoisonError};
use supply::Supply;

/// A pool over an upstream: memory that was freed is kept and given out again.
///
/// It takes segments from the upstream and divides them into blocks. A request gets the smallest free
/// block that holds it; what is left over is a free block again, and free neighbours are merged.
///
/// Where the upstream has [`streams`](MemoryResource::streams), memory that a stream freed is used in
/// that stream at once, in others when the work before the free is done, or, where there is nothing
/// else, by letting the other stream wait for that work. The pool records events in a stream and waits
/// for it until it is [retired](Self::retire). Where the upstream has none, what was freed may be used
/// anywhere.
///
/// Of CUDA's `CU_STREAM_PER_THREAD` each thread has a stream of its own: what a thread frees there is
/// ordered against other threads as against other streams, also after the thread has ended. Each free
/// in such a stream records an event, as other threads can't record one later.
///
/// ```
/// use memprof_pool::{AddressSpace, CachingPool, MemoryResource, Request};
///
/// let pool = CachingPool::builder(AddressSpace::new()).limit("1 GiB").build()?;
/// let request = Request::new(3 << 20);
/// for _ in 0..10 {
///     let address = pool.allocate(request)?;
///     // SAFETY: it was allocated so just now.
///     unsafe { pool.deallocate(address, request) }?;
/// }
/// let statistics = pool.statistics();
/// assert_eq!((statistics.allocations, statistics.hits), (10, 9));
/// assert_eq!((statistics.allocated, statistics.reserved), (0, 20 << 20));
/// assert_eq!(pool.empty_cache(), 20 << 20);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Frees of what is not allocated, or of another size, are errors and free nothing. When the pool is
/// dropped, segments of which nothing is allocated go back; the others stay with whoever uses them, and
/// are never freed.
///
/// # Cost
/// A lock and a search in a tree for each allocation and each free; about 200 bytes for each block.
pub struct CachingPool<U: MemoryResource> {
    name: String,
    upstream: U,
    rules: Rules,
    pressure: Option<Callback>,
    books: Mutex<Books>,
}

impl<U: MemoryResource> CachingPool<U> {
    /// A pool of that upstream, to be told how much it may hold.
    pub fn builder(upstream: U) -> PoolBuilder<U> {
        PoolBuilder::new(upstream)
    }

    /// What it is called in snapshots and timelines.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Where its memory comes from.
    pub const fn upstream(&self) -> &U {
        &self.upstream
    }

    /// The most bytes that it may take from its upstream; `None` without a limit.
    pub const fn limit(&self) -> Option<u64> {
        self.rules.limit
    }

    /// What happened; `None` unless it [records](PoolBuilder::record).
    pub const fn timeline(&self) -> Option<&Timeline> {
        self.rules.timeline.as_ref()
    }

    /// What it holds and did.
    ///
    /// # Cost
    /// A look at each free block, and a lock meanwhile.
    pub fn statistics(&self) -> PoolStatistics {
        PoolStatistics::of(&self.books())
    }

    /// Peaks begin again at what is held now.
    pub fn reset_peaks(&self) {
        let counts = &mut self.books().counts;
        counts.peak_allocated = counts.allocated;
        counts.peak_reserved = counts.reserved;
    }

    /// Gives all segments back of which nothing is used; the bytes.
    ///
    /// What an upstream refuses to take back stays reserved.
    #[track_caller]
    pub fn empty_cache(&self) -> u64 {
        self.supply(&mut self.books()).release_idle(|_| false)
    }

    /// Gives segments back that are beyond what may be cached or were idle for long, as each
    /// allocation and free does; the bytes.
    #[track_caller]
    pub fn trim(&self) -> u64 {
        let mut books = self.books();
        let before = books.counts.reserved;
        self.supply(&mut books).trim();
        before - books.counts.reserved
    }

    /// Merges what can be merged and gives back what can be.
    ///
    /// Memory that was given out is known by its address, so it can't be moved: free blocks beside it
    /// stay where they are, and the answer tells how much that is.
    ///
    /// # Cost
    /// A look at each block, and a lock meanwhile.
    #[track_caller]
    pub fn compact(&self) -> Compaction {
        self.supply(&mut self.books()).compact()
    }

    /// Forgets a stream, before it is destroyed. Other streams may then use the memory that it freed.
    ///
    /// Unless all work of the stream is done, the pool records an event behind it. Other streams get
    /// the memory when that event has passed, or wait for it, so work may still run. The call does not
    /// block. Of `CU_STREAM_PER_THREAD` the stream of the calling thread is forgotten; a thread need
    /// not do so before it ends.
    ///
    /// # Errors
    /// If the device refuses the event. The pool then keeps the stream, which must not be destroyed.
    pub fn retire(&self, stream: Stream) -> Result<(), AllocationError> {
        self.supply(&mut self.books()).retire(stream)
    }

    /// What is wrong with the books, for tests.
    ///
    /// # Errors
    /// If they don't agree with themselves.
    #[doc(hidden)]
    pub fn check(&self) -> Result<(), String> {
        self.books().check(self.rules.limit)
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn supply<'p>(&'p self, books: &'p mut Books) -> Supply<'p, U> {
        Supply { books, upstream: &self.upstream, rules: &self.rules, waits: false }
    }
}

// SAFETY: blocks tile segments, which the upstream gave out; a block is given out when no other is
// allocated there, and to another stream only when work that used it is done or is waited for.
unsafe impl<U: MemoryResource> MemoryResource for CachingPool<U> {
    as_inner!(self => self.upstream, limit self.rules.limit);

    #[track_caller]
    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        request.check_alignment(1 << 62)?;
        let mut attempt = 0;
        loop {
            // The lock is let go at the end of the statement.
            let address = self.supply(&mut self.books()).allocate(request);
            attempt += 1;
            match address {
                Err(error) if error.is_out_of_memory() => {
                    if !self.is_relieved(request, attempt) {
                        let books = &mut self.books();
                        books.counts.out_of_memory += 1;
                        let supply = self.supply(books);
                        supply.note(Action::OutOfMemory, None, request, Location::caller());
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
        self.supply(&mut self.books()).free(address, request)
    }
}

impl<U: MemoryResource> Drop for CachingPool<U> {
    fn drop(&mut self) {
        let mut books = self.books();
        let mut supply = self.supply(&mut books);
        // Nobody will look again whether the work is done.
        supply.waits = true;
        supply.release_idle(|_| false);
        drop(books);
        if let Some(streams) = self.upstream.streams() {
            self.books().order.close(streams);
        }
    }
}

impl<U: MemoryResource + fmt::Debug> fmt::Debug for CachingPool<U> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("CachingPool")
            .field("name", &self.name)
            .field("upstream", &self.upstream)
            .field("rules", &self.rules)
            .field("counts", &self.books().counts)
            .finish_non_exhaustive()
    }
}
