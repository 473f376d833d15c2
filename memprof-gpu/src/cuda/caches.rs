//! A buffer of device memory. Overwriting it displaces the contents of the device's caches.

use super::{CudaError, CudaStream, DeviceContext};

/// The size of the buffer: several times the caches of a large device. An H100 has 50 MiB.
const BYTES: usize = 256 << 20;

/// A buffer of `BYTES` bytes, freed on drop.
pub(super) struct Displacing {
    context: DeviceContext,
    address: u64,
}

impl Displacing {
    pub(super) fn new(context: &DeviceContext) -> Result<Self, CudaError> {
        Ok(Self { context: context.clone(), address: context.allocate(BYTES)? })
    }

    /// Submits work to the stream that overwrites the whole buffer.
    pub(super) fn overwrite(&self, stream: CudaStream) -> Result<(), CudaError> {
        // SAFETY: the buffer has `BYTES` bytes, only this type uses it, and the driver waits for the
        // work before it frees the buffer.
        unsafe { self.context.fill(self.address, 0, BYTES, stream) }
    }
}

impl Drop for Displacing {
    fn drop(&mut self) {
        // SAFETY: `new` allocated the buffer, and this call frees it once. The driver waits for
        // work that still overwrites the buffer.
        let _ = unsafe { self.context.free(self.address) };
    }
}
