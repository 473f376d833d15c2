//! Device memory that is overwritten so that a device's caches hold nothing else.

use super::functions::{DeviceAddress, Handle};
use super::{CudaError, DeviceContext};

/// Several times the caches of a large device: an H100 has 50 MiB.
const BYTES: usize = 256 << 20;

/// Memory of that size, kept as long as this is.
pub(super) struct Displacing {
    context: DeviceContext,
    address: DeviceAddress,
}

impl Displacing {
    pub(super) fn new(context: &DeviceContext) -> Result<Self, CudaError> {
        // Without it the memory could never be given back.
        context.functions().cuMemFree_v2()?;
        let allocate = context.functions().cuMemAlloc_v2()?;
        context.inside(|| {
            let mut address = 0;
            // SAFETY: there is room for the address.
            let code = unsafe { allocate(&raw mut address, BYTES) };
            context.cuda().check("cuMemAlloc_v2", code)?;
            Ok(Self { context: context.clone(), address })
        })
    }

    /// Puts it into the stream that all of the memory is overwritten.
    pub(super) fn overwrite(&self, stream: Handle) -> Result<(), CudaError> {
        let set = self.context.functions().cuMemsetD8Async()?;
        self.context.inside(|| {
            // SAFETY: the memory is as large and nobody else has it; the stream is known.
            let code = unsafe { set(self.address, 0, BYTES, stream) };
            self.context.cuda().check("cuMemsetD8Async", code)
        })
    }
}

impl Drop for Displacing {
    fn drop(&mut self) {
        if let Ok(free) = self.context.functions().cuMemFree_v2() {
            let _ = self.context.inside(|| {
                // SAFETY: it was allocated by `new` and is freed once; the driver waits for what
                // still overwrites it.
                self.context.cuda().check("cuMemFree_v2", unsafe { free(self.address) })
            });
        }
    }
}
