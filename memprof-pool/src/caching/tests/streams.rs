//! Tests of memory that one stream freed, and of when another stream gets it.

use super::device::{Device, PER_THREAD};
use crate::caching::queue::act_as_thread;
use crate::{Address, AddressSpace, CachingPool, MemoryResource, Request, Stream};

const MIB: u64 = 1 << 20;
const ONE: Stream = Stream(1);
const OTHER: Stream = Stream(2);

fn pool(limit: u64) -> CachingPool<Device> {
    let device = Device::new(AddressSpace::new());
    CachingPool::builder(device).limit(limit).build().expect("it needs nothing")
}

/// Allocates in a stream, which then uses the memory.
fn take(pool: &CachingPool<Device>, stream: Stream) -> Address {
    let request = request(stream);
    let address = pool.allocate(request).expect("there is room");
    pool.upstream().uses(address, request.bytes, stream).expect("it is in order");
    pool.check().expect("the books agree");
    assert_eq!(pool.upstream().violation(), None);
    address
}

fn give(pool: &CachingPool<Device>, address: Address, stream: Stream) {
    let request = request(stream);
    pool.upstream().frees(address, request.bytes, stream);
    // SAFETY: it is allocated, and work that uses it comes earlier in the stream.
    unsafe { pool.deallocate(address, request) }.expect("it is allocated");
    pool.check().expect("the books agree");
}

/// Frees three neighbouring blocks, the middle one in another stream, while their work still runs.
fn three_of_a_segment<U: MemoryResource>(pool: &CachingPool<U>, device: &Device) {
    let small = |stream| Request::new(6 * MIB).on(stream);
    let blocks = [ONE, OTHER, ONE].map(|stream| {
        let address = pool.allocate(small(stream)).expect("there is room");
        // The other blocks may then use the segment that was reserved for the first.
        device.finish(ONE);
        (address, stream)
    });
    for (address, stream) in blocks {
        device.uses(address, 6 * MIB, stream).expect("it is in order");
        device.frees(address, 6 * MIB, stream);
        // SAFETY: it is allocated, and work that uses it comes earlier in the stream.
        unsafe { pool.deallocate(address, small(stream)) }.expect("it is allocated");
    }
}

const fn request(stream: Stream) -> Request {
    Request::new(16 * MIB).on(stream)
}

#[test]
fn a_stream_uses_at_once_what_it_freed() {
    let pool = pool(64 * MIB);
    let address = take(&pool, ONE);
    give(&pool, address, ONE);
    assert_eq!(take(&pool, ONE), address);
    assert_eq!(pool.upstream().counts(), (0, 0, 0), "a stream alone needs no mark");
}

#[test]
fn another_stream_gets_it_when_the_work_before_is_done() {
    let pool = pool(64 * MIB);
    let kept = take(&pool, OTHER);
    let address = take(&pool, ONE);
    give(&pool, address, ONE);
    assert_eq!(pool.upstream().counts(), (0, 0, 0), "no stream has wanted it yet");
    let third = take(&pool, OTHER);
    assert_ne!(third, address);
    let statistics = pool.statistics();
    assert_eq!((statistics.allocated, statistics.active), (32 * MIB, 48 * MIB));
    pool.upstream().finish(ONE);
    assert_eq!(take(&pool, OTHER), address);
    assert_eq!(pool.upstream().counts(), (1, 1, 0), "the mark waits to be put again");
    assert_eq!(pool.statistics().hits, 1);
    assert_ne!(kept, third);
}

#[test]
fn what_was_freed_before_there_were_others_is_marked_when_one_wants_it() {
    let pool = pool(64 * MIB);
    let address = take(&pool, ONE);
    give(&pool, address, ONE);
    assert_ne!(take(&pool, OTHER), address);
    assert_eq!(pool.upstream().counts(), (1, 1, 0));
    pool.upstream().finish(ONE);
    assert_eq!(take(&pool, OTHER), address);
}

#[test]
fn some_frees_are_marked_after_another_stream_wanted_the_memory_and_then_no_more() {
    let pool = pool(64 * MIB);
    let address = take(&pool, ONE);
    give(&pool, address, ONE);
    assert_ne!(take(&pool, OTHER), address, "from now on it is wanted");
    for _ in 0..100 {
        assert_eq!(take(&pool, ONE), address);
        give(&pool, address, ONE);
    }
    assert_eq!(pool.upstream().counts(), (1 + 8, 1 + 8, 0));
    pool.upstream().finish(ONE);
    assert_eq!(take(&pool, OTHER), address, "a mark is put that has passed already");
    assert_eq!(pool.upstream().counts(), (1 + 8 + 1, 1 + 8, 0), "by one that was put before");
}

#[test]
fn where_there_is_no_more_another_stream_waits_for_it() {
    let pool = pool(16 * MIB);
    let address = take(&pool, ONE);
    give(&pool, address, ONE);
    assert_eq!(take(&pool, OTHER), address, "`uses` says whether it is in order");
    assert_eq!(pool.upstream().counts().2, 1);
}

#[test]
fn a_device_that_refuses_marks_keeps_streams_apart() {
    let device = Device::new(AddressSpace::new());
    let pool = CachingPool::builder(device).preallocate(18 * MIB).limit(18 * MIB).build();
    let pool = pool.expect("there is room");
    // Prevents the release of the segment.
    pool.allocate(Request::new(MIB).on(OTHER)).expect("there is room");
    let address = take(&pool, ONE);
    pool.upstream().fail();
    give(&pool, address, ONE);
    pool.upstream().finish(ONE);
    pool.allocate(request(OTHER)).expect_err("nobody can say whether the work is done");
    assert_eq!(take(&pool, ONE), address);
}

#[test]
fn compaction_merges_what_different_streams_freed_when_their_work_is_done() {
    let pool = pool(64 * MIB);
    three_of_a_segment(&pool, pool.upstream());
    assert_eq!(pool.statistics().segments, 1, "all three lie side by side");
    let busy = pool.compact();
    pool.check().expect("the books agree");
    assert_eq!((busy.released, busy.unmovable), (0, 20 * MIB), "streams may still use it");
    for stream in [ONE, OTHER] {
        pool.upstream().finish(stream);
    }
    assert_eq!(pool.compact().unmovable, 0);
    assert_eq!(pool.statistics().reserved, 0);
}

#[test]
fn what_a_retired_stream_freed_is_anybodys() {
    let pool = pool(64 * MIB);
    let address = take(&pool, ONE);
    take(&pool, OTHER);
    give(&pool, address, ONE);
    pool.upstream().finish(ONE);
    pool.retire(ONE).expect("the device marks it");
    pool.check().expect("the books agree");
    assert_eq!(pool.upstream().counts(), (1, 1, 0), "the mark that passed at once");
    assert_eq!(take(&pool, OTHER), address);
    assert_eq!(pool.upstream().counts().0, 1, "nobody marks it any more");
    // A new stream may have the same number.
    pool.upstream().uses(address, 16 * MIB, ONE).expect("nobody gave it back");
    give(&pool, address, ONE);
    assert_ne!(take(&pool, OTHER), address);
    pool.upstream().finish(ONE);
    assert_eq!(take(&pool, OTHER), address);
}

#[test]
fn what_a_stream_freed_that_retires_too_early_is_not_given_out_before_its_work_is_done() {
    let pool = pool(64 * MIB);
    let address = take(&pool, ONE);
    give(&pool, address, ONE);
    let _ = pool.retire(ONE);
    let third = take(&pool, OTHER);
    assert_ne!(third, address);
    assert_ne!(take(&pool, ONE), address, "a new stream of that number knows nothing of its work");
    pool.upstream().finish(ONE);
    assert_eq!(take(&pool, OTHER), address);
}

#[test]
fn where_there_is_no_more_a_stream_waits_for_the_work_of_one_that_retired() {
    let pool = pool(16 * MIB);
    let address = take(&pool, ONE);
    give(&pool, address, ONE);
    pool.retire(ONE).expect("the device marks it");
    assert_eq!(take(&pool, OTHER), address, "`uses` says whether it is in order");
    assert_eq!(pool.upstream().counts(), (1, 1, 1));
}

#[test]
fn a_stream_that_the_device_refuses_to_mark_is_not_retired() {
    let pool = pool(64 * MIB);
    let address = take(&pool, ONE);
    give(&pool, address, ONE);
    pool.upstream().fail();
    pool.retire(ONE).expect_err("nobody can say whether the work is done");
    pool.check().expect("the books agree");
    assert_ne!(take(&pool, OTHER), address);
    assert_eq!(take(&pool, ONE), address, "it is still the pool's stream");
}

#[test]
fn a_dropped_pool_gives_back_what_retired_streams_and_ended_threads_still_work_on() {
    let device = Device::new(AddressSpace::new());
    let pool = CachingPool::builder(&device).build().expect("it needs nothing");
    // Three neighbouring blocks in one segment: a thread's, a retired stream's, and another
    // thread's.
    let small = |stream| Request::new(6 * MIB).on(stream);
    let mut blocks = Vec::new();
    for (thread, stream) in [(1 << 41, PER_THREAD), (1 << 41, ONE), (2 << 41, PER_THREAD)] {
        act_as_thread(thread);
        let address = pool.allocate(small(stream)).expect("there is room");
        device.finish_all();
        device.uses(address, 6 * MIB, stream).expect("it is in order");
        blocks.push((thread, address, stream));
    }
    for (thread, address, stream) in blocks {
        act_as_thread(thread);
        device.frees(address, 6 * MIB, stream);
        // SAFETY: it is allocated, and work that uses it comes earlier in the stream.
        unsafe { pool.deallocate(address, small(stream)) }.expect("it is allocated");
    }
    assert_eq!(pool.statistics().segments, 1, "all three lie side by side");
    pool.retire(ONE).expect("the device marks it");
    act_as_thread(3 << 41);
    assert_eq!(pool.empty_cache(), 0, "that makes no stream wait");
    drop(pool);
    assert_eq!((device.space.allocated(), device.violation()), (0, None));
    assert_eq!(device.counts().1, 0, "no mark is left");
}

#[test]
fn streams_that_no_thread_reaches_are_forgotten_once_their_work_is_done() {
    let pool = pool(1 << 40);
    for thread in 1..1000 {
        act_as_thread(thread << 41);
        let address = take(&pool, PER_THREAD);
        give(&pool, address, PER_THREAD);
        if thread % 3 == 0 {
            pool.upstream().finish_all();
        }
        if thread % 5 == 0 {
            give(&pool, take(&pool, ONE), ONE);
            pool.retire(ONE).expect("the device marks it");
        }
    }
    let queues = pool.books().order.len();
    assert!(queues <= 40, "{queues} streams are kept");
}

#[test]
fn a_dropped_pool_gives_back_what_several_streams_work_on_after_all_of_them() {
    let device = Device::new(AddressSpace::new());
    let pool = CachingPool::builder(&device).build().expect("it needs nothing");
    three_of_a_segment(&pool, &device);
    assert_eq!(pool.empty_cache(), 0, "that makes nobody wait");
    drop(pool);
    assert_eq!((device.space.allocated(), device.violation()), (0, None));
    assert!(device.counts().2 > 0);
}

#[test]
fn all_marks_go_back_with_the_pool() {
    let device = Device::new(AddressSpace::new());
    let pool = CachingPool::builder(&device).build().expect("it needs nothing");
    for stream in [ONE, OTHER, PER_THREAD] {
        let address = pool.allocate(request(stream)).expect("there is room");
        // SAFETY: it was just allocated for this request, and nothing uses it.
        unsafe { pool.deallocate(address, request(stream)) }.expect("it is allocated");
    }
    assert!(device.counts().1 > 0);
    drop(pool);
    assert_eq!(device.counts().1, 0);
}
