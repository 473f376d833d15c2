//! An adaptor that limits the live bytes, exactly and across all threads.

use crate::resource::as_inner;
use crate::{Address, AllocationError, DeallocationError, MemoryResource, Request};
use core::sync::atomic::{AtomicU64, Ordering};
use memprof_profile::testing::{AmountError, Budget};

/// A resource with a limit on its live bytes.
///
/// ```
/// use memprof::pool::{AddressSpace, Limiting, MemoryResource, Request};
///
/// let half = Limiting::new(AddressSpace::new(), "1 MiB")?;
/// let first = half.allocate(Request::new(1 << 19))?;
/// assert_eq!(
///     half.allocate(Request::new(1 << 20)).unwrap_err().to_string(),
///     "out of address space memory: 1048576 bytes were requested, allocated 524288, \
///      limit 1048576",
/// );
/// assert_eq!(half.allocated(), 1 << 19);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// Each allocation and each free takes a compare-and-swap, repeated if another thread changes the
/// count at the same time. A refused request never makes a fitting request fail.
#[derive(Debug)]
pub struct Limiting<R> {
    inner: R,
    limit: u64,
    allocated: AtomicU64,
}

impl<R: MemoryResource> Limiting<R> {
    /// Limits the live bytes of `inner`, without the bytes that rounding adds. The limit is a
    /// number of bytes, or a string such as `2 GiB`.
    ///
    /// # Errors
    /// Returns [`AmountError`] if the limit is not an amount of memory.
    pub fn new<A>(inner: R, limit: A) -> Result<Self, AmountError>
    where
        A: TryInto<Budget>,
        A::Error: Into<AmountError>,
    {
        let limit = limit.try_into().map_err(Into::into)?.bytes();
        Ok(Self { inner, limit, allocated: AtomicU64::new(0) })
    }

    /// Returns the limited resource.
    pub const fn inner(&self) -> &R {
        &self.inner
    }

    /// Returns the limit on live bytes.
    pub const fn limit(&self) -> u64 {
        self.limit
    }

    /// Returns the live bytes, without the bytes that rounding adds.
    pub fn allocated(&self) -> u64 {
        self.allocated.load(Ordering::Relaxed)
    }

    /// If the sum exceeds the limit, returns the live bytes as the error. If the bytes were added
    /// before the check, other requests could fail until they are subtracted again.
    fn reserve(&self, bytes: u64) -> Result<(), u64> {
        let add = |allocated: u64| allocated.checked_add(bytes).filter(|&sum| sum <= self.limit);
        // `Relaxed` is enough, because the number guards no other memory.
        self.allocated.fetch_update(Ordering::Relaxed, Ordering::Relaxed, add).map(|_| ())
    }

    fn release(&self, bytes: u64) {
        // Memory that was allocated before the adaptor existed may be freed through the adaptor.
        let subtract = |allocated: u64| Some(allocated.saturating_sub(bytes));
        let _ = self.allocated.fetch_update(Ordering::Relaxed, Ordering::Relaxed, subtract);
    }
}

// SAFETY: the adaptor returns only memory of `inner`.
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
            self.release(request.bytes);
        }
        address
    }

    #[track_caller]
    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        // SAFETY: the caller promises the same for `inner`.
        unsafe { self.inner.deallocate(address, request) }?;
        self.release(request.bytes);
        Ok(())
    }
}
