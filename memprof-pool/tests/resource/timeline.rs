//! Tests of the events that a timeline keeps.

use crate::{MIB, allocate, free};
use memprof_pool::{Action, AddressSpace, CachingPool, MemoryResource, Request, Stream};

#[test]
fn a_pool_records_its_allocations_and_its_segments() {
    let pool = CachingPool::builder(AddressSpace::new()).record(100).limit(30 * MIB).build();
    let pool = pool.expect("it needs nothing");
    let request = Request::new(12 * MIB - 100).on(Stream(7));
    let address = pool.allocate(request).expect("there is room");
    free(&pool, address, request).expect("it is allocated");
    pool.empty_cache();
    assert!(pool.allocate(Request::new(31 * MIB)).is_err());
    let timeline = pool.timeline().expect("it records");
    let events = timeline.events();
    let recorded_events: Vec<_> = events
        .iter()
        .map(|event| (event.action, event.bytes, event.held.allocated, event.held.reserved))
        .collect();
    let (requested, block) = (request.bytes, 12 * MIB);
    assert_eq!(
        recorded_events,
        [
            (Action::SegmentAllocate, block, 0, block),
            (Action::Allocate, requested, block, block),
            (Action::Free, requested, 0, block),
            (Action::SegmentFree, block, 0, 0),
            (Action::OutOfMemory, 31 * MIB, 0, 0),
        ]
    );
    assert!(events.iter().all(|event| event.site.file() == file!()));
    assert!(events.windows(2).all(|pair| pair[0].at_ns <= pair[1].at_ns));
    assert_eq!((events[1].stream, events[1].address), (Stream(7), Some(address)));
    assert_eq!((events[1].held.requested, events[2].held.releasable), (requested, block));
    assert_eq!(events[4].address, None);
    assert_eq!(timeline.out_of_memory(), events[4..]);
    let actions: Vec<&str> = events.iter().map(|event| event.action.as_str()).collect();
    assert_eq!(actions, ["segment_alloc", "alloc", "free", "segment_free", "oom"]);
}

#[test]
fn the_record_is_bounded_and_keeps_each_peak() {
    let pool = CachingPool::builder(AddressSpace::new()).preallocate(2 * MIB).record(64).build();
    let pool = pool.expect("there is room");
    let peak_at = 7777;
    for round in 0..10_000_u64 {
        // The peak is in only one of 20,000 events.
        let bytes = if round == peak_at { 1000 } else { round % 10 + 1 };
        let bytes = 512 * bytes;
        let address = allocate(&pool, bytes);
        free(&pool, address, Request::new(bytes)).expect("it is allocated");
    }
    let timeline = pool.timeline().expect("it records");
    let (events, points) = (timeline.events(), timeline.points());
    // The first event is the preallocation.
    assert_eq!((timeline.event_count(), events.len()), (20_001, 64));
    assert_eq!(events[63].index, 20_000);
    assert!((16..=65).contains(&points.len()), "{}", points.len());
    assert!(points.windows(2).all(|pair| pair[0].index < pair[1].index));
    let peak = points.iter().max_by_key(|event| event.held.allocated).expect("there are points");
    assert_eq!((peak.index, peak.held.allocated), (2 * peak_at + 1, 512_000));
    assert_eq!(points.last().expect("there are points").index, 20_000);
    let gaps = points.windows(2).map(|pair| pair[1].index - pair[0].index);
    assert!(gaps.max() <= Some(2048), "they are spread over all of the time");
}

#[test]
fn peaks_of_reserved_and_of_allocated_bytes_are_kept() {
    let pool = CachingPool::builder(AddressSpace::new()).record(16).build().expect("a pool");
    allocate(&pool, MIB);
    let passing = [allocate(&pool, 40 * MIB), allocate(&pool, 50 * MIB)];
    free(&pool, passing[0], Request::new(40 * MIB)).expect("it is allocated");
    allocate(&pool, 60 * MIB);
    for (address, mib) in passing.into_iter().zip([40, 50]).skip(1) {
        free(&pool, address, Request::new(mib * MIB)).expect("it is allocated");
    }
    pool.empty_cache();
    for _ in 0..1000 {
        let address = allocate(&pool, 512);
        free(&pool, address, Request::new(512)).expect("it is allocated");
    }
    let points = pool.timeline().expect("it records").points();
    let most =
        |bytes: fn(&memprof_pool::Held) -> u64| points.iter().map(|event| bytes(&event.held)).max();
    let statistics = pool.statistics();
    assert_eq!(most(|held| held.reserved), Some(statistics.peak_reserved));
    assert_eq!(most(|held| held.allocated), Some(statistics.peak_allocated));
}

#[test]
fn the_first_64_refusals_are_kept() {
    let pool = CachingPool::builder(AddressSpace::new().with_capacity(10)).record(4).build();
    let pool = pool.expect("it needs nothing");
    for bytes in 11..111 {
        assert!(pool.allocate(Request::new(bytes)).is_err());
    }
    assert!(pool.allocate(Request::new(5).aligned(3)).is_err(), "that is not out of memory");
    let timeline = pool.timeline().expect("it records");
    let refused = timeline.out_of_memory();
    assert_eq!((refused.len(), refused[0].bytes, refused[63].bytes), (64, 11, 74));
    assert_eq!(timeline.event_count(), 100);
}
