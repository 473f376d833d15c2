//! A pool with all its books, in one call.

use super::pointers::as_inner;
use super::{
    Address, AllocationError, CachingPool, Counts, DeallocationError, Limit, MemoryResource,
    Outstanding, PoolError, Request, Statistics, Tracking,
};
use memprof_profile::AmountError;

/// A pool that counts and tracks what it gives out, behind one type: see [`profiled`].
#[derive(Debug)]
pub struct Profiled<U: MemoryResource>(Tracking<Statistics<CachingPool<U>>>);

/// Events that are kept of what happened, about 2.5 MB.
const EVENTS: usize = 10_000;

/// A caching pool over an upstream that takes at most so much of it, with all books: statistics, what
/// is outstanding and who asked for it, and a timeline.
///
/// ```
/// use memprof_pool::{HostUpstream, MemoryResource, Request, profiled};
///
/// let memory = profiled(HostUpstream, "64 MiB")?;
/// let request = Request::new(1 << 20);
/// let address = memory.allocate(request)?;
/// println!("{}", memory.outstanding()); // 1 allocation outstanding, 1.0 MiB …
/// assert_eq!(memory.counts().bytes.current, 1 << 20);
/// assert_eq!(memory.pool().statistics().allocated, 1 << 20);
/// // SAFETY: it was allocated so just now.
/// unsafe { memory.deallocate(address, request) }?;
/// assert!(memory.outstanding().allocations.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If the limit is no amount of memory, or a fraction of what isn't known.
pub fn profiled<U, L>(upstream: U, limit: L) -> Result<Profiled<U>, PoolError>
where
    U: MemoryResource,
    L: TryInto<Limit>,
    L::Error: Into<AmountError>,
{
    let pool = CachingPool::builder(upstream).limit(limit).record(EVENTS).build()?;
    Ok(Profiled::new(pool))
}

impl<U: MemoryResource> Profiled<U> {
    /// The books around a pool of your own.
    pub fn new(pool: CachingPool<U>) -> Self {
        Self(Tracking::new(Statistics::new(pool)))
    }

    /// The pool.
    pub fn pool(&self) -> &CachingPool<U> {
        self.0.inner().inner()
    }

    /// The books of what was allocated, with scopes.
    pub fn statistics(&self) -> &Statistics<CachingPool<U>> {
        self.0.inner()
    }

    /// The books of who allocated it.
    pub fn tracking(&self) -> &Tracking<Statistics<CachingPool<U>>> {
        &self.0
    }

    /// What was allocated in the scope at hand.
    pub fn counts(&self) -> Counts {
        self.statistics().counts()
    }

    /// All that is allocated and was not freed yet.
    pub fn outstanding(&self) -> Outstanding {
        self.0.outstanding()
    }
}

// SAFETY: it gives out what the pool does, and nothing else.
unsafe impl<U: MemoryResource> MemoryResource for Profiled<U> {
    as_inner!(self => self.0);

    #[track_caller]
    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        self.0.allocate(request)
    }

    #[track_caller]
    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        // SAFETY: the caller promises the same of what it gives out.
        unsafe { self.0.deallocate(address, request) }
    }
}
