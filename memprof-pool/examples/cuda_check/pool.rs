//! Checks of the driver's memory pool: its statistics are readable without a context, and equal the
//! allocated bytes.

use super::check::{Check, median_and_99th};
use super::context::active;
use memprof_gpu::cuda::{Cuda, CudaError, CudaStream, DeviceContext};
use memprof_pool::{Buffer, Request, StreamOrderedUpstream};
use std::error::Error;
use std::time::Instant;

/// The unit in which the pool takes memory from the device, or a multiple of that unit.
const UNIT: u64 = 32 << 20;

/// Reads the pool's statistics without a context, and checks that the calls created none.
pub(super) fn without_context(check: &mut Check, cuda: &Cuda) -> Result<(), CudaError> {
    check.count(5, "primary contexts that are active before", 0, active(cuda)?);
    let mut durations = Vec::new();
    let mut peak = 0;
    for _ in 0..1000 {
        let start = Instant::now();
        let pool = cuda.pool_statistics(0)?;
        durations.push(start.elapsed());
        peak = peak.max(pool.reserved_peak);
    }
    check.bytes(5, "reserved before anything was allocated", 0, peak);
    let [median, worst] = median_and_99th(&mut durations);
    check.time(5, "to read the pool, median", median);
    check.time(5, "to read the pool, 99th of 100", worst);
    check.count(5, "primary contexts that are active after that", 0, active(cuda)?);
    Ok(())
}

/// Allocates in the order of the default stream, and compares the pool's statistics with the
/// allocated bytes.
pub(super) fn statistics(
    check: &mut Check,
    cuda: &Cuda,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
    let upstream = StreamOrderedUpstream::in_context(context);
    cuda.set_release_threshold(0, u64::MAX)?;
    let start = cuda.pool_statistics(0)?;
    // Returns the device's used bytes that the pool has not reserved: mainly the context's.
    let outside_pool = || {
        let info = context.memory_info()?;
        let reserved = cuda.pool_statistics(0)?.reserved;
        Ok::<u64, CudaError>((info.total - info.free).saturating_sub(reserved))
    };
    let outside_pool_at_start = outside_pool()?;

    let requests = [1, 2, 4].map(|units| Request::new(units * UNIT));
    let mut buffers = Vec::new();
    for request in requests {
        buffers.push(Buffer::new(&upstream, request)?);
    }
    let requested: u64 = requests.iter().map(|request| request.bytes).sum();
    let pool = cuda.pool_statistics(0)?;
    check.bytes(5, "allocated, of seven times 32 MiB", start.allocated + requested, pool.allocated);
    check.bytes(5, "peak allocated", start.allocated + requested, pool.allocated_peak);
    check.count(5, "whether at least that is reserved", 1, (pool.reserved >= requested).into());
    check.bytes(
        7,
        "used beside the pool, with that allocated",
        outside_pool_at_start,
        outside_pool()?,
    );

    for buffer in buffers {
        buffer.free()?;
    }
    check.bytes(
        5,
        "allocated once it is freed",
        start.allocated,
        cuda.pool_statistics(0)?.allocated,
    );
    cuda.reset_peaks(0)?;
    let peak = cuda.pool_statistics(0)?.allocated_peak;
    check.bytes(5, "peak allocated, after a reset", start.allocated, peak);
    check.bytes(
        7,
        "used beside the pool, once it is freed",
        outside_pool_at_start,
        outside_pool()?,
    );

    context.synchronize(CudaStream::DEFAULT)?;
    cuda.trim_pool(0, 0)?;
    check.bytes(4, "reserved once it is trimmed", 0, cuda.pool_statistics(0)?.reserved);
    cuda.set_release_threshold(0, start.release_threshold)?;
    Ok(())
}
