//! Memory of a device and pinned memory of the host, each call of which is one of the driver.

use super::functions::DeviceAddress;
use super::{CudaError, CudaStream, DeviceContext};
use core::ffi::c_void;
use std::ptr::with_exposed_provenance_mut;

/// `CU_MEMHOSTALLOC_PORTABLE`, and not `WRITECOMBINED`, which the host reads very slowly.
const FOR_ALL_CONTEXTS: u32 = 1;

/// Memory. The driver aligns addresses to 256 bytes, and refuses requests of no bytes.
///
/// An allocation fails if the driver lacks the function that frees it.
impl DeviceContext {
    /// Allocates memory of the device by `cuMemAlloc`; the address.
    ///
    /// # Errors
    /// What the driver says: [`CudaError::is_out_of_memory`] if there is not enough.
    pub fn allocate(&self, bytes: usize) -> Result<u64, CudaError> {
        self.functions().cuMemFree_v2()?;
        let allocate = self.functions().cuMemAlloc_v2()?;
        self.inside(|| {
            let mut address = 0;
            // SAFETY: there is room for the address.
            let code = unsafe { allocate(&raw mut address, bytes) };
            self.cuda().check("cuMemAlloc_v2", code)?;
            Ok(address as u64)
        })
    }

    /// Frees memory of the device by `cuMemFree`, which mostly waits for all of the device.
    ///
    /// # Errors
    /// What the driver says. The memory stays allocated then.
    ///
    /// # Safety
    /// [`allocate`](Self::allocate) returned the address, it was not freed since, and no work uses the
    /// memory.
    pub unsafe fn free(&self, address: u64) -> Result<(), CudaError> {
        let free = self.functions().cuMemFree_v2()?;
        self.inside(|| {
            // SAFETY: the caller promises that the driver gave the address out.
            self.cuda().check("cuMemFree_v2", unsafe { free(address as DeviceAddress) })
        })
    }

    /// Allocates memory of the device in the order of a stream, from the device's current pool, by
    /// `cuMemAllocAsync`; the address.
    ///
    /// # Errors
    /// [`CudaError::UnknownStream`], or as [`allocate`](Self::allocate).
    pub fn allocate_async(&self, bytes: usize, stream: CudaStream) -> Result<u64, CudaError> {
        self.functions().cuMemFreeAsync()?;
        let allocate = self.functions().cuMemAllocAsync()?;
        let stream = self.stream(stream)?;
        self.inside(|| {
            let mut address = 0;
            // SAFETY: there is room for the address, and the stream is known.
            let code = unsafe { allocate(&raw mut address, bytes, stream) };
            self.cuda().check("cuMemAllocAsync", code)?;
            Ok(address as u64)
        })
    }

    /// Frees memory behind the work of the stream by `cuMemFreeAsync`.
    ///
    /// # Errors
    /// [`CudaError::UnknownStream`], or what the driver says. The memory stays allocated then.
    ///
    /// # Safety
    /// [`allocate_async`](Self::allocate_async) returned the address, it was not freed since, and only
    /// work that comes earlier in the stream uses the memory.
    pub unsafe fn free_async(&self, address: u64, stream: CudaStream) -> Result<(), CudaError> {
        let stream = self.stream(stream)?;
        let free = self.functions().cuMemFreeAsync()?;
        self.inside(|| {
            // SAFETY: the caller promises that the driver gave the address out; the stream is known.
            let code = unsafe { free(address as DeviceAddress, stream) };
            self.cuda().check("cuMemFreeAsync", code)
        })
    }

    /// Allocates memory of the host that all devices read and write themselves, by `cuMemHostAlloc`;
    /// the address, whose provenance is exposed.
    ///
    /// # Errors
    /// As [`allocate`](Self::allocate).
    pub fn allocate_pinned(&self, bytes: usize) -> Result<u64, CudaError> {
        self.functions().cuMemFreeHost()?;
        let allocate = self.functions().cuMemHostAlloc()?;
        self.inside(|| {
            let mut memory = core::ptr::null_mut();
            // SAFETY: there is room for the address.
            let code = unsafe { allocate(&raw mut memory, bytes, FOR_ALL_CONTEXTS) };
            self.cuda().check("cuMemHostAlloc", code)?;
            Ok(memory.expose_provenance() as u64)
        })
    }

    /// Frees pinned memory by `cuMemFreeHost`.
    ///
    /// # Errors
    /// What the driver says. The memory stays allocated then.
    ///
    /// # Safety
    /// [`allocate_pinned`](Self::allocate_pinned) returned the address, it was not freed since, and
    /// neither the host nor a device uses the memory.
    pub unsafe fn free_pinned(&self, address: u64) -> Result<(), CudaError> {
        let free = self.functions().cuMemFreeHost()?;
        let memory = with_exposed_provenance_mut::<c_void>(address as usize);
        self.inside(|| {
            // SAFETY: the caller promises that the driver gave the address out.
            self.cuda().check("cuMemFreeHost", unsafe { free(memory) })
        })
    }
}
