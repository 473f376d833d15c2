//! A pool with statistics, tracking and a timeline, created in one call.

use super::pointers::as_inner;
use super::{
    Address, AllocationError, CachingPool, Counts, DeallocationError, Limit, MemoryResource,
    Outstanding, PoolError, Request, Statistics, Tracking,
};
use memprof_profile::testing::AmountError;

/// A pool with statistics and tracking, behind one type: see [`profiled`].
#[derive(Debug)]
pub struct Profiled<U: MemoryResource>(Tracking<Statistics<CachingPool<U>>>);

/// The number of events that the timeline keeps. They take about 2.5 MB.
const EVENTS: usize = 10_000;

/// Creates a caching pool over an upstream, with a limit, statistics, tracking and a timeline.
///
/// The tracking lists the live allocations with their call sites.
///
/// ```
/// use memprof::pool::{profiled, HostUpstream, MemoryResource, Request};
///
/// let memory = profiled(HostUpstream, "64 MiB")?;
/// let request = Request::new(1 << 20);
/// let address = memory.allocate(request)?;
/// println!("{}", memory.outstanding()); // 1 allocation outstanding, 1.0 MiB …
/// assert_eq!(memory.counts().bytes.current, 1 << 20);
/// assert_eq!(memory.pool().statistics().allocated, 1 << 20);
/// // SAFETY: the memory was just allocated for this request.
/// unsafe { memory.deallocate(address, request) }?;
/// assert!(memory.outstanding().allocations.is_empty());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Returns [`PoolError`] if the limit is not an amount of memory, or is a fraction of an unknown
/// capacity.
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
    /// Adds statistics and tracking to an existing pool.
    pub fn new(pool: CachingPool<U>) -> Self {
        Self(Tracking::new(Statistics::new(pool)))
    }

    /// Returns the pool.
    pub fn pool(&self) -> &CachingPool<U> {
        self.0.inner().inner()
    }

    /// Returns the statistics, which have scopes.
    pub fn statistics(&self) -> &Statistics<CachingPool<U>> {
        self.0.inner()
    }

    /// Returns the tracking, which lists live allocations.
    pub fn tracking(&self) -> &Tracking<Statistics<CachingPool<U>>> {
        &self.0
    }

    /// Returns the counts of the current scope.
    pub fn counts(&self) -> Counts {
        self.statistics().counts()
    }

    /// Returns all allocations that are not yet freed.
    pub fn outstanding(&self) -> Outstanding {
        self.0.outstanding()
    }
}

// SAFETY: the adaptors return only memory of the pool.
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
        // SAFETY: the caller promises the same for the inner resource.
        unsafe { self.0.deallocate(address, request) }
    }
}
