//! Addresses without memory, for tests and replays.

use crate::{Address, AllocationError, DeallocationError, Memory, MemoryResource, Request};
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A resource that returns addresses without memory. A pool over this resource behaves as it would
/// over a device.
///
/// ```
/// use memprof::pool::{AddressSpace, MemoryResource, Request};
///
/// let space = AddressSpace::new().with_capacity(80 << 30).failing_at(2);
/// assert!(space.allocate(Request::new(60 << 30)).is_ok());
/// assert!(space.allocate(Request::new(1 << 30)).is_err(), "the call fails");
/// assert!(space.allocate(Request::new(30 << 30)).is_err(), "there is not enough");
/// assert_eq!((space.calls(), space.allocated()), (3, 60 << 30));
/// ```
///
/// The resource records each address, so a wrong free returns an error. No address is returned
/// twice.
#[derive(Debug)]
pub struct AddressSpace {
    capacity: Option<u64>,
    fails_at: Option<u64>,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    next: u64,
    calls: u64,
    allocated: u64,
    blocks: BTreeMap<Address, Request>,
}

/// The first address: not 0, and far from the addresses that programs use.
const FIRST: u64 = 1 << 40;

impl AddressSpace {
    /// Creates a resource without a limit on its live bytes.
    pub const fn new() -> Self {
        let state = State { next: FIRST, calls: 0, allocated: 0, blocks: BTreeMap::new() };
        Self { capacity: None, fails_at: None, state: Mutex::new(state) }
    }

    /// Limits the live bytes to `bytes`.
    #[must_use]
    pub const fn with_capacity(mut self, bytes: u64) -> Self {
        self.capacity = Some(bytes);
        self
    }

    /// Makes one call of `allocate` fail with an out-of-memory error. Calls count from 1.
    #[must_use]
    pub const fn failing_at(mut self, call: u64) -> Self {
        self.fails_at = Some(call);
        self
    }

    /// Returns the number of calls of `allocate`.
    pub fn calls(&self) -> u64 {
        self.state().calls
    }

    /// Returns the live bytes.
    pub fn allocated(&self) -> u64 {
        self.state().allocated
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn is_allocated(&self, address: Address) -> bool {
        let block = self.blocks.range(..=address).next_back();
        block.is_some_and(|(begin, request)| address.0 - begin.0 < request.bytes.max(1))
    }
}

impl Default for AddressSpace {
    fn default() -> Self {
        Self::new()
    }
}

// SAFETY: each address range begins after all earlier ones, so they don't overlap.
unsafe impl MemoryResource for AddressSpace {
    fn memory(&self) -> Memory {
        Memory::AddressSpace
    }

    fn capacity(&self) -> Option<u64> {
        self.capacity
    }

    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        request.check_alignment(1 << 62)?;
        let mut state = self.state();
        state.calls += 1;
        let free = self.capacity.map_or(u64::MAX, |capacity| capacity - state.allocated);
        let begin = state.next.checked_next_multiple_of(request.alignment);
        let end = begin.and_then(|begin| begin.checked_add(request.bytes.max(1)));
        match (begin, end) {
            (Some(begin), Some(end))
                if request.bytes <= free && self.fails_at != Some(state.calls) =>
            {
                state.next = end;
                state.allocated += request.bytes;
                state.blocks.insert(Address(begin), request);
                Ok(Address(begin))
            }
            _ => Err(AllocationError::OutOfMemory {
                request,
                memory: Memory::AddressSpace,
                largest_free: self.capacity.map(|_| free),
                reserved: Some(state.allocated),
                cached: Some(0),
                limit: self.capacity,
            }),
        }
    }

    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        let mut state = self.state();
        match state.blocks.get(&address) {
            Some(allocated) => request.check_same(*allocated, address)?,
            // Each address is returned at most once, so an address in no block has been freed.
            None if (FIRST..state.next).contains(&address.0) && !state.is_allocated(address) => {
                return Err(DeallocationError::Twice(address));
            }
            None => return Err(DeallocationError::Foreign(address)),
        }
        state.blocks.remove(&address);
        state.allocated -= request.bytes;
        Ok(())
    }
}
