//! Host memory that devices read and write themselves, by `cuMemHostAlloc`.

use super::super::{Cuda, CudaError, DeviceContext};
use super::{allocated, deallocated_after, in_context};
use crate::resource::{
    Address, AllocationError, DeallocationError, Memory, MemoryResource, Request, Streams,
};
use core::ffi::c_void;
use std::ptr::with_exposed_provenance_mut;

/// Memory of the host, pinned for all devices; as quick to read for the host as any other.
///
/// # Cost
/// The system pins page by page: an allocation may take milliseconds, and so may a deallocation, which
/// waits for the work of its stream. A pool above it spares both.
#[derive(Clone, Debug)]
pub struct PinnedUpstream {
    context: DeviceContext,
}

/// `CU_MEMHOSTALLOC_PORTABLE`, and not `WRITECOMBINED`, which the host reads very slowly.
const FOR_ALL_CONTEXTS: u32 = 1;

in_context!(PinnedUpstream: "Pinned memory, used in the order of that device's streams");

impl PinnedUpstream {
    /// Frees in the current context.
    fn free(&self, address: usize) -> Result<(), CudaError> {
        let free = self.context.functions().cuMemFreeHost()?;
        let memory = with_exposed_provenance_mut::<c_void>(address);
        // SAFETY: the address is one that the driver gave out, as whoever deallocates promises.
        self.context.cuda().check("cuMemFreeHost", unsafe { free(memory) })
    }
}

// SAFETY: the driver's memory is the host's, valid until it is freed, and overlaps no other; the
// alignment is checked.
unsafe impl MemoryResource for PinnedUpstream {
    fn memory(&self) -> Memory {
        Memory::PinnedHost
    }

    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        // Without it nothing could be given back.
        self.context.functions().cuMemFreeHost()?;
        let allocate = self.context.functions().cuMemHostAlloc()?;
        let from_driver = |bytes| {
            let mut memory = core::ptr::null_mut();
            // SAFETY: there is room for the address.
            let code = unsafe { allocate(&raw mut memory, bytes, FOR_ALL_CONTEXTS) };
            self.context.cuda().check("cuMemHostAlloc", code)?;
            Ok(memory.expose_provenance())
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
