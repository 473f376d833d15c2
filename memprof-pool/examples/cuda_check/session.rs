//! A session's snapshot of a device: its processes, the bytes that values hold, tensors, and the
//! time of a framework operation.

use super::rows::Rows;
use memprof::gpu::{GpuSource, driver_pid};
use memprof::heap::framework::{self, FrameworkCall};
use memprof::walk::{Position, Storage, Tensor, Walk};
use memprof::{MemoryProfile, Session};
use memprof_gpu::cuda::{Cuda, CudaStream, DeviceContext, EventTimer};
use memprof_pool::{Buffer, CachingPool, DeviceUpstream, PoolSource, Request};
use std::error::Error;
use std::sync::Arc;

type Pool = Arc<CachingPool<DeviceUpstream>>;

struct Weights(Buffer<Pool>);

impl MemoryProfile for Weights {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let bytes = self.0.bytes() as usize;
        let storage = Storage { address: self.0.address().0 as usize, bytes, handles: Some(1) };
        let shape = [bytes / 4096, 1024];
        let tensor = Tensor::new(self.0.memory().device(), "f32", &shape, bytes);
        walk.tensor(at, &tensor.storage(storage));
    }
}

pub(super) fn snapshot(
    rows: &mut Rows<'_>,
    _: &Cuda,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
    let folder = std::env::temp_dir().join(format!("cuda_check-{}", std::process::id()));
    std::fs::create_dir_all(&folder)?;
    let session = Session::builder().enabled(true).output_dir(&folder).start()?;
    let pool = Arc::new(CachingPool::builder(DeviceUpstream::in_context(context)).build()?);
    session.source(PoolSource::new(Arc::clone(&pool)));
    session.source(GpuSource::new());
    let mut held = 0;
    for (name, mib) in [("small", 16), ("medium", 32), ("large", 64)] {
        let request = Request::new(mib << 20);
        held += request.bytes;
        session.root(name, Arc::new(Weights(Buffer::new(Arc::clone(&pool), request)?)));
    }
    session.checkpoint("loaded");
    let recording = session.handle().recording();
    let _document = session.finish()?;
    std::fs::remove_dir_all(&folder)?;
    let recording = recording.ok_or("the session records")?;
    let snapshot = recording.snapshot("loaded").ok_or("the checkpoint was taken")?;

    rows.count("tensors", 3, snapshot.tensor_count);
    let device = snapshot.devices.iter().find(|device| device.device == "cuda:0");
    let device = device.ok_or("the snapshot has bytes on cuda:0")?;
    rows.bytes("bytes of the roots on cuda:0", held, device.bytes);
    let largest = device.tensors.first().ok_or("a tensor is listed")?;
    rows.bytes("the largest tensor", 64 << 20, largest.bytes);
    rows.holds(
        "it has its type and shape",
        largest.dtype == "f32" && largest.shape == [16384, 1024],
    );
    let pooled = snapshot.root("pool").ok_or("the pool is recorded")??;
    rows.bytes("allocated by the pool", held, pooled.bytes_at("allocated;requested").unwrap_or(0));

    rows.of("attribution");
    let gpu = match snapshot.root("gpu").ok_or("the device is recorded")? {
        Ok(gpu) => gpu,
        Err(reason) => {
            rows.skip("counters of the device", &reason.to_string());
            return Ok(());
        }
    };
    let total = context.memory_info()?.total;
    rows.holds("the leaves add up to at least the device", gpu.total_bytes() >= total);
    let at = |path: &str| {
        let devices = gpu.root().children().map(|device| format!("{};{path}", device.name()));
        devices.filter_map(|path| gpu.bytes_at(&path)).sum::<u64>()
    };
    if driver_pid().is_none() {
        rows.skip(
            "the process in the driver's list",
            "this process has a PID namespace of its own",
        );
        rows.holds("the memory of the process is unknown then", at("used;unknown_owner") > 0);
        return Ok(());
    }
    rows.bytes("attributed to values", held, at("used;process;attributed"));
    rows.holds("the rest of the process, such as the context", at("used;process;unattributed") > 0);
    Ok(())
}

/// Times a framework operation by events of the device.
pub(super) fn framework(
    rows: &mut Rows<'_>,
    _: &Cuda,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
    const BYTES: u32 = 64 << 20;
    let buffer = Buffer::new(DeviceUpstream::in_context(context), Request::new(BYTES.into()))?;
    let timer = EventTimer::in_context(context, CudaStream::DEFAULT)?;
    timer.prepare(2)?;
    let from = timer.record()?;
    // SAFETY: the buffer has these bytes, and nothing else uses it.
    unsafe { context.fill(buffer.address().0, 1, BYTES as usize, CudaStream::DEFAULT)? };
    let to = timer.record()?;
    timer.synchronize()?;
    let elapsed = timer.elapsed(&from, &to)?;
    framework::reset();
    framework::record(FrameworkCall::new("fill").device_time(elapsed).device_bytes(BYTES.into()));
    let summary = framework::summary();
    let row = summary.rows().first().ok_or("the operation is recorded")?;
    rows.count("calls", 1, row.figures.calls);
    rows.record("device time of 64 MiB filled", elapsed);
    let known = row.figures.device_time.ok_or("the device time is known")?;
    rows.near("the time that the summary has", elapsed, known.total);
    Ok(())
}
