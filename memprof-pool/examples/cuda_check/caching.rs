//! A caching pool over each upstream: reuse, order between streams, limits, adaptors and timeline.

use super::rows::Rows;
use memprof_gpu::cuda::{Cuda, DeviceContext};
use memprof_pool::{
    Action, Buffer, CachingPool, DeviceUpstream, Limiting, MemoryResource, PinnedUpstream,
    PoolBuilder, Request, Statistics, StreamOrderedUpstream, Tracking,
};
use std::error::Error;
use std::slice;

const MIB: u64 = 1 << 20;

/// Memory of the host or of the device.
type Upstream = Box<dyn MemoryResource>;

fn upstreams(context: &DeviceContext) -> [(&'static str, Upstream); 3] {
    [
        ("cuMemAlloc", Box::new(DeviceUpstream::in_context(context))),
        ("cuMemAllocAsync", Box::new(StreamOrderedUpstream::in_context(context))),
        ("cuMemHostAlloc", Box::new(PinnedUpstream::in_context(context))),
    ]
}

fn pool(context: &DeviceContext) -> PoolBuilder<DeviceUpstream> {
    CachingPool::builder(DeviceUpstream::in_context(context))
}

#[expect(clippy::unnecessary_wraps, reason = "each upstream is a group of its own")]
pub(super) fn reuse(
    rows: &mut Rows<'_>,
    _: &Cuda,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
    for (name, upstream) in upstreams(context) {
        rows.group("pool reuse", |rows| {
            let pool = CachingPool::builder(upstream).build()?;
            let parts: Result<Vec<_>, _> =
                (0..3).map(|_| Buffer::new(&pool, Request::new(6 * MIB))).collect();
            rows.count(
                &format!("segments for three blocks, {name}"),
                1,
                pool.statistics().segments,
            );
            drop(parts?);
            let whole = Buffer::new(&pool, Request::new(18 * MIB))?;
            let statistics = pool.statistics();
            rows.count("segments once the blocks are merged", 1, statistics.segments);
            rows.count("allocations from the cache", 3, statistics.hits);
            rows.bytes("reserved", 20 * MIB, statistics.reserved);
            drop(whole);
            rows.of("pool statistics");
            let statistics = pool.statistics();
            rows.bytes("peak allocated", 18 * MIB, statistics.peak_allocated);
            rows.bytes("cached", statistics.reserved, statistics.cached);
            rows.bytes("released by empty_cache", 20 * MIB, pool.empty_cache());
            rows.holds("the state is consistent", pool.check().is_ok());
            Ok(())
        });
    }
    Ok(())
}

/// One stream frees memory while it still fills it, and another stream gets that memory. If the
/// order were wrong, late work of the first stream would show in the result of the second.
pub(super) fn streams(
    rows: &mut Rows<'_>,
    _: &Cuda,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
    const BYTES: u64 = 64 * MIB;
    const FILLS: usize = 50;
    // Pinned memory can be filled by the device and read by the host.
    let pool = CachingPool::builder(PinnedUpstream::in_context(context)).limit(BYTES).build()?;
    let [first, second] = [context.create_stream()?, context.create_stream()?];
    let mut wrong = 0;
    for round in 0..8_u8 {
        let early = Buffer::new(&pool, Request::new(BYTES).on(first.into()))?;
        for _ in 0..FILLS {
            // SAFETY: the buffer has these bytes, and is freed in the order of this stream.
            unsafe { context.fill(early.address().0, 0xA0 | round, BYTES as usize, first)? };
        }
        drop(early);
        let late = Buffer::new(&pool, Request::new(BYTES).on(second.into()))?;
        // SAFETY: as above, in the second stream.
        unsafe { context.fill(late.address().0, round, BYTES as usize, second)? };
        context.synchronize(second)?;
        context.synchronize(first)?;
        let begin = late.host_ptr().ok_or("pinned memory has an address of the host")?;
        // SAFETY: the buffer has these bytes, which the device has written.
        let bytes = unsafe { slice::from_raw_parts(begin, BYTES as usize) };
        wrong += u64::from(bytes != vec![round; BYTES as usize]);
    }
    rows.count("buffers that the wrong stream wrote last", 0, wrong);
    rows.count("segments of two streams that share memory", 1, pool.statistics().segments_reserved);
    Ok(())
}

pub(super) fn limits(
    rows: &mut Rows<'_>,
    _: &Cuda,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
    let request = |mib: u64| Request::new(mib * MIB);
    let limited = pool(context).limit(64 * MIB).build()?;
    let first = Buffer::new(&limited, request(40))?;
    let refused = Buffer::new(&limited, request(40)).err();
    rows.holds(
        "a request beyond the limit is out of memory",
        refused.is_some_and(|error| error.is_out_of_memory()),
    );
    drop(first);
    drop(Buffer::new(&limited, request(60))?);
    rows.holds("the limit holds after eviction", limited.statistics().reserved <= 64 * MIB);

    let fraction = pool(context).limit_to_fraction(0.25).build()?;
    let quarter = context.total_bytes() / 4;
    rows.bytes("a quarter of the device as a limit", quarter, fraction.limit().unwrap_or(0));

    let prepared = pool(context).preallocate(32 * MIB).build()?;
    drop(Buffer::new(&prepared, request(30))?);
    rows.count("segments beside a preallocation", 1, prepared.statistics().segments);

    let cached = pool(context).cached_at_most(16 * MIB).build()?;
    for mib in [12, 24] {
        drop(Buffer::new(&cached, request(mib))?);
    }
    rows.holds("the cache keeps its limit", cached.statistics().cached <= 16 * MIB);

    let compacted = pool(context).build()?;
    let kept = Buffer::new(&compacted, request(1))?;
    drop(Buffer::new(&compacted, request(12))?);
    rows.bytes("released by compaction", 12 * MIB, compacted.compact().released);
    rows.bytes("reserved for the block that stays", 2 * MIB, compacted.statistics().reserved);
    drop(kept);
    Ok(())
}

/// Counts, places and a limit around a pool.
pub(super) fn adaptors(
    rows: &mut Rows<'_>,
    _: &Cuda,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
    let counted = Statistics::new(pool(context).build()?);
    let tracked = Tracking::new(Limiting::new(counted, 8 * MIB)?);
    let kept = Buffer::new(&tracked, Request::new(5 * MIB))?;
    rows.holds("a limit refuses more", Buffer::new(&tracked, Request::new(4 * MIB)).is_err());
    let outstanding = tracked.outstanding();
    rows.count("outstanding allocations", 1, outstanding.len() as u64);
    rows.bytes("their bytes", 5 * MIB, outstanding.bytes());
    rows.holds("they name this file", outstanding.allocations[0].site.file() == file!());
    drop(kept);
    let counts = tracked.inner().inner().counts();
    rows.bytes("peak of the counts", 5 * MIB, counts.bytes.peak.unsigned_abs());
    rows.bytes("current bytes of the counts", 0, counts.bytes.current.unsigned_abs());
    Ok(())
}

pub(super) fn timeline(
    rows: &mut Rows<'_>,
    _: &Cuda,
    context: &DeviceContext,
) -> Result<(), Box<dyn Error>> {
    let pool = pool(context).record(100).build()?;
    drop(Buffer::new(&pool, Request::new(3 * MIB))?);
    pool.empty_cache();
    let timeline = pool.timeline().ok_or("the pool records")?;
    let actions: Vec<Action> = timeline.events().iter().map(|event| event.action).collect();
    let expected = [Action::SegmentAllocate, Action::Allocate, Action::Free, Action::SegmentFree];
    rows.holds("a segment and a block come and go", actions == expected);
    let peak = timeline.points().iter().map(|event| event.held.reserved).max();
    rows.bytes("peak of the curve", pool.statistics().peak_reserved, peak.unwrap_or(0));
    Ok(())
}
