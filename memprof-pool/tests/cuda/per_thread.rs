//! Tests of a pool with `CU_STREAM_PER_THREAD`, a handle that names another stream in each thread.

#![expect(unsafe_code, reason = "memory is deallocated")]

use crate::fake::Fake;
use crate::initialised;
use memprof_gpu::cuda::DeviceContext;
use memprof_pool::{
    Address, AllocationError, Buffer, CachingPool, DeviceUpstream, MemoryResource, Request, Stream,
    StreamOrderedUpstream,
};
use std::thread;

const PER_THREAD: Stream = Stream(2);
/// A request for one whole segment of the pool.
const SEGMENT: Request = Request::new(18 << 20).on(PER_THREAD);

fn context() -> (Fake, DeviceContext) {
    let (fake, cuda) = initialised();
    (fake, DeviceContext::retain(&cuda, 0).unwrap())
}

/// Allocates and frees a segment in the per-thread stream of a thread that then ends.
///
/// Returns the address, and the driver's number of that stream.
fn freed_by_a_thread(fake: &Fake, pool: &CachingPool<impl MemoryResource>) -> (Address, u64) {
    thread::scope(|scope| {
        let thread = scope.spawn(|| {
            let address = pool.allocate(SEGMENT).unwrap();
            // SAFETY: the memory was allocated for this request, and nothing uses it.
            unsafe { pool.deallocate(address, SEGMENT) }.unwrap();
            (address, fake.get("stream of this thread"))
        });
        thread.join().unwrap()
    })
}

#[test]
fn a_thread_does_not_get_memory_that_another_threads_stream_may_still_use() {
    let (fake, context) = context();
    let pool = CachingPool::builder(DeviceUpstream::in_context(&context)).build().unwrap();
    fake.set("passed", 0);
    let (address, _) = freed_by_a_thread(&fake, &pool);
    let other = pool.allocate(SEGMENT.on(Stream::DEFAULT)).unwrap();
    assert_ne!(other, address, "the work of the thread is not done");
    assert_eq!(fake.get("waits"), 0);
    assert_eq!(pool.allocate(SEGMENT).unwrap(), address);
    assert_eq!(fake.get("waits"), 1, "the stream of this thread waits for the other's");
    pool.check().unwrap();
}

#[test]
fn a_thread_waits_for_the_memory_that_it_freed_instead_of_reserving_more() {
    let (fake, context) = context();
    let pool = CachingPool::builder(DeviceUpstream::in_context(&context)).build().unwrap();
    fake.set("passed", 0);
    let first = pool.allocate(SEGMENT).unwrap();
    for _ in 0..100 {
        // SAFETY: the memory was allocated for this request, and nothing uses it.
        unsafe { pool.deallocate(first, SEGMENT) }.unwrap();
        assert_eq!(pool.allocate(SEGMENT).unwrap(), first);
    }
    assert_eq!(["waits", "calls of cuMemAlloc_v2"].map(|name| fake.get(name)), [100, 1]);
    fake.set("passed", u64::MAX);
    // SAFETY: as above.
    unsafe { pool.deallocate(first, SEGMENT) }.unwrap();
    assert_eq!(pool.allocate(SEGMENT).unwrap(), first);
    assert_eq!(fake.get("waits"), 100, "the work is done");
}

#[test]
fn a_buffer_refuses_a_stream_that_depends_on_the_thread() {
    let (_fake, context) = context();
    let pool = CachingPool::builder(DeviceUpstream::in_context(&context)).build().unwrap();
    let error = Buffer::new(&pool, SEGMENT).unwrap_err();
    assert!(matches!(error, AllocationError::PerThread(PER_THREAD)), "{error:?}");
    let mut buffer = Buffer::new(&pool, SEGMENT.on(Stream::DEFAULT)).unwrap();
    buffer.set_stream(PER_THREAD).unwrap_err();
    assert_eq!((buffer.stream(), pool.statistics().allocations), (Stream::DEFAULT, 1));
}

#[test]
fn at_the_limit_the_stream_of_a_thread_waits_for_that_of_another() {
    let (fake, context) = context();
    let upstream = DeviceUpstream::in_context(&context);
    let pool = CachingPool::builder(upstream).limit("18 MiB").build().unwrap();
    fake.set("passed", 0);
    let (address, stream) = freed_by_a_thread(&fake, &pool);
    assert_eq!(pool.allocate(SEGMENT).unwrap(), address, "there is no other");
    assert_eq!(fake.get("stream of the last wait"), fake.get("stream of this thread"));
    assert_eq!(fake.get("stream that the last wait is for"), stream);
    assert_eq!(fake.get("calls of cuMemAlloc_v2"), 1);
}

#[test]
fn an_ordinary_stream_waits_for_the_stream_of_a_thread() {
    let (fake, context) = context();
    let upstream = DeviceUpstream::in_context(&context);
    let pool = CachingPool::builder(upstream).limit("18 MiB").build().unwrap();
    fake.set("passed", 0);
    let (address, stream) = freed_by_a_thread(&fake, &pool);
    assert_eq!(pool.allocate(SEGMENT.on(Stream::DEFAULT)).unwrap(), address);
    assert_eq!([fake.get("stream of the last wait"), fake.get("waits")], [0, 1]);
    assert_eq!(fake.get("stream that the last wait is for"), stream);
}

#[test]
fn memory_of_an_ended_thread_is_released_in_a_stream_that_waits_for_its_work() {
    let (fake, context) = context();
    let pool = CachingPool::builder(StreamOrderedUpstream::in_context(&context)).build().unwrap();
    fake.set("passed", 0);
    let (_, stream) = freed_by_a_thread(&fake, &pool);
    assert_eq!(pool.empty_cache(), 0, "that makes no stream wait");
    assert_eq!([fake.get("waits"), fake.get("allocations")], [0, 1]);
    drop(pool);
    assert_eq!([fake.get("waits"), fake.get("allocations")], [1, 0]);
    assert_eq!(fake.get("stream of the last wait"), fake.get("stream of this thread"));
    assert_eq!(fake.get("stream that the last wait is for"), stream);
    assert_eq!(fake.get("events"), 0);
}

#[test]
fn without_an_event_memory_stays_with_its_thread() {
    let (fake, context) = context();
    let upstream = DeviceUpstream::in_context(&context);
    let pool = CachingPool::builder(upstream).limit("18 MiB").build().unwrap();
    fake.set("fail cuEventRecord", 719);
    freed_by_a_thread(&fake, &pool);
    fake.set("fail cuEventRecord", 0);
    pool.allocate(SEGMENT).unwrap_err();
    assert_eq!(
        fake.get("events"),
        0,
        "an event in this thread's stream does not cover the other's work"
    );
    drop(pool);
    assert_eq!(fake.get("allocations"), 1, "its use is unknown");
}

#[test]
fn a_thousand_threads_leave_one_segment_and_few_events() {
    let (fake, context) = context();
    let pool = CachingPool::builder(DeviceUpstream::in_context(&context)).build().unwrap();
    let (first, _) = freed_by_a_thread(&fake, &pool);
    for _ in 0..1000 {
        assert_eq!(freed_by_a_thread(&fake, &pool).0, first);
    }
    pool.check().unwrap();
    assert_eq!(fake.get("calls of cuMemAlloc_v2"), 1);
    assert!(fake.get("calls of cuEventCreate") <= 64, "{}", fake.get("calls of cuEventCreate"));
    drop(pool);
    assert_eq!(["events", "allocations", "contexts pushed"].map(|name| fake.get(name)), [0; 3]);
}

#[test]
fn four_threads_with_a_stream_each_free_everything() {
    let (fake, context) = context();
    let upstream = DeviceUpstream::in_context(&context);
    let pool = CachingPool::builder(upstream).limit("512 MiB").build().unwrap();
    fake.set("passed", 0);
    thread::scope(|scope| {
        for thread in 1..=4 {
            let (fake, pool) = (&fake, &pool);
            scope.spawn(move || {
                for round in 0..300_u64 {
                    fake.set("passed", thread * round);
                    let request = Request::new((round % 7 * thread) << 20).on(PER_THREAD);
                    let address = pool.allocate(request).unwrap();
                    // SAFETY: the memory was allocated for this request, and nothing uses it.
                    unsafe { pool.deallocate(address, request) }.unwrap();
                    if round % 100 == 99 {
                        pool.retire(PER_THREAD).unwrap();
                        pool.check().unwrap();
                    }
                }
            });
        }
    });
    assert_eq!(pool.statistics().allocated, 0);
    drop(pool);
    assert_eq!(["events", "allocations", "contexts pushed"].map(|name| fake.get(name)), [0; 3]);
}
