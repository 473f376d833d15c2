//! Host memory from the program's global allocator.

use crate::{Address, AllocationError, DeallocationError, Memory, MemoryResource, Request};
use core::ptr;
use std::alloc::{Layout, alloc, dealloc};

/// Host memory from the program's global allocator.
///
/// ```
/// use memprof::pool::{HostUpstream, MemoryResource, Request};
///
/// let request = Request::new(1 << 20);
/// let address = HostUpstream.allocate(request)?;
/// assert_eq!(address.0 % Request::ALIGNMENT, 0);
/// // SAFETY: the memory was just allocated for this request.
/// unsafe { HostUpstream.deallocate(address, request) }?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Cost
/// Each call costs one call of the global allocator. The upstream keeps no records, so it detects
/// no wrong frees. [`Tracking`] detects them.
///
/// [`Tracking`]: crate::Tracking
#[derive(Clone, Copy, Debug, Default)]
#[expect(clippy::exhaustive_structs, reason = "it has no state")]
pub struct HostUpstream;

// SAFETY: the global allocator promises the same for its blocks.
unsafe impl MemoryResource for HostUpstream {
    fn memory(&self) -> Memory {
        Memory::Host
    }

    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        let layout = layout(request)?;
        // SAFETY: the layout is not empty.
        let block = unsafe { alloc(layout) };
        if block.is_null() {
            return Err(out_of_memory(request));
        }
        // Code that uses the memory converts the number back to a pointer.
        Ok(Address(block.expose_provenance() as u64))
    }

    unsafe fn deallocate(
        &self,
        address: Address,
        request: Request,
    ) -> Result<(), DeallocationError> {
        let foreign = DeallocationError::Foreign(address);
        let layout = layout(request).map_err(|_| foreign)?;
        let block = usize::try_from(address.0).map_err(|_| foreign)?;
        // SAFETY: the caller promises that `allocate` returned the block for the same request.
        unsafe { dealloc(ptr::with_exposed_provenance_mut(block), layout) };
        Ok(())
    }
}

/// A size of 0 bytes becomes 1 byte, because the allocator refuses empty blocks.
fn layout(request: Request) -> Result<Layout, AllocationError> {
    request.check_alignment(1 << (isize::BITS - 2))?;
    let sizes = (usize::try_from(request.bytes.max(1)), usize::try_from(request.alignment));
    let (Ok(bytes), Ok(alignment)) = sizes else { return Err(out_of_memory(request)) };
    Layout::from_size_align(bytes, alignment).map_err(|_| out_of_memory(request))
}

fn out_of_memory(request: Request) -> AllocationError {
    AllocationError::out_of(Memory::Host, request)
}
