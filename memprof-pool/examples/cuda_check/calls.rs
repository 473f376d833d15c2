//! Calls that several parts repeat, and figures of their times.

use memprof_gpu::cuda::{CudaError, CudaStream, DeviceContext};
use memprof_pool::{Address, DeallocationError, MemoryResource, Request};
use std::time::Duration;

/// Waits for everything in the default stream.
pub(super) fn drained(context: &DeviceContext) -> Result<(), CudaError> {
    context.synchronize(CudaStream::DEFAULT)
}

/// Gives back what was allocated with that request.
pub(super) fn freed(
    resource: &dyn MemoryResource,
    address: Address,
    request: Request,
) -> Result<(), DeallocationError> {
    // SAFETY: each caller allocated it from the resource, passes it here once, and does not use it again.
    unsafe { resource.deallocate(address, request) }
}

/// The one in the middle, and the one that one in a hundred is above.
pub(super) fn median_and_99th(times: &mut [Duration]) -> [Duration; 2] {
    times.sort_unstable();
    let at = |share: usize| times.get(times.len() * share / 100).copied().unwrap_or_default();
    [at(50), at(99)]
}
