//! Tests in which eight threads use one resource at the same time.

use crate::{KIB, MIB, free};
use memprof_pool::{
    AddressSpace, CachingPool, Limiting, MemoryResource, Request, Statistics, Tracking,
};
use std::sync::Barrier;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;

const THREADS: u64 = 8;

#[test]
fn eight_threads_stay_below_the_limit_and_free_everything() {
    let limit = 40 * MIB;
    let pool = CachingPool::builder(AddressSpace::new()).build().expect("a pool");
    let memory = Tracking::new(Limiting::new(Statistics::new(pool), limit).expect("an amount"));
    let (refused, barrier) = (AtomicU64::new(0), Barrier::new(THREADS as usize));
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (memory, refused, barrier) = (&memory, &refused, &barrier);
            scope.spawn(move || {
                barrier.wait();
                let mut held = Vec::new();
                for round in 0..2000 {
                    let bytes = (thread * 977 + round * 1_299_709) % (3 * MIB) + 1;
                    let request = Request::new(bytes);
                    match memory.allocate(request) {
                        Ok(address) => held.push((address, request)),
                        Err(error) => {
                            assert!(error.is_out_of_memory(), "{error}");
                            refused.fetch_add(1, Ordering::Relaxed);
                        }
                    }
                    assert!(memory.inner().allocated() <= limit);
                    if held.len() > 5 {
                        let (address, request) = held.swap_remove(round as usize % held.len());
                        free(memory, address, request).expect("it is allocated");
                    }
                }
                // All threads hold blocks now, even if they ran one after the other.
                barrier.wait();
                for (address, request) in held {
                    free(memory, address, request).expect("it is allocated");
                }
            });
        }
    });
    let counts = memory.inner().inner().counts();
    let refused = refused.into_inner();
    assert_eq!(memory.inner().allocated(), 0);
    assert!(refused > 0, "the limit was never reached");
    assert_eq!(counts.allocations.allocated + refused, THREADS * 2000);
    assert!(counts.bytes.peak.cast_unsigned() <= limit);
    assert_eq!((counts.bytes.current, counts.allocations.current), (0, 0));
    assert!(memory.outstanding().allocations.is_empty());
    let pool = memory.inner().inner().inner();
    pool.check().expect("the pool is consistent");
    let statistics = pool.statistics();
    assert_eq!(statistics.allocated, 0);
    assert_eq!(pool.empty_cache(), statistics.reserved);
    assert_eq!(pool.upstream().allocated(), 0);
}

#[test]
fn a_refused_request_does_not_fail_others() {
    let limited = Limiting::new(AddressSpace::new(), MIB).expect("an amount");
    let stop = AtomicU64::new(0);
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while stop.load(Ordering::Relaxed) == 0 {
                    limited.allocate(Request::new(2 * MIB)).expect_err("it is over the limit");
                }
            });
        }
        for _ in 0..20_000 {
            let request = Request::new(MIB);
            let address = limited.allocate(request).expect("nothing else is allocated");
            free(&limited, address, request).expect("it is allocated");
        }
        stop.store(1, Ordering::Relaxed);
    });
}

#[test]
fn a_pool_under_its_limit_serves_all_threads_and_stays_consistent() {
    let pool = CachingPool::builder(AddressSpace::new()).limit(64 * MIB).record(10_000).build();
    let memory = Tracking::new(Statistics::new(pool.expect("a pool")));
    let pool = memory.inner().inner();
    thread::scope(|scope| {
        for thread in 0..THREADS {
            let (memory, pool) = (&memory, &pool);
            scope.spawn(move || {
                for round in 0..500 {
                    let request = Request::new((thread + 1) * (round % 50 + 1) * KIB);
                    let address = memory.allocate(request).expect("there is room for all");
                    if round % 100 == 0 {
                        pool.compact();
                        pool.check().expect("the pool is consistent");
                    }
                    free(memory, address, request).expect("it is allocated");
                }
            });
        }
    });
    let statistics = pool.statistics();
    assert_eq!((statistics.allocations, statistics.frees), (THREADS * 500, THREADS * 500));
    assert_eq!(
        pool.timeline().expect("it records").points().last().map(|event| event.held.allocated),
        Some(0)
    );
}
