//! Tests of when segments go back to the upstream.

use crate::{GIB, MIB, free, take};
use memprof_pool::{
    Address, AddressSpace, Age, AllocationError, CachingPool, DeallocationError, Memory,
    MemoryResource, PoolBuilder, Request,
};
use std::sync::Arc;
use std::time::Duration;

fn builder() -> PoolBuilder<AddressSpace> {
    CachingPool::builder(AddressSpace::new())
}

/// Allocates `mib` MiB and frees them.
fn pass(pool: &impl MemoryResource, mib: u64) {
    let address = take(pool, mib * MIB);
    free(pool, address, Request::new(mib * MIB)).expect("it is allocated");
}

#[test]
fn emptying_the_cache_gives_back_all_that_is_not_used_in_part() {
    let pool = builder().build().expect("it needs nothing");
    let kept = take(&pool, 3 * MIB);
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
fn no_more_is_cached_than_may_be() {
    let pool = builder().cached_at_most("40 MiB").build().expect("it needs nothing");
    let blocks = [16, 20, 12].map(|mib| (take(&pool, mib * MIB), Request::new(mib * MIB)));
    let mut cached = Vec::new();
    for (address, request) in blocks {
        free(&pool, address, request).expect("it is allocated");
        cached.push(pool.statistics().cached / MIB);
    }
    assert_eq!(cached, [16, 36, 32], "the one that was idle the longest went back");
    assert_eq!(pool.upstream().allocated(), 32 * MIB);
    let error = builder().cached_at_most("2 GB/s").build().expect_err("that is no amount");
    assert!(error.to_string().contains("amount of memory"), "{error}");
}

#[test]
fn what_is_rarely_used_goes_back_after_so_many_operations() {
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
fn what_is_rarely_used_goes_back_after_some_time() {
    let pool = builder().release_after(Age::Time(Duration::from_hours(1))).build();
    let patient = pool.expect("it needs nothing");
    pass(&patient, 64);
    assert_eq!((patient.trim(), patient.statistics().reserved), (0, 64 * MIB));
    let pool = builder().release_after(Age::Time(Duration::ZERO)).build();
    let impatient = pool.expect("it needs nothing");
    pass(&impatient, 64);
    assert_eq!(impatient.statistics().reserved, 0);
}

#[test]
fn what_was_preallocated_stays_until_somebody_asks() {
    let pool = builder().preallocate(GIB).cached_at_most(MIB).release_after(Age::Operations(1));
    let pool = pool.build().expect("there is room");
    (0..5).for_each(|_| pass(&pool, 20));
    assert_eq!((pool.trim(), pool.statistics().reserved), (0, GIB));
    assert_eq!(pool.empty_cache(), GIB);
}

#[test]
fn compaction_says_what_it_could_not_move() {
    let pool = builder().build().expect("it needs nothing");
    let blocks = [0, 1, 2].map(|_| take(&pool, 6 * MIB));
    pass(&pool, 12);
    free(&pool, blocks[0], Request::new(6 * MIB)).expect("it is allocated");
    free(&pool, blocks[2], Request::new(6 * MIB)).expect("it is allocated");
    let done = pool.compact();
    assert_eq!((done.released, done.released_segments), (12 * MIB, 1));
    assert_eq!((done.unmovable, done.unmovable_segments), (14 * MIB, 1));
    pool.check().expect("the books agree");
}

/// An upstream that takes no memory back.
struct Stubborn(AddressSpace);

// SAFETY: it returns only memory of the address space.
unsafe impl MemoryResource for Stubborn {
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
fn what_the_upstream_does_not_take_back_stays_in_the_books_and_in_use() {
    let pool = CachingPool::builder(Stubborn(AddressSpace::new())).cached_at_most(MIB);
    let pool = pool.build().expect("it needs nothing");
    pass(&pool, 16);
    assert_eq!(pool.empty_cache(), 0);
    let found = pool.statistics();
    assert_eq!((found.reserved, found.refused), (16 * MIB, 2));
    pool.check().expect("the books agree");
    pass(&pool, 16);
    assert_eq!(pool.statistics().hits, 1);
}

#[test]
fn a_dropped_pool_gives_back_what_nobody_has() {
    let space = Arc::new(AddressSpace::new());
    let pool = CachingPool::builder(Arc::clone(&space)).build().expect("it needs nothing");
    pass(&pool, 12);
    let kept = take(&pool, 16 * MIB);
    pass(&pool, 20);
    drop(pool);
    assert_eq!(space.allocated(), 16 * MIB, "{kept} is still somebody's");
}
