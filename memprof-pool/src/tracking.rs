//! Which allocations are outstanding, who made them, and which frees are wrong.

use crate::pointers::as_inner;
use crate::{
    Address, Allocation, AllocationError, DeallocationError, MemoryResource, Outstanding, Request,
};
use core::panic::Location;
use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Instant;

/// A resource that knows each allocation, and the place that made it.
///
/// A free of what is not allocated, or of another size, is an error and frees nothing. What is never
/// freed is listed when somebody asks; dropping the tracker says nothing and never panics.
///
/// ```
/// use memprof_pool::{AddressSpace, DeallocationError, MemoryResource, Request, Tracking};
///
/// let tracked = Tracking::new(AddressSpace::new());
/// let request = Request::new(4096);
/// let address = tracked.allocate(request)?;
/// assert_eq!(tracked.largest(1024)[0].site.file(), file!());
/// // SAFETY: nobody uses the memory; the tracker checks the rest.
/// unsafe { tracked.deallocate(address, request) }?;
/// // SAFETY: as above.
/// let again = unsafe { tracked.deallocate(address, request) };
/// assert_eq!(again, Err(DeallocationError::Twice(address)));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// A lock, a reading of the clock and a search in a tree for each allocation; about 100 bytes for each that
/// is outstanding.
#[derive(Debug)]
pub struct Tracking<R> {
    inner: R,
    books: Mutex<Books>,
}

#[derive(Debug, Default)]
struct Books {
    allocations: BTreeMap<Address, Allocation>,
    made: u64,
    /// The last frees, the oldest first, each with its number.
    frees: VecDeque<(Address, u64)>,
    /// Addresses that are free, and the number of the free that made them so.
    freed: HashMap<Address, u64>,
    freed_in_all: u64,
}

/// Frees that are remembered, so that a second one is told from a foreign one.
const REMEMBERED: usize = 1024;

impl<R: MemoryResource> Tracking<R> {
    /// Tracks what `inner` gives out from now on.
    pub fn new(inner: R) -> Self {
        Self { inner, books: Mutex::default() }
    }

    /// What it tracks.
    pub const fn inner(&self) -> &R {
        &self.inner
    }

    /// All that is allocated and was not freed yet.
    ///
    /// # Cost
    /// A copy of each allocation's entry, sorted.
    pub fn outstanding(&self) -> Outstanding {
        let mut allocations: Vec<_> = self.books().allocations.values().copied().collect();
        allocations.sort_by_key(|one| one.number);
        Outstanding { allocations }
    }

    /// What is allocated and of at least so many bytes, the largest first.
    pub fn largest(&self, min_size: u64) -> Vec<Allocation> {
        let is_large = |one: &&Allocation| one.request.bytes >= min_size;
        let mut largest: Vec<_> =
            self.books().allocations.values().filter(is_large).copied().collect();
        largest.sort_by_key(|one| (core::cmp::Reverse(one.request.bytes), one.number));
        largest
    }

    fn books(&self) -> MutexGuard<'_, Books> {
        self.books.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Books {
    fn add(
        &mut self,
        address: Address,
        request: Request,
        site: &'static Location<'static>,
        since: Instant,
    ) {
        let number = self.made;
        self.made += 1;
        self.freed.remove(&address);
        self.allocations.insert(address, Allocation { address, request, number, site, since });
    }

    /// Takes an allocation out, if it is one of this request.
    fn remove(
        &mut self,
        address: Address,
        request: Request,
    ) -> Result<Allocation, DeallocationError> {
        let Some(&found) = self.allocations.get(&address) else {
            let was_freed = self.freed.contains_key(&address);
            let error =
                if was_freed { DeallocationError::Twice } else { DeallocationError::Foreign };
            return Err(error(address));
        };
        request.check_same(found.request, address)?;
        self.allocations.remove(&address);
        self.remember(address);
        Ok(found)
    }

    fn remember(&mut self, address: Address) {
        if self.frees.len() == REMEMBERED
            && let Some((oldest, number)) = self.frees.pop_front()
            && self.freed.get(&oldest) == Some(&number)
        {
            self.freed.remove(&oldest);
        }
        self.frees.push_back((address, self.freed_in_all));
        self.freed.insert(address, self.freed_in_all);
        self.freed_in_all += 1;
    }

    /// Puts back what could not be freed.
    fn put_back(&mut self, allocation: Allocation) {
        self.freed.remove(&allocation.address);
        self.allocations.insert(allocation.address, allocation);
    }
}

// SAFETY: it gives out what `inner` does, and nothing else.
unsafe impl<R: MemoryResource> MemoryResource for Tracking<R> {
    as_inner!(self => self.inner);

    #[track_caller]
    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        let address = self.inner.allocate(request)?;
        let (site, now) = (Location::caller(), Instant::now());
        self.books().add(address, request, site, now);
        Ok(address)
    }

    #[track_caller]
    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        // Before it is freed, as another thread may be given the same address right after.
        let found = self.books().remove(address, request)?;
        // SAFETY: the books say that `inner` gave it out so and it was not freed since; that nobody
        // uses it the caller promises.
        unsafe { self.inner.deallocate(address, request) }
            .inspect_err(|_| self.books().put_back(found))
    }
}
