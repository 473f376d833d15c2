//! The driver's memory pool and its allocators: statistics are readable without a context and equal
//! the allocated bytes, and all memory is freed.

use super::rows::{Figure, Rows, median_and_99th};
use memprof_gpu::cuda::{Cuda, CudaError, CudaStream, DeviceContext};
use memprof_pool::{
    Buffer, DeviceUpstream, MemoryResource, PinnedUpstream, Request, StreamOrderedUpstream,
};
use std::error::Error;
use std::time::{Duration, Instant};

/// The unit in which the pool takes memory from the device, or a multiple of that unit.
const UNIT: u64 = 32 << 20;

/// Reads the pool's statistics without a context, and checks that the calls created none.
pub(super) fn without_context(rows: &mut Rows<'_>, cuda: &Cuda) -> Result<(), Box<dyn Error>> {
    rows.holds("no primary context is active at first", !cuda.is_context_active(0)?);
    let mut durations = Vec::new();
    for _ in 0..1000 {
        let start = Instant::now();
        cuda.pool_statistics(0)?;
        durations.push(start.elapsed());
    }
    let [median, worst] = median_and_99th(&mut durations);
    rows.record("to read the pool, median", median);
    rows.record("to read the pool, 99th of 100", worst);
    rows.holds("reading the pool creates no context", !cuda.is_context_active(0)?);
    Ok(())
}

/// Checks that the primary context is active, and records the memory that it takes.
pub(super) fn context(
    rows: &mut Rows<'_>,
    cuda: &Cuda,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
    rows.holds("the primary context is active then", cuda.is_context_active(0)?);
    let info = context.memory_info()?;
    rows.bytes("total memory, by the context", cuda.device(0)?.total_bytes, info.total);
    rows.record("used once the context exists", Figure::Bytes(info.total - info.free));
    Ok(())
}

/// Compares the pool's statistics with the bytes allocated in the order of the default stream.
pub(super) fn statistics(
    rows: &mut Rows<'_>,
    cuda: &Cuda,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
    let upstream = StreamOrderedUpstream::in_context(context);
    // The first stream-ordered allocation may create tables that stay.
    Buffer::new(&upstream, Request::new(UNIT))?.free()?;
    context.synchronize(CudaStream::DEFAULT)?;
    let threshold = cuda.pool_statistics(0)?.release_threshold;
    cuda.set_release_threshold(0, u64::MAX)?;
    cuda.reset_peaks(0)?;
    let start = cuda.pool_statistics(0)?;

    let requests = [1, 2, 4].map(|units| Request::new(units * UNIT));
    let buffers: Result<Vec<_>, _> =
        requests.iter().map(|request| Buffer::new(&upstream, *request)).collect();
    let requested: u64 = requests.iter().map(|request| request.bytes).sum();
    let pool = cuda.pool_statistics(0)?;
    rows.bytes("allocated, of seven times 32 MiB", start.allocated + requested, pool.allocated);
    rows.bytes("peak allocated", start.allocated + requested, pool.allocated_peak);
    rows.holds("at least that is reserved", pool.reserved >= requested);
    for buffer in buffers? {
        buffer.free()?;
    }
    context.synchronize(CudaStream::DEFAULT)?;
    rows.bytes("allocated once it is freed", start.allocated, cuda.pool_statistics(0)?.allocated);
    cuda.reset_peaks(0)?;
    let peak = cuda.pool_statistics(0)?.allocated_peak;
    rows.bytes("peak allocated, after a reset", start.allocated, peak);
    cuda.trim_pool(0, 0)?;
    rows.bytes("reserved once it is trimmed", 0, cuda.pool_statistics(0)?.reserved);
    cuda.set_release_threshold(0, threshold)?;
    Ok(())
}

/// The device's free bytes must stay the same.
#[expect(clippy::unnecessary_wraps, reason = "each upstream is a group of its own")]
pub(super) fn released(
    rows: &mut Rows<'_>,
    cuda: &Cuda,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
    let resources: [(&str, &dyn MemoryResource); 3] = [
        ("cuMemAlloc", &DeviceUpstream::in_context(context)),
        ("cuMemAllocAsync", &StreamOrderedUpstream::in_context(context)),
        ("cuMemHostAlloc", &PinnedUpstream::in_context(context)),
    ];
    for (name, resource) in resources {
        rows.group("upstreams", |rows| {
            // The first call may allocate memory that stays, such as tables of the driver.
            blocks(resource)?;
            let before = free_bytes(cuda, context)?;
            let [mut allocations, mut frees] = blocks(resource)?;
            rows.bytes(&format!("free after {name}"), before, free_bytes(cuda, context)?);
            let [median, worst] = median_and_99th(&mut allocations);
            rows.record(&format!("2 MiB by {name}, median"), median);
            rows.record(&format!("2 MiB by {name}, 99th of 100"), worst);
            let [median, _] = median_and_99th(&mut frees);
            rows.record(&format!("2 MiB back to {name}, median"), median);
            Ok(())
        });
    }
    Ok(())
}

/// Waits until memory that was freed in stream order is back at the device.
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
