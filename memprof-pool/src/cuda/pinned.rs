//! Host memory that devices read and write themselves, by `cuMemHostAlloc`.

use super::{allocated, deallocated, in_context};
use crate::{
    Address, AllocationError, DeallocationError, Memory, MemoryResource, Request, Streams,
};
use memprof_gpu::cuda::{Cuda, CudaError, DeviceContext};

/// Memory of the host, pinned for all devices; as quick to read for the host as any other.
///
/// # Cost
/// The system pins page by page: an allocation may take milliseconds, and so may a deallocation, which
/// waits for the work of its stream. A pool above it spares both.
#[derive(Clone, Debug)]
pub struct PinnedUpstream {
    context: DeviceContext,
}

in_context!(PinnedUpstream: "Pinned memory, used in the order of that device's streams");

// SAFETY: the driver's memory is the host's, valid until it is freed, and overlaps no other; the
// alignment is checked.
unsafe impl MemoryResource for PinnedUpstream {
    fn memory(&self) -> Memory {
        Memory::PinnedHost
    }

    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        let allocate = |bytes| self.context.allocate_pinned(bytes);
        allocated(self.memory(), request, allocate, |address| {
            // SAFETY: it was allocated just now, and nothing uses it.
            unsafe { self.context.free_pinned(address) }
        })
    }

    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        let freed = self.context.synchronize(request.stream.into()).and_then(|()| {
            // SAFETY: the caller promises that it was allocated here; the work of its stream is done.
            unsafe { self.context.free_pinned(address.0) }
        });
        deallocated(address, freed)
    }

    fn streams(&self) -> Option<&dyn Streams> {
        Some(&self.context)
    }
}
