//! Device memory by `cuMemAllocAsync`, from the driver's own pool, in the order of a stream.

use super::super::functions::{DeviceAddress, Handle};
use super::super::{Cuda, CudaError, DeviceContext};
use super::{allocated, deallocated, in_context};
use crate::resource::{
    Address, AllocationError, DeallocationError, Memory, MemoryResource, Request, Streams,
};
use memprof_profile::Device;

/// Memory of a device from the pool of its driver, allocated and freed in the order of a stream.
///
/// The pool is the device's current one, whose books [`Cuda::pool_statistics`] reads. Neither call
/// waits for the device; with the driver's settings what is free goes back to the device whenever the
/// program synchronises, see [`Cuda::set_release_threshold`].
#[derive(Clone, Debug)]
pub struct StreamOrderedUpstream {
    context: DeviceContext,
}

in_context!(StreamOrderedUpstream: "Memory of that device");

impl StreamOrderedUpstream {
    /// Frees behind the work of the stream.
    fn free(&self, address: DeviceAddress, stream: Handle) -> Result<(), CudaError> {
        let free = self.context.functions().cuMemFreeAsync()?;
        // SAFETY: the address is one that the driver gave out, as whoever deallocates promises; the
        // stream is known.
        self.context.cuda().check("cuMemFreeAsync", unsafe { free(address, stream) })
    }

    /// The error with what the driver's pool has, if it says.
    fn with_books(&self, mut error: AllocationError) -> AllocationError {
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
// stream; the alignment is checked.
unsafe impl MemoryResource for StreamOrderedUpstream {
    fn memory(&self) -> Memory {
        Memory::Device(Device::Cuda(self.context.ordinal()))
    }

    fn capacity(&self) -> Option<u64> {
        Some(self.context.total_bytes())
    }

    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        // Without it nothing could be given back.
        self.context.functions().cuMemFreeAsync()?;
        let allocate = self.context.functions().cuMemAllocAsync()?;
        let stream = self.context.stream(request.stream)?;
        let from_driver = |bytes| {
            let mut address = 0;
            // SAFETY: there is room for the address, and the stream is known.
            let code = unsafe { allocate(&raw mut address, bytes, stream) };
            self.context.cuda().check("cuMemAllocAsync", code)?;
            Ok(address)
        };
        allocated(&self.context, self.memory(), request, from_driver, |address| {
            self.free(address, stream)
        })
        .map_err(|error| self.with_books(error))
    }

    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        deallocated(&self.context, address, |address| {
            self.free(address, self.context.stream(request.stream)?)
        })
    }

    fn streams(&self) -> Option<&dyn Streams> {
        Some(&self.context)
    }
}
