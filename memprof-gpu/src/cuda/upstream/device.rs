//! Device memory by `cuMemAlloc`, which waits for the device when it is freed.

use super::super::functions::DeviceAddress;
use super::super::{Cuda, CudaError, DeviceContext};
use super::{allocated, deallocated_after, in_context};
use crate::resource::{
    Address, AllocationError, DeallocationError, Memory, MemoryResource, Request, Streams,
};
use memprof_profile::Device;

/// Memory of a device, straight from its driver.
///
/// ```no_run
/// use memprof_gpu::cuda::{Cuda, DeviceUpstream};
/// use memprof_gpu::resource::{MemoryResource, Request};
///
/// let cuda = Cuda::load()?;
/// cuda.initialise()?;
/// let memory = DeviceUpstream::new(&cuda, 0)?;
/// let request = Request::new(1 << 20);
/// let address = memory.allocate(request)?;
/// // SAFETY: it was allocated with that request, and nothing uses it.
/// unsafe { memory.deallocate(address, request)? };
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// Each allocation is a call of the driver; each deallocation waits for the work of its stream, and
/// mostly for all of the device. A pool above it spares both.
#[derive(Clone, Debug)]
pub struct DeviceUpstream {
    context: DeviceContext,
}

in_context!(DeviceUpstream: "Memory of that device");

impl DeviceUpstream {
    /// Frees in the current context.
    fn free(&self, address: DeviceAddress) -> Result<(), CudaError> {
        let free = self.context.functions().cuMemFree_v2()?;
        // SAFETY: the address is one that the driver gave out, as whoever deallocates promises.
        self.context.cuda().check("cuMemFree_v2", unsafe { free(address) })
    }
}

// SAFETY: the driver's memory is valid for the device and overlaps no other; the alignment is checked.
unsafe impl MemoryResource for DeviceUpstream {
    fn memory(&self) -> Memory {
        Memory::Device(Device::Cuda(self.context.ordinal()))
    }

    fn capacity(&self) -> Option<u64> {
        Some(self.context.total_bytes())
    }

    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        // Without it nothing could be given back.
        self.context.functions().cuMemFree_v2()?;
        let allocate = self.context.functions().cuMemAlloc_v2()?;
        let from_driver = |bytes| {
            let mut address = 0;
            // SAFETY: there is room for the address.
            let code = unsafe { allocate(&raw mut address, bytes) };
            self.context.cuda().check("cuMemAlloc_v2", code)?;
            Ok(address)
        };
        allocated(&self.context, self.memory(), request, from_driver, |address| self.free(address))
    }

    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        deallocated_after(&self.context, address, request.stream, |address| self.free(address))
    }

    fn streams(&self) -> Option<&dyn Streams> {
        Some(&self.context)
    }
}
