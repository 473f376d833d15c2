//! Pointers to resources, which are resources too.

use super::{Address, AllocationError, DeallocationError, MemoryResource, Request};
use std::sync::Arc;

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
pub(super) use as_inner;

macro_rules! pointer {
    ($($pointer:ty),*) => {$(
        // SAFETY: the pointer returns only memory of the resource behind it.
        unsafe impl<R: MemoryResource + ?Sized> MemoryResource for $pointer {
            as_inner!(self => (**self));

            #[track_caller]
            fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
                (**self).allocate(request)
            }

            #[track_caller]
            unsafe fn deallocate(
                &self,
                address: Address,
                request: Request,
            ) -> Result<(), DeallocationError> {
                // SAFETY: the caller promises the same for the resource behind the pointer.
                unsafe { (**self).deallocate(address, request) }
            }
        }
    )*};
}

pointer!(&R, Box<R>, Arc<R>);
