//! Tests of the time at which memory that one stream freed becomes available to another stream.

use super::device::{Device, PER_THREAD, simulate_thread};
use crate::{Address, AddressSpace, CachingPool, MemoryResource, Request, Stream};

const MIB: u64 = 1 << 20;
const ONE: Stream = Stream(1);
const TWO: Stream = Stream(2);

fn pool(limit: u64) -> CachingPool<Device> {
    let device = Device::new(AddressSpace::new());
    CachingPool::builder(device).limit(limit).build().expect("it needs nothing")
}

/// Allocates in a stream, which then uses the memory.
fn allocate(pool: &CachingPool<Device>, stream: Stream) -> Address {
    let request = request(stream);
    let address = pool.allocate(request).expect("there is room");
    pool.upstream().use_memory(address, request.bytes, stream).expect("it is in order");
    pool.check().expect("the pool is consistent");
    assert_eq!(pool.upstream().violation(), None);
    address
}

fn free(pool: &CachingPool<Device>, address: Address, stream: Stream) {
    let request = request(stream);
    pool.upstream().free_memory(address, request.bytes, stream);
    // SAFETY: the memory is allocated, and work that uses it comes earlier in the stream.
    unsafe { pool.deallocate(address, request) }.expect("it is allocated");
    pool.check().expect("the pool is consistent");
}

/// Frees three neighbouring blocks, the middle one in another stream, while their work still runs.
fn three_of_a_segment<U: MemoryResource>(pool: &CachingPool<U>, device: &Device) {
    let small = |stream| Request::new(6 * MIB).on(stream);
    let blocks = [ONE, TWO, ONE].map(|stream| {
        let address = pool.allocate(small(stream)).expect("there is room");
        // The other blocks may then use the segment that was reserved for the first.
        device.finish(ONE);
        (address, stream)
    });
    for (address, stream) in blocks {
        device.use_memory(address, 6 * MIB, stream).expect("it is in order");
        device.free_memory(address, 6 * MIB, stream);
        // SAFETY: the memory is allocated, and work that uses it comes earlier in the stream.
        unsafe { pool.deallocate(address, small(stream)) }.expect("it is allocated");
    }
}

const fn request(stream: Stream) -> Request {
    Request::new(16 * MIB).on(stream)
}

#[test]
fn a_stream_reuses_at_once_the_memory_that_it_freed() {
    let pool = pool(64 * MIB);
    let address = allocate(&pool, ONE);
    free(&pool, address, ONE);
    assert_eq!(allocate(&pool, ONE), address);
    assert_eq!(pool.upstream().counts(), (0, 0, 0), "a single stream needs no event");
}

#[test]
fn another_stream_gets_freed_memory_once_the_work_is_done() {
    let pool = pool(64 * MIB);
    let kept = allocate(&pool, TWO);
    let address = allocate(&pool, ONE);
    free(&pool, address, ONE);
    assert_eq!(pool.upstream().counts(), (0, 0, 0), "no other stream has needed the memory yet");
    let third = allocate(&pool, TWO);
    assert_ne!(third, address);
    let statistics = pool.statistics();
    assert_eq!((statistics.allocated, statistics.active), (32 * MIB, 48 * MIB));
    pool.upstream().finish(ONE);
    assert_eq!(allocate(&pool, TWO), address);
    assert_eq!(pool.upstream().counts(), (1, 1, 0), "the event is reused");
    assert_eq!(pool.statistics().hits, 1);
    assert_ne!(kept, third);
}

#[test]
fn an_event_is_recorded_when_another_stream_first_wants_the_memory() {
    let pool = pool(64 * MIB);
    let address = allocate(&pool, ONE);
    free(&pool, address, ONE);
    assert_ne!(allocate(&pool, TWO), address);
    assert_eq!(pool.upstream().counts(), (1, 1, 0));
    pool.upstream().finish(ONE);
    assert_eq!(allocate(&pool, TWO), address);
}

#[test]
fn frees_record_events_only_for_a_while_after_another_stream_wanted_the_memory() {
    let pool = pool(64 * MIB);
    let address = allocate(&pool, ONE);
    free(&pool, address, ONE);
    assert_ne!(allocate(&pool, TWO), address, "from now on, frees record events");
    for _ in 0..100 {
        assert_eq!(allocate(&pool, ONE), address);
        free(&pool, address, ONE);
    }
    assert_eq!(pool.upstream().counts(), (1 + 8, 1 + 8, 0));
    pool.upstream().finish(ONE);
    assert_eq!(allocate(&pool, TWO), address, "a new event has passed already");
    assert_eq!(pool.upstream().counts(), (1 + 8 + 1, 1 + 8, 0), "by an earlier event");
}

#[test]
fn at_the_limit_another_stream_waits_for_the_work() {
    let pool = pool(16 * MIB);
    let address = allocate(&pool, ONE);
    free(&pool, address, ONE);
    assert_eq!(allocate(&pool, TWO), address, "`use_memory` checks the order");
    assert_eq!(pool.upstream().counts().2, 1);
}

#[test]
fn without_events_a_stream_gets_only_its_own_memory() {
    let device = Device::new(AddressSpace::new());
    let pool = CachingPool::builder(device).preallocate(18 * MIB).limit(18 * MIB).build();
    let pool = pool.expect("there is room");
    // This block prevents the release of the segment.
    pool.allocate(Request::new(MIB).on(TWO)).expect("there is room");
    let address = allocate(&pool, ONE);
    pool.upstream().fail();
    free(&pool, address, ONE);
    pool.upstream().finish(ONE);
    pool.allocate(request(TWO)).expect_err("the device can't be queried");
    assert_eq!(allocate(&pool, ONE), address);
}

#[test]
fn compaction_merges_blocks_of_different_streams_once_their_work_is_done() {
    let pool = pool(64 * MIB);
    three_of_a_segment(&pool, pool.upstream());
    assert_eq!(pool.statistics().segments, 1, "all three lie side by side");
    let busy = pool.compact();
    pool.check().expect("the pool is consistent");
    assert_eq!((busy.released, busy.unmovable), (0, 20 * MIB), "streams may still use it");
    for stream in [ONE, TWO] {
        pool.upstream().finish(stream);
    }
    assert_eq!(pool.compact().unmovable, 0);
    assert_eq!(pool.statistics().reserved, 0);
}

#[test]
fn any_stream_may_use_the_memory_of_a_retired_stream() {
    let pool = pool(64 * MIB);
    let address = allocate(&pool, ONE);
    allocate(&pool, TWO);
    free(&pool, address, ONE);
    pool.upstream().finish(ONE);
    pool.retire(ONE).expect("the device records the event");
    pool.check().expect("the pool is consistent");
    assert_eq!(pool.upstream().counts(), (1, 1, 0), "the event passed at once");
    assert_eq!(allocate(&pool, TWO), address);
    assert_eq!(pool.upstream().counts().0, 1, "no further event is recorded");
    // A new stream may have the same number.
    pool.upstream().use_memory(address, 16 * MIB, ONE).expect("it is not freed twice");
    free(&pool, address, ONE);
    assert_ne!(allocate(&pool, TWO), address);
    pool.upstream().finish(ONE);
    assert_eq!(allocate(&pool, TWO), address);
}

#[test]
fn memory_of_a_stream_retired_early_is_reused_only_once_its_work_is_done() {
    let pool = pool(64 * MIB);
    let address = allocate(&pool, ONE);
    free(&pool, address, ONE);
    let _ = pool.retire(ONE);
    let third = allocate(&pool, TWO);
    assert_ne!(third, address);
    assert_ne!(
        allocate(&pool, ONE),
        address,
        "a new stream of that number does not cover the earlier work"
    );
    pool.upstream().finish(ONE);
    assert_eq!(allocate(&pool, TWO), address);
}

#[test]
fn at_the_limit_a_stream_waits_for_the_work_of_a_retired_one() {
    let pool = pool(16 * MIB);
    let address = allocate(&pool, ONE);
    free(&pool, address, ONE);
    pool.retire(ONE).expect("the device records the event");
    assert_eq!(allocate(&pool, TWO), address, "`use_memory` checks the order");
    assert_eq!(pool.upstream().counts(), (1, 1, 1));
}

#[test]
fn without_an_event_a_stream_is_not_retired() {
    let pool = pool(64 * MIB);
    let address = allocate(&pool, ONE);
    free(&pool, address, ONE);
    pool.upstream().fail();
    pool.retire(ONE).expect_err("the device can't be queried");
    pool.check().expect("the pool is consistent");
    assert_ne!(allocate(&pool, TWO), address);
    assert_eq!(allocate(&pool, ONE), address, "it is still the pool's stream");
}

#[test]
fn a_dropped_pool_releases_memory_of_retired_streams_and_ended_threads() {
    let device = Device::new(AddressSpace::new());
    let pool = CachingPool::builder(&device).build().expect("it needs nothing");
    // The three blocks are neighbours in one segment: one of a thread, one of a retired stream, and
    // one of another thread.
    let small = |stream| Request::new(6 * MIB).on(stream);
    let mut blocks = Vec::new();
    for (thread, stream) in [(1 << 41, PER_THREAD), (1 << 41, ONE), (2 << 41, PER_THREAD)] {
        simulate_thread(thread);
        let address = pool.allocate(small(stream)).expect("there is room");
        device.finish_all();
        device.use_memory(address, 6 * MIB, stream).expect("it is in order");
        blocks.push((thread, address, stream));
    }
    for (thread, address, stream) in blocks {
        simulate_thread(thread);
        device.free_memory(address, 6 * MIB, stream);
        // SAFETY: the memory is allocated, and work that uses it comes earlier in the stream.
        unsafe { pool.deallocate(address, small(stream)) }.expect("it is allocated");
    }
    assert_eq!(pool.statistics().segments, 1, "all three lie side by side");
    pool.retire(ONE).expect("the device records the event");
    simulate_thread(3 << 41);
    assert_eq!(pool.empty_cache(), 0, "that makes no stream wait");
    drop(pool);
    assert_eq!((device.space.allocated(), device.violation()), (0, None));
    assert_eq!(device.counts().1, 0, "all events are released");
}

#[test]
fn streams_that_no_thread_reaches_are_forgotten_once_their_work_is_done() {
    let pool = pool(1 << 40);
    for thread in 1..1000 {
        simulate_thread(thread << 41);
        let address = allocate(&pool, PER_THREAD);
        free(&pool, address, PER_THREAD);
        if thread % 3 == 0 {
            pool.upstream().finish_all();
        }
        if thread % 5 == 0 {
            free(&pool, allocate(&pool, ONE), ONE);
            pool.retire(ONE).expect("the device records the event");
        }
    }
    let queues = pool.state().order.len();
    assert!(queues <= 40, "{queues} streams are kept");
}

#[test]
fn a_dropped_pool_releases_memory_of_several_streams_after_their_work() {
    let device = Device::new(AddressSpace::new());
    let pool = CachingPool::builder(&device).build().expect("it needs nothing");
    three_of_a_segment(&pool, &device);
    assert_eq!(pool.empty_cache(), 0, "no stream waits for it");
    drop(pool);
    assert_eq!((device.space.allocated(), device.violation()), (0, None));
    assert!(device.counts().2 > 0);
}

#[test]
fn a_dropped_pool_releases_all_events() {
    let device = Device::new(AddressSpace::new());
    let pool = CachingPool::builder(&device).build().expect("it needs nothing");
    for stream in [ONE, TWO, PER_THREAD] {
        let address = pool.allocate(request(stream)).expect("there is room");
        // SAFETY: the memory was just allocated for this request, and nothing uses it.
        unsafe { pool.deallocate(address, request(stream)) }.expect("it is allocated");
    }
    assert!(device.counts().1 > 0);
    drop(pool);
    assert_eq!(device.counts().1, 0);
}
