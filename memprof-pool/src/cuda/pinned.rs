//! Pinned host memory from `cuMemHostAlloc`, which devices read and write directly.

use super::{allocated, deallocated, in_context};
use crate::{
    Address, AllocationError, DeallocationError, Memory, MemoryResource, Request, Streams,
};
use memprof_gpu::cuda::{Cuda, CudaError, DeviceContext};

/// Pinned host memory for all devices. The host reads it as fast as other memory.
///
/// # Cost
/// The operating system pins each page, so an allocation or a deallocation may take milliseconds. A
/// deallocation also waits for the work of its stream. A pool over this upstream avoids both costs.
#[derive(Clone, Debug)]
pub struct PinnedUpstream {
    context: DeviceContext,
}

in_context!(PinnedUpstream: "pinned memory, used in the order of a device's streams");

// SAFETY: the driver's memory is host memory, is valid until it is freed, and overlaps no other.
// The alignment is checked.
unsafe impl MemoryResource for PinnedUpstream {
    fn memory(&self) -> Memory {
        Memory::PinnedHost
    }

    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        let allocate = |bytes| self.context.allocate_pinned(bytes);
        allocated(self.memory(), request, allocate, |address| {
            // SAFETY: the memory was allocated just now, and nothing uses it.
            unsafe { self.context.free_pinned(address) }
        })
    }

    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        let freed = self.context.synchronize(request.stream.into()).and_then(|()| {
            // SAFETY: the caller promises that the memory was allocated here, and the work of its
            // stream is done.
            unsafe { self.context.free_pinned(address.0) }
        });
        deallocated(address, freed)
    }

    fn streams(&self) -> Option<&dyn Streams> {
        Some(&self.context)
    }
}
