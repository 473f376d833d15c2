//! Tests of the callback for a shortage of memory.

use crate::{MIB, allocate, free};
use memprof_pool::{Address, AddressSpace, CachingPool, MemoryResource, Request};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, OnceLock};

type Pool = CachingPool<AddressSpace>;

#[test]
fn a_request_succeeds_after_the_callback_frees_memory() {
    let (pool, held) = (Arc::new(OnceLock::<Pool>::new()), Arc::new(Mutex::new(Vec::new())));
    let (inside, to_free): (_, Arc<Mutex<Vec<Address>>>) = (Arc::clone(&pool), Arc::clone(&held));
    let built =
        CachingPool::builder(AddressSpace::new()).limit(48 * MIB).on_pressure(move |found| {
            // The callback uses the pool, which would deadlock if the pool were locked.
            let pool = inside.get().expect("it was built before it was used");
            assert_eq!((found.limit, found.request.bytes), (Some(48 * MIB), 32 * MIB));
            assert_eq!((found.reserved, found.cached), (pool.statistics().reserved, 0));
            let cached = to_free.lock().expect("not poisoned").pop();
            cached.is_some_and(|address| free(pool, address, Request::new(16 * MIB)).is_ok())
        });
    let pool = pool.get_or_init(|| built.build().expect("it needs nothing"));
    let blocks = [0, 1, 2].map(|_| allocate(pool, 16 * MIB));
    held.lock().expect("not poisoned").extend(blocks);
    let address = pool.allocate(Request::new(32 * MIB));
    address.expect("two blocks were freed, and their segments went back");
    assert_eq!(held.lock().expect("not poisoned").len(), 1);
    assert_eq!(pool.statistics().out_of_memory, 0);
}

#[test]
fn a_callback_that_always_returns_true_is_called_16_times() {
    let calls = Arc::new(AtomicU32::new(0));
    let counted = Arc::clone(&calls);
    let pool = CachingPool::builder(AddressSpace::new())
        .limit(MIB)
        .on_pressure(move |found| counted.fetch_add(1, Ordering::Relaxed) + 1 == found.attempt);
    let pool = pool.build().expect("it needs nothing");
    assert!(pool.allocate(Request::new(2 * MIB)).is_err());
    assert_eq!(calls.load(Ordering::Relaxed), 16);
    assert_eq!(pool.statistics().out_of_memory, 1);
}

#[test]
fn the_callback_is_not_called_for_other_errors() {
    let pool = CachingPool::builder(AddressSpace::new()).on_pressure(|_| panic!("it is called"));
    let pool = pool.build().expect("it needs nothing");
    assert!(pool.allocate(Request::new(8).aligned(7)).is_err());
    allocate(&pool, MIB);
}

#[test]
fn a_request_succeeds_after_the_cache_is_released_to_the_upstream() {
    let space = AddressSpace::new().failing_at(3);
    let pool = CachingPool::builder(space).build().expect("it needs nothing");
    for bytes in [12 * MIB, 16 * MIB] {
        let address = allocate(&pool, bytes);
        free(&pool, address, Request::new(bytes)).expect("it is allocated");
    }
    allocate(&pool, 40 * MIB);
    assert_eq!(pool.statistics().reserved, 40 * MIB);
    assert_eq!(pool.upstream().calls(), 4);
}
