//! At most so many bytes at a time, exactly, whichever threads ask.

use crate::pointers::as_inner;
use crate::{Address, AllocationError, DeallocationError, MemoryResource, Request};
use core::sync::atomic::{AtomicU64, Ordering};
use memprof_profile::{AmountError, Budget};

/// A resource of which at most so many bytes may be allocated at a time.
///
/// ```
/// use memprof_pool::{AddressSpace, Limiting, MemoryResource, Request};
///
/// let half = Limiting::new(AddressSpace::new(), "1 MiB")?;
/// let first = half.allocate(Request::new(1 << 19))?;
/// assert_eq!(
///     half.allocate(Request::new(1 << 20)).unwrap_err().to_string(),
///     "out of address space memory: 1048576 bytes were asked for, allocated 524288, limit 1048576",
/// );
/// assert_eq!(half.allocated(), 1 << 19);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// An atomic addition and a subtraction for each allocation. A request that is refused never makes
/// another one fail that would fit.
#[derive(Debug)]
pub struct Limiting<R> {
    inner: R,
    limit: u64,
    allocated: AtomicU64,
}

impl<R: MemoryResource> Limiting<R> {
    /// A limit on what `inner` may have allocated: bytes as requested, or a text such as `2 GiB`.
    ///
    /// # Errors
    /// If the limit is no amount of memory.
    pub fn new<A>(inner: R, limit: A) -> Result<Self, AmountError>
    where
        A: TryInto<Budget>,
        A::Error: Into<AmountError>,
    {
        let limit = limit.try_into().map_err(Into::into)?.bytes();
        Ok(Self { inner, limit, allocated: AtomicU64::new(0) })
    }

    /// What it limits.
    pub const fn inner(&self) -> &R {
        &self.inner
    }

    /// The most bytes that may be allocated at a time.
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// Bytes that are allocated, as requested.
    pub fn allocated(&self) -> u64 {
        self.allocated.load(Ordering::Relaxed)
    }

    /// Adds to what is allocated, unless it were too much then; that is what was allocated if so.
    ///
    /// Adding first and looking then would let a request that is refused refuse others meanwhile.
    fn reserve(&self, bytes: u64) -> Result<(), u64> {
        let add = |allocated: u64| allocated.checked_add(bytes).filter(|&sum| sum <= self.limit);
        // The number protects nothing but itself.
        self.allocated.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).map(|_| ())
    }

    fn give_back(&self, bytes: u64) {
        // What was allocated before the limit was put around it may be freed through it.
        let less = |allocated: u64| Some(allocated.saturating_sub(bytes));
        let _ = self.allocated.fetch_update(Ordering::Relaxed, Ordering::Relaxed, less);
    }
}

// SAFETY: it gives out what `inner` does, and nothing else.
unsafe impl<R: MemoryResource> MemoryResource for Limiting<R> {
    as_inner!(self => self.inner, limit Some(self.limit));

    #[track_caller]
    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        if let Err(allocated) = self.reserve(request.bytes) {
            return Err(AllocationError::OverLimit {
                request,
                memory: self.memory(),
                allocated,
                limit: self.limit,
            });
        }
        let address = self.inner.allocate(request);
        if address.is_err() {
            self.give_back(request.bytes);
        }
        address
    }

    #[track_caller]
    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        // SAFETY: the caller promises the same of what it limits.
        unsafe { self.inner.deallocate(address, request) }?;
        self.give_back(request.bytes);
        Ok(())
    }
}
