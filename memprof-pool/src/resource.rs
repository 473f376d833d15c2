//! `MemoryResource`; `Streams` and `StreamEvent`, which order work between a device's streams.

use crate::{Address, AllocationError, DeallocationError, Memory, Request, Stream};
use core::fmt;
use std::sync::Arc;

/// A resource that allocates and frees memory.
///
/// An implementation puts `#[track_caller]` on both methods, so that adaptors and a `dyn
/// MemoryResource` pass on the caller's call site.
///
/// # Safety
/// The implementation promises, for each allocation until it is deallocated:
///
/// - Its whole size is valid for reads and writes by the host or device that can access
///   [`memory`](Self::memory).
/// - It is aligned as requested.
/// - It overlaps no other live allocation.
///
/// Allocations in a [`Memory::AddressSpace`] are only addresses, which must not overlap.
pub unsafe trait MemoryResource: Send + Sync {
    /// Returns the kind of memory.
    fn memory(&self) -> Memory;

    /// Returns `true` if the resource's memory is host memory that devices can access without a
    /// copy.
    fn is_pinned(&self) -> bool {
        self.memory() == Memory::PinnedHost
    }

    /// Returns the total memory, used or not, or `None` if it is unknown.
    fn capacity(&self) -> Option<u64> {
        None
    }

    /// Allocates memory for use in the order of the request's stream.
    ///
    /// A request for 0 bytes also returns an address that no other live allocation has.
    ///
    /// # Errors
    /// Returns [`AllocationError`] if there is too little memory, or if the request is invalid.
    #[track_caller]
    fn allocate(&self, request: Request) -> Result<Address, AllocationError>;

    /// Frees memory. The resource may reuse it for work that comes later in the request's stream.
    ///
    /// # Errors
    /// Returns [`DeallocationError`] if the resource detects a wrong free, or if the device refuses
    /// the free. In that case, nothing is freed.
    ///
    /// # Safety
    /// The caller promises:
    ///
    /// - This resource allocated the memory for the same request, except for the stream.
    /// - The memory has not been deallocated since.
    /// - Only work that comes earlier in the request's stream still uses it.
    ///
    /// A resource that tracks each address ([`Tracking`], [`CachingPool`]) checks the first two.
    /// With such a resource, the caller promises only the third.
    ///
    /// [`Tracking`]: crate::Tracking
    /// [`CachingPool`]: crate::CachingPool
    #[track_caller]
    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError>;

    /// Returns the streams of the resource's device, if there are any.
    fn streams(&self) -> Option<&dyn Streams> {
        None
    }
}

/// The streams of a device. No method blocks.
pub trait Streams: Send + Sync {
    /// Records an event after all work currently in the stream.
    ///
    /// # Errors
    /// Returns [`AllocationError`] if the device refuses the event.
    fn record(&self, stream: Stream) -> Result<Box<dyn StreamEvent>, AllocationError>;

    /// Returns `true` if the handle names a different stream in each thread, as CUDA's
    /// `CU_STREAM_PER_THREAD` does. In the other methods, such a handle names the calling thread's
    /// stream.
    fn is_per_thread(&self, stream: Stream) -> bool {
        let _ = stream;
        false
    }

    /// Returns `true` if a graph captures the stream, so that its work runs later, any number of
    /// times.
    fn is_capturing(&self, stream: Stream) -> bool {
        let _ = stream;
        false
    }
}

/// An event in a stream, which other streams can wait for. Dropping the event releases it. No
/// method blocks.
pub trait StreamEvent: fmt::Debug + Send {
    /// Returns `true` if all work before the event is done.
    ///
    /// # Errors
    /// Returns [`AllocationError`] if the device failed.
    fn has_passed(&self) -> Result<bool, AllocationError>;

    /// Makes work that is submitted to the stream from now on wait for the event.
    ///
    /// # Errors
    /// Returns [`AllocationError`] if the device refuses the event.
    fn delay(&self, stream: Stream) -> Result<(), AllocationError>;

    /// Records the event again, after all work currently in the stream.
    ///
    /// No thread may still need the event's former position. Work that already waits for the event
    /// still waits for the work before that position.
    ///
    /// # Errors
    /// Returns [`AllocationError`] if the device refuses the event. It must then be dropped.
    fn record_again(&mut self, stream: Stream) -> Result<(), AllocationError>;
}

/// Defines the methods that an adaptor forwards to its inner resource.
macro_rules! as_inner {
    ($self:ident => $inner:expr $(, limit $limit:expr)?) => {
        fn memory(&$self) -> $crate::Memory {
            $inner.memory()
        }

        fn is_pinned(&$self) -> bool {
            $inner.is_pinned()
        }

        fn capacity(&$self) -> Option<u64> {
            let capacity = $inner.capacity();
            $(let capacity = $limit.into_iter().chain(capacity).min();)?
            capacity
        }

        fn streams(&$self) -> Option<&dyn $crate::Streams> {
            $inner.streams()
        }
    };
}
pub(crate) use as_inner;

/// Defines all methods of a resource that only passes calls on.
macro_rules! forward {
    ($self:ident => $inner:expr) => {
        $crate::resource::as_inner!($self => $inner);

        #[track_caller]
        fn allocate(&$self, request: Request) -> Result<Address, AllocationError> {
            $inner.allocate(request)
        }

        #[track_caller]
        unsafe fn deallocate(
            &$self,
            address: Address,
            request: Request,
        ) -> Result<(), DeallocationError> {
            // SAFETY: the caller promises the same for the inner resource.
            unsafe { $inner.deallocate(address, request) }
        }
    };
}
#[cfg(feature = "cuda")]
pub(crate) use forward;

macro_rules! pointer {
    ($($pointer:ty),*) => {$(
        // SAFETY: the pointer returns only memory of the resource behind it.
        unsafe impl<R: MemoryResource + ?Sized> MemoryResource for $pointer {
            forward!(self => (**self));
        }
    )*};
}

pointer!(&R, Box<R>, Arc<R>);
