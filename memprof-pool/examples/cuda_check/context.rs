//! The cost of a context.

use super::check::Check;
use super::smi::Used;
use memprof_gpu::cuda::{Cuda, CudaError, DeviceContext};
use std::time::Instant;

/// Retains the primary context of the first device and records its cost.
pub(super) fn retained(check: &mut Check, cuda: &Cuda) -> Result<DeviceContext, CudaError> {
    let before = Used::now();
    let start = Instant::now();
    let context = DeviceContext::retain(cuda, 0)?;
    check.time(4, "to make the primary context", start.elapsed());
    check.change(4, "used by the primary context, by nvidia-smi", &before, &Used::now());
    check.count(5, "primary contexts that are active then", 1, active(cuda)?);
    let info = context.memory_info()?;
    check.bytes(
        4,
        "total, by the context and by the device",
        cuda.device(0)?.total_bytes,
        info.total,
    );
    Ok(context)
}

/// Returns 1 if the first device's primary context exists, otherwise 0.
pub(super) fn active(cuda: &Cuda) -> Result<u64, CudaError> {
    cuda.is_context_active(0).map(u64::from)
}
