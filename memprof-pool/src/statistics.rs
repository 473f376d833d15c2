//! An adaptor that counts live, peak and total allocations, also for a part of the run.

use crate::resource::as_inner;
use crate::{Address, AllocationError, DeallocationError, MemoryResource, Request};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// A resource with counts of its allocations.
///
/// ```
/// use memprof::pool::{AddressSpace, MemoryResource, Request, Statistics};
///
/// let counted = Statistics::new(AddressSpace::new());
/// let kept = counted.allocate(Request::new(1000))?;
/// counted.push();
/// let request = Request::new(50);
/// let passing = counted.allocate(request)?;
/// // SAFETY: the memory was just allocated for this request.
/// unsafe { counted.deallocate(passing, request) }?;
/// let inside = counted.pop().expect("one was pushed");
/// assert_eq!((inside.bytes.current, inside.bytes.peak), (0, 50));
/// let all = counted.counts();
/// assert_eq!((all.bytes.current, all.bytes.peak, all.allocations.allocated), (1000, 1050, 2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// Each allocation and each free holds a lock for a few additions.
#[derive(Debug)]
pub struct Statistics<R> {
    inner: R,
    scopes: Mutex<Scopes>,
}

/// The counts of the current scope, and of those around it.
#[derive(Debug)]
struct Scopes {
    outer: Vec<Counts>,
    current: Counts,
}

/// The counts of a scope, since [`push`](Statistics::push).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Counts {
    /// Bytes, as requested.
    pub bytes: Figure,
    /// Allocations.
    pub allocations: Figure,
}

/// The counts of bytes or of allocations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Figure {
    /// Allocated minus freed. Negative if a scope freed more than it allocated.
    pub current: i64,
    /// The peak of `current`, at least 0.
    pub peak: i64,
    /// The total amount allocated.
    pub allocated: u64,
    /// The total amount freed.
    pub freed: u64,
}

impl Figure {
    const fn add(&mut self, number: u64) {
        self.allocated = self.allocated.wrapping_add(number);
        self.current = self.current.wrapping_add_unsigned(number);
        if self.current > self.peak {
            self.peak = self.current;
        }
    }

    const fn subtract(&mut self, number: u64) {
        self.freed = self.freed.wrapping_add(number);
        self.current = self.current.wrapping_sub_unsigned(number);
    }

    fn enclose(&mut self, inside: Self) {
        self.peak = self.peak.max(self.current.wrapping_add(inside.peak));
        self.current = self.current.wrapping_add(inside.current);
        self.allocated = self.allocated.wrapping_add(inside.allocated);
        self.freed = self.freed.wrapping_add(inside.freed);
    }
}

impl<R: MemoryResource> Statistics<R> {
    /// Counts the allocations of `inner` from now on.
    pub const fn new(inner: R) -> Self {
        let scopes = Scopes { outer: Vec::new(), current: Counts::ZERO };
        Self { inner, scopes: Mutex::new(scopes) }
    }

    /// Returns the counted resource.
    pub const fn inner(&self) -> &R {
        &self.inner
    }

    /// Returns the counts of the current scope, or without a scope, the counts since the beginning.
    pub fn counts(&self) -> Counts {
        self.scopes().current
    }

    /// Begins a scope within the current one, on all threads.
    pub fn push(&self) {
        let mut scopes = self.scopes();
        let around = core::mem::take(&mut scopes.current);
        scopes.outer.push(around);
    }

    /// Ends the current scope, adds its counts to the enclosing one and returns them.
    ///
    /// Returns `None` if there is no scope to end.
    pub fn pop(&self) -> Option<Counts> {
        let mut scopes = self.scopes();
        let mut around = scopes.outer.pop()?;
        let inside = scopes.current;
        around.bytes.enclose(inside.bytes);
        around.allocations.enclose(inside.allocations);
        scopes.current = around;
        Some(inside)
    }

    /// Resets the peaks of the current scope to the current values.
    pub fn reset_peaks(&self) {
        let counts = &mut self.scopes().current;
        counts.bytes.peak = counts.bytes.current.max(0);
        counts.allocations.peak = counts.allocations.current.max(0);
    }

    fn scopes(&self) -> MutexGuard<'_, Scopes> {
        self.scopes.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Counts {
    const ZERO: Self = {
        let figure = Figure { current: 0, peak: 0, allocated: 0, freed: 0 };
        Self { bytes: figure, allocations: figure }
    };
}

// SAFETY: the adaptor returns only memory of `inner`.
unsafe impl<R: MemoryResource> MemoryResource for Statistics<R> {
    as_inner!(self => self.inner);

    #[track_caller]
    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        let address = self.inner.allocate(request)?;
        let counts = &mut self.scopes().current;
        counts.bytes.add(request.bytes);
        counts.allocations.add(1);
        Ok(address)
    }

    #[track_caller]
    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        // SAFETY: the caller promises the same for `inner`.
        unsafe { self.inner.deallocate(address, request) }?;
        let counts = &mut self.scopes().current;
        counts.bytes.subtract(request.bytes);
        counts.allocations.subtract(1);
        Ok(())
    }
}
