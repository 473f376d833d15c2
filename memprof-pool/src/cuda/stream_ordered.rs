//! Device memory from `cuMemAllocAsync`, which uses the driver's own pool in stream order.

use super::{allocated, deallocated, in_context};
use crate::{
    Address, AllocationError, DeallocationError, Memory, MemoryResource, Request, Streams,
};
use memprof_gpu::cuda::{Cuda, CudaError, DeviceContext};
use memprof_profile::tree::Device;

/// Device memory from the driver's pool, allocated and freed in stream order.
///
/// The pool is the device's current one, and [`Cuda::pool_statistics`] reads its statistics.
/// Neither an allocation nor a free waits for the device. By default, free memory goes back to the
/// device whenever the program synchronises: see [`Cuda::set_release_threshold`].
#[derive(Clone, Debug)]
pub struct StreamOrderedUpstream {
    context: DeviceContext,
}

in_context!(StreamOrderedUpstream: "device memory");

impl StreamOrderedUpstream {
    /// Adds the statistics of the driver's pool to an out-of-memory error, if they can be read.
    fn with_pool_bytes(&self, mut error: AllocationError) -> AllocationError {
        if let AllocationError::OutOfMemory { reserved, cached, .. } = &mut error
            && let Ok(pool) = self.context.cuda().pool_statistics(self.context.ordinal())
        {
            *reserved = Some(pool.reserved);
            *cached = Some(pool.cached());
        }
        error
    }
}

// SAFETY: the driver's memory is valid for the device and overlaps no other, in the order of the
// stream. The alignment is checked.
unsafe impl MemoryResource for StreamOrderedUpstream {
    fn memory(&self) -> Memory {
        Memory::Device(Device::Cuda(self.context.ordinal()))
    }

    fn capacity(&self) -> Option<u64> {
        Some(self.context.total_bytes())
    }

    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        let stream = request.stream.into();
        let allocate = |bytes| self.context.allocate_async(bytes, stream);
        allocated(self.memory(), request, allocate, |address| {
            // SAFETY: the memory was allocated just now, and nothing uses it.
            unsafe { self.context.free_async(address, stream) }
        })
        .map_err(|error| self.with_pool_bytes(error))
    }

    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        // SAFETY: the caller promises that the memory was allocated here, and that only work that
        // comes earlier in the stream uses it.
        let freed = unsafe { self.context.free_async(address.0, request.stream.into()) };
        deallocated(address, freed)
    }

    fn streams(&self) -> Option<&dyn Streams> {
        Some(&self.context)
    }
}
