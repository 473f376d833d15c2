//! Device memory that is overwritten so that a device's caches hold nothing else.

use super::functions::{DeviceAddress, Handle};
use super::{CudaError, DeviceContext};

/// Several times the caches of a large device: an H100 has 50 MiB.
const BYTES: usize = 256 << 20;

/// Memory of that size, kept as long as this is.
pub(super) struct Displacing {
    context: DeviceContext,
    address: u64,
}

impl Displacing {
    pub(super) fn new(context: &DeviceContext) -> Result<Self, CudaError> {
        Ok(Self { context: context.clone(), address: context.allocate(BYTES)? })
    }

    /// Puts it into the stream that all of the memory is overwritten.
    pub(super) fn overwrite(&self, stream: Handle) -> Result<(), CudaError> {
        let set = self.context.functions().cuMemsetD8Async()?;
        self.context.inside(|| {
            // SAFETY: the memory is as large and nobody else has it; the stream is known.
            let code = unsafe { set(self.address as DeviceAddress, 0, BYTES, stream) };
            self.context.cuda().check("cuMemsetD8Async", code)
        })
    }
}

impl Drop for Displacing {
    fn drop(&mut self) {
        // SAFETY: it was allocated by `new` and is freed once; the driver waits for what still
        // overwrites it.
        let _ = unsafe { self.context.free(self.address) };
    }
}
