//! Tests of a pool's limit, and of the memory that it preallocates.

use crate::{GIB, MIB, allocate, free};
use memprof_pool::{AddressSpace, CachingPool, MemoryResource, PoolError, Request};
use memprof_profile::testing::Budget;

#[test]
fn a_pool_has_no_limit_by_default() {
    let pool = CachingPool::builder(AddressSpace::new().with_capacity(80 * GIB)).build();
    let pool = pool.expect("it needs nothing");
    assert_eq!((pool.limit(), pool.capacity()), (None, Some(80 * GIB)));
    allocate(&pool, 79 * GIB);
}

#[test]
fn limits_are_texts_amounts_bytes_or_fractions() {
    let builder = || CachingPool::builder(AddressSpace::new().with_capacity(GIB));
    for (builder, expected) in [
        (builder().limit("2 GiB"), 2 * GIB),
        (builder().limit(Budget::of_bytes(MIB)), MIB),
        (builder().limit(4096), 4096),
        (builder().limit(4096_u32), 4096),
        (builder().limit(4096_usize), 4096),
        (builder().limit_to_fraction(1.0), GIB),
        (builder().limit("2 GiB").limit_to_fraction(0.25), GIB / 4),
    ] {
        let shown = format!("{builder:?}");
        let pool = builder.build().expect("it is an amount, and nothing is reserved");
        assert_eq!(pool.limit(), Some(expected), "{shown}");
    }
    for part in [0.0, -1.0, 1.1, f64::NAN, f64::INFINITY] {
        let pool = builder().limit_to_fraction(part).build();
        assert!(matches!(pool, Err(PoolError::Fraction(_))), "{part}");
    }
    let unknown = CachingPool::builder(AddressSpace::new()).limit_to_fraction(0.5).build();
    assert!(matches!(unknown, Err(PoolError::NoCapacity)));
    let error = CachingPool::builder(AddressSpace::new()).limit("2 Gib").build();
    let error = error.expect_err("there is no such unit");
    let cause = std::error::Error::source(&error).expect("the text has one").to_string();
    assert!(cause.contains("did you mean \"GiB\""), "{cause}");
}

#[test]
fn a_limit_can_be_used_up_with_any_size_of_segments() {
    // A middle segment is 20 MiB large, and a small one is 2 MiB large.
    for limit in [MIB, 3 * MIB, 10 * MIB, 10 * MIB + 512, 23 * MIB] {
        let pool = CachingPool::builder(AddressSpace::new()).limit(limit).build().expect("a pool");
        let request = Request::new(limit);
        let address = pool.allocate(request).expect("so much is allowed");
        assert!(pool.allocate(Request::new(1)).is_err(), "{limit}");
        free(&pool, address, request).expect("it is allocated");
        // The cached segment takes up the whole limit. It does not prevent allocations of other
        // sizes either.
        allocate(&pool, limit / 2);
        allocate(&pool, limit / 4);
        pool.check().expect("the pool is consistent");
    }
}

#[test]
fn cached_segments_are_released_before_a_request_fails_at_the_limit() {
    let pool = CachingPool::builder(AddressSpace::new()).limit(64 * MIB).build().expect("a pool");
    let sizes = [20 * MIB, 24 * MIB, 16 * MIB];
    for bytes in sizes {
        let address = allocate(&pool, bytes);
        free(&pool, address, Request::new(bytes)).expect("it is allocated");
    }
    allocate(&pool, 60 * MIB);
    assert_eq!(pool.statistics().reserved, 60 * MIB);
    assert_eq!(pool.statistics().hits, 1, "the first block served the last");
}

#[test]
fn a_pool_preallocates_and_serves_all_sizes_from_that() {
    let pool = CachingPool::builder(AddressSpace::new()).preallocate("1 GiB").limit("1 GiB");
    let pool = pool.build().expect("there is room");
    assert_eq!((pool.statistics().reserved, pool.statistics().allocations), (GIB, 0));
    for bytes in [1, 4096, 3 * MIB, 100 * MIB] {
        allocate(&pool, bytes);
        pool.check().expect("the pool is consistent");
    }
    assert_eq!(pool.upstream().calls(), 1);
    assert_eq!(pool.statistics().hit_rate(), Some(1.0));
    // The pool releases preallocated memory if needed, so a request can use the whole limit.
    let pool = CachingPool::builder(AddressSpace::new()).preallocate("10 MiB").limit("16 MiB");
    let pool = pool.build().expect("there is room");
    allocate(&pool, 16 * MIB);
}

#[test]
fn a_failed_preallocation_is_an_error_with_its_cause() {
    let space = AddressSpace::new().with_capacity(GIB);
    let error = CachingPool::builder(space).preallocate(2 * GIB).build().expect_err("too much");
    assert!(matches!(error, PoolError::Preallocation(_)));
    assert!(std::error::Error::source(&error).is_some());
    let over = CachingPool::builder(AddressSpace::new()).preallocate("3 MiB").limit("2 MiB");
    assert!(matches!(over.build(), Err(PoolError::Preallocation(_))));
    let exact = CachingPool::builder(AddressSpace::new()).preallocate("3 MiB").limit("3 MiB");
    assert_eq!(exact.build().expect("it fits").statistics().reserved, 3 * MIB);
}

#[test]
fn out_of_memory_has_the_pools_bytes() {
    let pool = CachingPool::builder(AddressSpace::new()).limit("40 MiB").build().expect("a pool");
    let blocks = [0, 1, 2].map(|_| allocate(&pool, 6 * MIB));
    free(&pool, blocks[1], Request::new(6 * MIB)).expect("it is allocated");
    let error = pool.allocate(Request::new(30 * MIB)).expect_err("there is not so much");
    assert_eq!(
        error.to_string(),
        "out of address space memory: 31457280 bytes were requested, largest free block 6291456, \
         reserved 20971520, cached 8388608, limit 41943040"
    );
    assert_eq!(pool.statistics().out_of_memory, 1);
    let error = pool.allocate(Request::new(u64::MAX)).expect_err("there is no such number");
    assert!(error.is_out_of_memory());
}
