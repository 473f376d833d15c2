//! Device memory and pinned host memory. Each allocation makes one driver call.

use super::functions::DeviceAddress;
use super::{CudaError, CudaStream, DeviceContext};
use core::ffi::c_void;
use std::ptr::with_exposed_provenance_mut;

/// `CU_MEMHOSTALLOC_PORTABLE`. The flag `WRITECOMBINED` is not set, because the host reads
/// write-combined memory very slowly.
const FOR_ALL_CONTEXTS: u32 = 1;

/// Allocations and frees. The driver aligns addresses to 256 bytes and refuses requests for 0
/// bytes. It destroys the memory of a context together with the last handle of the context.
///
/// An allocation fails if the driver lacks the function that would free it.
impl DeviceContext {
    /// Allocates device memory by `cuMemAlloc` and returns the address.
    ///
    /// # Errors
    /// Returns the driver's error. [`CudaError::is_out_of_memory`] is `true` if there is too little
    /// memory.
    pub fn allocate(&self, bytes: usize) -> Result<u64, CudaError> {
        self.functions().cuMemFree_v2()?;
        let allocate = self.functions().cuMemAlloc_v2()?;
        self.beside_captures(|| {
            let mut address = 0;
            // SAFETY: the pointer is valid for writing the address.
            let code = unsafe { allocate(&raw mut address, bytes) };
            self.cuda().check("cuMemAlloc_v2", code)?;
            Ok(address as u64)
        })
    }

    /// Frees device memory by `cuMemFree`, which usually waits for all work on the device.
    ///
    /// # Errors
    /// Returns the driver's error. The memory then stays allocated.
    ///
    /// # Safety
    /// [`allocate`](Self::allocate) returned the address, it has not been freed since, and no work
    /// uses the memory.
    pub unsafe fn free(&self, address: u64) -> Result<(), CudaError> {
        let free = self.functions().cuMemFree_v2()?;
        self.beside_captures(|| {
            // SAFETY: the caller promises that the driver returned the address and that no work
            // uses the memory.
            self.cuda().check("cuMemFree_v2", unsafe { free(address as DeviceAddress) })
        })
    }

    /// Allocates device memory in stream order by `cuMemAllocAsync` and returns the address.
    ///
    /// The memory comes from the device's current pool.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`], or the errors of [`allocate`](Self::allocate).
    pub fn allocate_async(&self, bytes: usize, stream: CudaStream) -> Result<u64, CudaError> {
        self.functions().cuMemFreeAsync()?;
        let allocate = self.functions().cuMemAllocAsync()?;
        let stream = self.stream(stream)?;
        self.inside(|| {
            let mut address = 0;
            // SAFETY: the pointer is valid for writing the address, and the stream is registered
            // with the context.
            let code = unsafe { allocate(&raw mut address, bytes, stream) };
            self.cuda().check("cuMemAllocAsync", code)?;
            Ok(address as u64)
        })
    }

    /// Frees memory in stream order by `cuMemFreeAsync`, after the work that is in the stream now.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`], or the driver's error. The memory then stays
    /// allocated.
    ///
    /// # Safety
    /// [`allocate_async`](Self::allocate_async) returned the address, it has not been freed since,
    /// and only work that comes earlier in the stream uses the memory.
    pub unsafe fn free_async(&self, address: u64, stream: CudaStream) -> Result<(), CudaError> {
        let stream = self.stream(stream)?;
        let free = self.functions().cuMemFreeAsync()?;
        self.inside(|| {
            // SAFETY: the caller promises that the driver returned the address; the stream is
            // registered with the context.
            let code = unsafe { free(address as DeviceAddress, stream) };
            self.cuda().check("cuMemFreeAsync", code)
        })
    }

    /// Submits work to the stream that sets each byte of the memory.
    ///
    /// # Errors
    /// Returns [`CudaError::UnknownStream`], or the driver's error.
    ///
    /// # Safety
    /// The memory is device memory or pinned memory of `bytes` bytes, allocated until the work is
    /// done, and no other work uses it at the same time.
    pub unsafe fn fill(
        &self,
        address: u64,
        byte: u8,
        bytes: usize,
        stream: CudaStream,
    ) -> Result<(), CudaError> {
        let stream = self.stream(stream)?;
        let set = self.functions().cuMemsetD8Async()?;
        self.inside(|| {
            // SAFETY: the caller promises that the memory has these bytes; the stream is registered
            // with the context.
            let code = unsafe { set(address as DeviceAddress, byte, bytes, stream) };
            self.cuda().check("cuMemsetD8Async", code)
        })
    }

    /// Allocates pinned host memory by `cuMemHostAlloc` and returns the address.
    ///
    /// All devices can read and write the memory directly. The provenance of the address is
    /// exposed.
    ///
    /// # Errors
    /// Returns the same errors as [`allocate`](Self::allocate).
    pub fn allocate_pinned(&self, bytes: usize) -> Result<u64, CudaError> {
        self.functions().cuMemFreeHost()?;
        let allocate = self.functions().cuMemHostAlloc()?;
        self.beside_captures(|| {
            let mut memory = core::ptr::null_mut();
            // SAFETY: the pointer is valid for writing the address.
            let code = unsafe { allocate(&raw mut memory, bytes, FOR_ALL_CONTEXTS) };
            self.cuda().check("cuMemHostAlloc", code)?;
            Ok(memory.expose_provenance() as u64)
        })
    }

    /// Frees pinned memory by `cuMemFreeHost`.
    ///
    /// # Errors
    /// Returns the driver's error. The memory then stays allocated.
    ///
    /// # Safety
    /// [`allocate_pinned`](Self::allocate_pinned) returned the address, it has not been freed
    /// since, and neither the host nor a device uses the memory.
    pub unsafe fn free_pinned(&self, address: u64) -> Result<(), CudaError> {
        let free = self.functions().cuMemFreeHost()?;
        let memory = with_exposed_provenance_mut::<c_void>(address as usize);
        self.beside_captures(|| {
            // SAFETY: the caller promises that the driver returned the address and that nothing
            // uses the memory.
            self.cuda().check("cuMemFreeHost", unsafe { free(memory) })
        })
    }
}
