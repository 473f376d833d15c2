//! Device memory from `cuMemAlloc`. A free waits for the device.

use super::{allocated, deallocated, in_context};
use crate::{
    Address, AllocationError, DeallocationError, Memory, MemoryResource, Request, Streams,
};
use memprof_gpu::cuda::{Cuda, CudaError, DeviceContext};
use memprof_profile::tree::Device;

/// Device memory, directly from the driver.
///
/// ```no_run
/// use memprof::gpu::cuda::Cuda;
/// use memprof::pool::{DeviceUpstream, MemoryResource, Request};
///
/// let cuda = Cuda::load()?;
/// cuda.initialise()?;
/// let memory = DeviceUpstream::new(&cuda, 0)?;
/// let request = Request::new(1 << 20);
/// let address = memory.allocate(request)?;
/// // SAFETY: the memory was allocated with that request, and nothing uses it.
/// unsafe { memory.deallocate(address, request)? };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// Each allocation makes one driver call. A deallocation waits for the work of its stream, and
/// usually for all work of the device. A pool over this upstream avoids both waits.
#[derive(Clone, Debug)]
pub struct DeviceUpstream {
    context: DeviceContext,
}

in_context!(DeviceUpstream: "device memory");

// SAFETY: the driver's memory is valid for the device and overlaps no other; alignment is checked.
unsafe impl MemoryResource for DeviceUpstream {
    fn memory(&self) -> Memory {
        Memory::Device(Device::Cuda(self.context.ordinal()))
    }

    fn capacity(&self) -> Option<u64> {
        Some(self.context.total_bytes())
    }

    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        let allocate = |bytes| self.context.allocate(bytes);
        allocated(self.memory(), request, allocate, |address| {
            // SAFETY: the memory was allocated just now, and nothing uses it.
            unsafe { self.context.free(address) }
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
            unsafe { self.context.free(address.0) }
        });
        deallocated(address, freed)
    }

    fn streams(&self) -> Option<&dyn Streams> {
        Some(&self.context)
    }
}
