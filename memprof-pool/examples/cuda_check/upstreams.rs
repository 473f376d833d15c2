//! Checks that memory resources over the driver free all that they allocate.

use super::check::{Check, median_and_99th};
use memprof_gpu::cuda::{Cuda, CudaError, CudaStream, DeviceContext};
use memprof_pool::{
    Address, Buffer, CachingPool, DeviceUpstream, MemoryResource, PinnedUpstream, Request,
    StreamOrderedUpstream,
};
use std::error::Error;
use std::thread;
use std::time::{Duration, Instant};

/// Allocates blocks through each resource and frees them in another order. The device's free bytes
/// must stay the same.
pub(super) fn release(
    check: &mut Check,
    cuda: &Cuda,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
    let resources: [(&str, &dyn MemoryResource); 3] = [
        ("cuMemAlloc", &DeviceUpstream::in_context(context)),
        ("cuMemAllocAsync", &StreamOrderedUpstream::in_context(context)),
        ("cuMemHostAlloc", &PinnedUpstream::in_context(context)),
    ];
    for (name, resource) in resources {
        // The first call may allocate memory that stays, such as tables of the driver.
        blocks(resource)?;
        let before = free_bytes(cuda, context)?;
        let [mut allocations, mut frees] = blocks(resource)?;
        let after = free_bytes(cuda, context)?;
        check.bytes(4, &format!("free, before and after {name}"), before, after);
        let [median, worst] = median_and_99th(&mut allocations);
        check.time(4, &format!("2 MiB by {name}, median"), median);
        check.time(4, &format!("2 MiB by {name}, 99th of 100"), worst);
        let [median, _] = median_and_99th(&mut frees);
        check.time(4, &format!("2 MiB back to {name}, median"), median);
    }
    Ok(())
}

/// Frees memory in the per-thread stream of a thread that ends, and allocates in another thread.
///
/// The event outlives the thread, so the pool can reuse the memory.
pub(super) fn ended_thread(
    check: &mut Check,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
    let pool = CachingPool::builder(StreamOrderedUpstream::in_context(context)).build()?;
    let request = Request::new(18 << 20).on(CudaStream::PER_THREAD.into());
    let pass = || {
        let address = pool.allocate(request).map_err(|error| error.to_string())?;
        // SAFETY: the memory was allocated for this request, and nothing uses it.
        unsafe { pool.deallocate(address, request) }.map_err(|error| error.to_string())?;
        Ok::<Address, String>(address)
    };
    let of_thread = thread::scope(|scope| scope.spawn(pass).join());
    let of_thread = of_thread.map_err(|_| "a thread panicked")??;
    context.synchronize(CudaStream::DEFAULT)?;
    let is_same = pass()? == of_thread;
    check.count(4, "whether an ended thread's memory is reused", 1, is_same.into());
    Ok(())
}

/// Returns the device's free bytes, after memory that was freed in stream order is back at the
/// device.
fn free_bytes(cuda: &Cuda, context: &DeviceContext) -> Result<u64, CudaError> {
    context.synchronize(CudaStream::DEFAULT)?;
    cuda.trim_pool(context.ordinal(), 0)?;
    Ok(context.memory_info()?.free)
}

/// Allocates a hundred blocks and frees every second one first. Returns the time of each call.
fn blocks(resource: &dyn MemoryResource) -> Result<[Vec<Duration>; 2], Box<dyn Error>> {
    let request = Request::new(2 << 20);
    let (mut buffers, mut times) = ([Vec::new(), Vec::new()], [Vec::new(), Vec::new()]);
    for number in 0..100 {
        let start = Instant::now();
        buffers[number % 2].push(Buffer::new(resource, request)?);
        times[0].push(start.elapsed());
    }
    for buffer in buffers.into_iter().flatten() {
        let start = Instant::now();
        buffer.free()?;
        times[1].push(start.elapsed());
    }
    Ok(times)
}
