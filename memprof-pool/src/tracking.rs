//! An adaptor that tracks live allocations with their call sites, and detects wrong frees.

use crate::resource::as_inner;
use crate::{Address, AllocationError, DeallocationError, MemoryResource, Request};
use core::fmt;
use core::panic::Location;
use memprof_profile::text::counted;
use memprof_profile::views::Units;
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// A resource that records each live allocation with its call site.
///
/// Freeing memory that is not allocated, or with a different size, returns an error and frees
/// nothing. [`outstanding`](Self::outstanding) lists the allocations that are not yet freed.
/// Dropping the tracker reports nothing and never panics.
///
/// ```
/// use memprof::pool::{AddressSpace, DeallocationError, MemoryResource, Request, Tracking};
///
/// let tracked = Tracking::new(AddressSpace::new());
/// let request = Request::new(4096);
/// let address = tracked.allocate(request)?;
/// assert_eq!(tracked.largest(1024)[0].site.file(), file!());
/// // SAFETY: nothing uses the memory; the tracker checks the rest.
/// unsafe { tracked.deallocate(address, request) }?;
/// // SAFETY: as above.
/// let again = unsafe { tracked.deallocate(address, request) };
/// assert_eq!(again, Err(DeallocationError::Twice(address)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// Each allocation takes a lock, a clock reading and a tree search. Each live allocation takes
/// about 100 bytes.
#[derive(Debug)]
pub struct Tracking<R> {
    inner: R,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    allocations: BTreeMap<Address, Allocation>,
    allocations_total: u64,
    /// The addresses of the last frees, oldest first. Some are allocated again.
    freed: VecDeque<Address>,
}

/// The number of remembered frees, which distinguish a second free from a foreign address.
const MAX_REMEMBERED_FREES: usize = 1024;

impl<R: MemoryResource> Tracking<R> {
    /// Tracks the allocations of `inner` from now on.
    pub fn new(inner: R) -> Self {
        Self { inner, state: Mutex::default() }
    }

    /// Returns the tracked resource.
    pub const fn inner(&self) -> &R {
        &self.inner
    }

    /// Returns all allocations that are not yet freed.
    ///
    /// # Cost
    /// The call copies and sorts all entries.
    pub fn outstanding(&self) -> Outstanding {
        let mut allocations: Vec<_> = self.state().allocations.values().copied().collect();
        allocations.sort_by_key(|one| one.number);
        Outstanding { allocations }
    }

    /// Returns the live allocations of at least `min_size` bytes, largest first.
    pub fn largest(&self, min_size: u64) -> Vec<Allocation> {
        let is_large = |one: &&Allocation| one.request.bytes >= min_size;
        let mut largest: Vec<_> =
            self.state().allocations.values().filter(is_large).copied().collect();
        largest.sort_by_key(|one| (core::cmp::Reverse(one.request.bytes), one.number));
        largest
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn add(
        &mut self,
        address: Address,
        request: Request,
        site: &'static Location<'static>,
        since: Instant,
    ) {
        let number = self.allocations_total;
        self.allocations_total += 1;
        self.allocations.insert(address, Allocation { address, request, number, site, since });
    }

    fn remove(
        &mut self,
        address: Address,
        request: Request,
    ) -> Result<Allocation, DeallocationError> {
        let Some(&found) = self.allocations.get(&address) else {
            let was_freed = self.freed.contains(&address);
            let error =
                if was_freed { DeallocationError::Twice } else { DeallocationError::Foreign };
            return Err(error(address));
        };
        request.check_same(found.request, address)?;
        self.allocations.remove(&address);
        if self.freed.len() == MAX_REMEMBERED_FREES {
            self.freed.pop_front();
        }
        self.freed.push_back(address);
        Ok(found)
    }
}

// SAFETY: the adaptor returns only memory of `inner`.
unsafe impl<R: MemoryResource> MemoryResource for Tracking<R> {
    as_inner!(self => self.inner);

    #[track_caller]
    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        let address = self.inner.allocate(request)?;
        let (site, now) = (Location::caller(), Instant::now());
        self.state().add(address, request, site, now);
        Ok(address)
    }

    #[track_caller]
    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        // The entry is removed before the free, because another thread may get the same address
        // directly after the free.
        let found = self.state().remove(address, request)?;
        // SAFETY: the entry proves that `inner` allocated the memory for this request and that it
        // was not freed since. The caller promises that nothing uses the memory.
        let freed = unsafe { self.inner.deallocate(address, request) };
        if freed.is_err() {
            // The memory is still allocated.
            self.state().allocations.insert(address, found);
        }
        freed
    }
}

/// An allocation that is not yet freed.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Allocation {
    /// The address of the memory.
    pub address: Address,
    /// The request.
    pub request: Request,
    /// The number of allocations before this one.
    pub number: u64,
    /// The call site that allocated the memory.
    pub site: &'static Location<'static>,
    since: Instant,
}

impl Allocation {
    /// Returns the time since the allocation.
    pub fn age(&self) -> Duration {
        self.since.elapsed()
    }
}

/// Allocations that are not yet freed. `Display` lists their call sites, the ones with the most
/// bytes first.
///
/// At the end of a program, the list contains the leaks.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub struct Outstanding {
    /// The allocations, in the order in which they were created.
    pub allocations: Vec<Allocation>,
}

/// The number of listed call sites. The others are only counted.
const MAX_LISTED: usize = 20;

impl Outstanding {
    /// Returns the number of allocations.
    pub fn len(&self) -> usize {
        self.allocations.len()
    }

    /// Returns `true` if there are no allocations.
    pub fn is_empty(&self) -> bool {
        self.allocations.is_empty()
    }

    /// Returns the sum of the allocations' bytes.
    pub fn bytes(&self) -> u64 {
        self.allocations.iter().fold(0, |sum, one| sum.saturating_add(one.request.bytes))
    }

    /// Returns each call site with the number and the total bytes of its allocations, largest
    /// first.
    pub fn by_site(&self) -> Vec<(&'static Location<'static>, u64, u64)> {
        let mut sites = BTreeMap::new();
        for one in &self.allocations {
            let key = (one.site.file(), one.site.line(), one.site.column());
            let entry = sites.entry(key).or_insert((one.site, 0, 0_u64));
            entry.1 += 1;
            entry.2 = entry.2.saturating_add(one.request.bytes);
        }
        let mut sites: Vec<_> = sites.into_values().collect();
        sites.sort_by_key(|&(_, _, bytes)| core::cmp::Reverse(bytes));
        sites
    }
}

impl fmt::Display for Outstanding {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let show = |bytes| Units::Iec.show(bytes);
        let allocations = counted(self.allocations.len() as u64, "allocation");
        write!(out, "{allocations} outstanding, {}", show(self.bytes()))?;
        let sites = self.by_site();
        for (site, number, bytes) in sites.iter().take(MAX_LISTED) {
            write!(out, "\n{:>12}  {number} at {site}", show(*bytes).to_string())?;
        }
        if sites.len() > MAX_LISTED {
            write!(out, "\n…{} more call sites", sites.len() - MAX_LISTED)?;
        }
        Ok(())
    }
}
