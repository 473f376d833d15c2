//! Tests of a pool over the driver: it reuses memory in stream order, and releases all of it.

#![expect(unsafe_code, reason = "streams are made known, and memory deallocated")]

use crate::fake::Fake;
use crate::initialised;
use memprof_gpu::cuda::DeviceContext;
use memprof_pool::{
    CachingPool, DeviceUpstream, MemoryResource, PinnedUpstream, Request, Stream,
    StreamOrderedUpstream,
};

const STREAMS: [Stream; 3] = [Stream::DEFAULT, Stream(0xA000), Stream(0xB000)];

/// Creates a context that knows the streams.
fn context() -> (Fake, DeviceContext) {
    let (fake, cuda) = initialised();
    let context = DeviceContext::retain(&cuda, 0).unwrap();
    for stream in &STREAMS[1..] {
        fake.set("stream", stream.0);
        // SAFETY: the stream belongs to the fake.
        unsafe { context.adopt_stream((*stream).into()) };
    }
    (fake, context)
}

#[test]
fn memory_of_one_stream_goes_to_another_that_waits_for_its_work() {
    let (fake, context) = context();
    let upstream = DeviceUpstream::in_context(&context);
    // The limit allows one segment, so there is no other memory.
    let pool = CachingPool::builder(upstream).limit("18 MiB").build().unwrap();
    let request = Request::new(18 << 20);
    fake.set("passed", 0);
    let first = pool.allocate(request).unwrap();
    // SAFETY: the memory was allocated for this request, and nothing uses it.
    unsafe { pool.deallocate(first, request) }.unwrap();
    let same = pool.allocate(request).unwrap();
    assert_eq!((same, fake.get("waits")), (first, 0), "in the same stream, no stream waits");
    // SAFETY: as above.
    unsafe { pool.deallocate(same, request) }.unwrap();

    let other = pool.allocate(request.on(STREAMS[1])).unwrap();
    assert_eq!(other, first, "there is no other");
    assert_eq!(fake.get("stream of the last wait"), STREAMS[1].0);
    assert_eq!(fake.get("calls of cuMemAlloc_v2"), 1);
}

#[test]
fn ten_thousand_requests_of_three_streams_free_everything() {
    fn exercise<U: MemoryResource>(fake: &Fake, upstream: U) {
        let pool = CachingPool::builder(upstream).limit("512 MiB").build().unwrap();
        let mut live = Vec::new();
        let mut number = 0x5EED_u64;
        for step in 0..10_000_u64 {
            number = number.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            let random = number >> 33;
            fake.set("passed", step / 2);
            let stream = STREAMS[(random % 3) as usize];
            if random & 4 == 0 || live.is_empty() {
                let request = Request::new(random % (4 << 20)).on(stream);
                if let Ok(address) = pool.allocate(request) {
                    live.push((address, request));
                }
            } else {
                let (address, request) = live.swap_remove(random as usize % live.len());
                // SAFETY: the memory was allocated for this request, and nothing uses it.
                unsafe { pool.deallocate(address, request.on(stream)) }.unwrap();
            }
            if step % 100 == 0 {
                pool.check().unwrap();
            }
        }
        for (address, request) in live {
            // SAFETY: the memory was allocated for this request, and nothing uses it.
            unsafe { pool.deallocate(address, request) }.unwrap();
        }
        drop(pool);
    }
    for which in 0..3 {
        let (fake, context) = context();
        match which {
            0 => exercise(&fake, DeviceUpstream::in_context(&context)),
            1 => exercise(&fake, StreamOrderedUpstream::in_context(&context)),
            _ => exercise(&fake, PinnedUpstream::in_context(&context)),
        }
        let names = ["allocations", "pinned", "events", "contexts pushed"];
        assert_eq!(names.map(|name| fake.get(name)), [0; 4], "{which}");
        drop(context);
        assert_eq!(fake.get("contexts retained"), 0);
    }
}

/// A counter of driver calls since its creation.
struct Calls<'f> {
    fake: &'f Fake,
    counts: [u64; 6],
}

impl<'f> Calls<'f> {
    const NAMES: [&'static str; 6] = [
        "calls",
        "calls of cuEventCreate",
        "calls of cuEventDestroy_v2",
        "calls of cuEventRecord",
        "calls of cuEventQuery",
        "calls of cuStreamWaitEvent",
    ];

    fn of(fake: &'f Fake) -> Self {
        Self { fake, counts: Self::NAMES.map(|name| fake.get(name)) }
    }

    fn since(&self) -> [u64; 6] {
        let now = Self::of(self.fake).counts;
        std::array::from_fn(|at| now[at] - self.counts[at])
    }
}

/// Allocates memory in one stream and frees it there.
fn pass(pool: &CachingPool<DeviceUpstream>, request: Request) {
    let address = pool.allocate(request).unwrap();
    // SAFETY: the memory was allocated for this request, and nothing uses it.
    unsafe { pool.deallocate(address, request) }.unwrap();
}

#[test]
fn streams_that_reuse_their_own_memory_stop_calling_the_driver() {
    for (streams, most) in [(&STREAMS[..1], 0), (&STREAMS, 16)] {
        let (fake, context) = context();
        let pool = CachingPool::builder(DeviceUpstream::in_context(&context)).build().unwrap();
        fake.set("passed", 0);
        let requests: Vec<_> = streams.iter().map(|it| Request::new(1 << 20).on(*it)).collect();
        for request in &requests {
            pass(&pool, *request);
        }
        let calls = Calls::of(&fake);
        for _ in 0..1000 {
            for request in &requests {
                pass(&pool, *request);
            }
        }
        println!("{} streams, own memory: {:?}", streams.len(), calls.since());
        let [all, _, _, recorded, ..] = calls.since();
        assert!(recorded <= most, "{recorded} events were recorded");
        assert_eq!(all == 0, most == 0, "{all} calls");
    }
}

#[test]
fn streams_that_alternate_on_the_same_memory_create_few_events() {
    let (fake, context) = context();
    let upstream = DeviceUpstream::in_context(&context);
    let pool = CachingPool::builder(upstream).limit("18 MiB").build().unwrap();
    let request = Request::new(18 << 20);
    let calls = Calls::of(&fake);
    for _ in 0..1000 {
        for stream in STREAMS {
            pass(&pool, request.on(stream));
        }
    }
    println!("3 streams, the same memory: {:?}", calls.since());
    let [_, created, destroyed, recorded, queried, waits] = calls.since();
    assert!(created <= 8, "{created} events were made");
    assert_eq!((destroyed, waits), (0, 0));
    assert!(recorded <= 3001 && queried <= 3001, "{recorded} recorded, {queried} queried");
    drop(pool);
    assert_eq!(fake.get("events"), 0);
}

#[test]
fn streams_that_wait_for_the_same_memory_create_few_events() {
    let (fake, context) = context();
    let upstream = DeviceUpstream::in_context(&context);
    let pool = CachingPool::builder(upstream).limit("18 MiB").build().unwrap();
    let request = Request::new(18 << 20);
    let calls = Calls::of(&fake);
    for (passes, stream) in (0..3000).zip(STREAMS.iter().cycle()) {
        // The work before the last three frees is done.
        fake.set("passed", u64::saturating_sub(passes, 3));
        pass(&pool, request.on(*stream));
    }
    println!("3 streams, each waits: {:?}", calls.since());
    let [_, created, destroyed, .., waits] = calls.since();
    assert_eq!((destroyed, waits), (0, 2999));
    assert!(created <= 16, "{created} events were made");
    drop(pool);
    assert_eq!(fake.get("events"), 0);
}
