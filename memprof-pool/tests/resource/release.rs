//! Tests of the conditions under which segments go back to the upstream.

use crate::{GIB, MIB, allocate, free};
use memprof_pool::{
    Address, AddressSpace, Age, AllocationError, CachingPool, DeallocationError, Memory,
    MemoryResource, PoolBuilder, Request,
};
use std::sync::Arc;
use std::time::Duration;

fn builder() -> PoolBuilder<AddressSpace> {
    CachingPool::builder(AddressSpace::new())
}

/// Allocates a block of `mib` MiB and frees it.
fn pass(pool: &impl MemoryResource, mib: u64) {
    let address = allocate(pool, mib * MIB);
    free(pool, address, Request::new(mib * MIB)).expect("it is allocated");
}

#[test]
fn empty_cache_releases_all_segments_without_allocated_blocks() {
    let pool = builder().build().expect("it needs nothing");
    let kept = allocate(&pool, 3 * MIB);
    pass(&pool, 4);
    pass(&pool, 32);
    assert_eq!(pool.statistics().releasable, 32 * MIB);
    assert_eq!(pool.empty_cache(), 32 * MIB);
    assert_eq!(pool.upstream().allocated(), 20 * MIB);
    free(&pool, kept, Request::new(3 * MIB)).expect("it is allocated");
    assert_eq!((pool.empty_cache(), pool.empty_cache()), (20 * MIB, 0));
    assert_eq!(pool.upstream().allocated(), 0);
}

#[test]
fn the_cache_limit_is_never_exceeded() {
    let pool = builder().cached_at_most("40 MiB").build().expect("it needs nothing");
    let blocks = [16, 20, 12].map(|mib| (allocate(&pool, mib * MIB), Request::new(mib * MIB)));
    let mut cached = Vec::new();
    for (address, request) in blocks {
        free(&pool, address, request).expect("it is allocated");
        cached.push(pool.statistics().cached / MIB);
    }
    assert_eq!(cached, [16, 36, 32], "the one that was idle the longest went back");
    assert_eq!(pool.upstream().allocated(), 32 * MIB);
    let error = builder().cached_at_most("2 GB/s").build().expect_err("that is not an amount");
    assert!(error.to_string().contains("amount of memory"), "{error}");
}

#[test]
fn idle_segments_are_released_after_a_number_of_operations() {
    let pool = builder().release_after(Age::Operations(10)).build().expect("it needs nothing");
    pass(&pool, 64);
    for _ in 0..4 {
        pass(&pool, 1);
        assert_eq!(pool.statistics().reserved, 66 * MIB);
    }
    pass(&pool, 1);
    assert_eq!(pool.statistics().reserved, 2 * MIB, "what is used often stays");
}

#[test]
fn idle_segments_are_released_after_a_time() {
    let pool = builder().release_after(Age::Time(Duration::from_secs(3600))).build();
    let by_time = pool.expect("it needs nothing");
    pass(&by_time, 64);
    assert_eq!((by_time.trim(), by_time.statistics().reserved), (0, 64 * MIB));
    let pool = builder().release_after(Age::Time(Duration::ZERO)).build();
    let without_delay = pool.expect("it needs nothing");
    pass(&without_delay, 64);
    assert_eq!(without_delay.statistics().reserved, 0);
}

#[test]
fn preallocated_memory_stays_until_empty_cache() {
    let pool = builder().preallocate(GIB).cached_at_most(MIB).release_after(Age::Operations(1));
    let pool = pool.build().expect("there is room");
    (0..5).for_each(|_| pass(&pool, 20));
    assert_eq!((pool.trim(), pool.statistics().reserved), (0, GIB));
    assert_eq!(pool.empty_cache(), GIB);
}

#[test]
fn compaction_reports_unmovable_bytes() {
    let pool = builder().build().expect("it needs nothing");
    let blocks = [0, 1, 2].map(|_| allocate(&pool, 6 * MIB));
    pass(&pool, 12);
    free(&pool, blocks[0], Request::new(6 * MIB)).expect("it is allocated");
    free(&pool, blocks[2], Request::new(6 * MIB)).expect("it is allocated");
    let done = pool.compact();
    assert_eq!((done.released, done.released_segments), (12 * MIB, 1));
    assert_eq!((done.unmovable, done.unmovable_segments), (14 * MIB, 1));
    pool.check().expect("the pool is consistent");
}

/// An upstream that takes no memory back.
struct RefusingUpstream(AddressSpace);

// SAFETY: the upstream returns only addresses of the address space.
unsafe impl MemoryResource for RefusingUpstream {
    fn memory(&self) -> Memory {
        Memory::AddressSpace
    }

    fn allocate(&self, request: Request) -> Result<Address, AllocationError> {
        self.0.allocate(request)
    }

    unsafe fn deallocate(&self, address: Address, _: Request) -> Result<(), DeallocationError> {
        Err(DeallocationError::Refused(address, 700))
    }
}

#[test]
fn a_segment_that_the_upstream_refuses_stays_reserved_and_usable() {
    let pool = CachingPool::builder(RefusingUpstream(AddressSpace::new())).cached_at_most(MIB);
    let pool = pool.build().expect("it needs nothing");
    pass(&pool, 16);
    assert_eq!(pool.empty_cache(), 0);
    let found = pool.statistics();
    assert_eq!((found.reserved, found.refused), (16 * MIB, 2));
    pool.check().expect("the pool is consistent");
    pass(&pool, 16);
    assert_eq!(pool.statistics().hits, 1);
}

#[test]
fn a_dropped_pool_releases_segments_without_allocated_blocks() {
    let space = Arc::new(AddressSpace::new());
    let pool = CachingPool::builder(Arc::clone(&space)).build().expect("it needs nothing");
    pass(&pool, 12);
    let kept = allocate(&pool, 16 * MIB);
    pass(&pool, 20);
    drop(pool);
    assert_eq!(space.allocated(), 16 * MIB, "{kept} is still allocated");
}
