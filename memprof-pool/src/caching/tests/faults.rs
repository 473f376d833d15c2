//! Tests that the check finds each fault that a test puts into the state.

use crate::caching::state::{GRANULE, PoolState};
use crate::{AddressSpace, CachingPool, MemoryResource, Request};

const MIB: u64 = 1 << 20;

/// Creates a pool with one segment, whose first block is allocated and whose rest is free.
fn pool() -> CachingPool<AddressSpace> {
    let pool = CachingPool::builder(AddressSpace::new()).build().expect("it needs nothing");
    pool.allocate(Request::new(3 * MIB)).expect("there is room");
    pool.check().expect("the pool is consistent");
    pool
}

/// Returns the allocated block and the free one.
fn blocks(state: &PoolState) -> [u32; 2] {
    let used = state.allocated.values().next().expect("one is allocated");
    [*used, state.blocks[*used].next.expect("the rest is free")]
}

/// A change that makes the state inconsistent.
type Fault = fn(&mut PoolState);

#[test]
fn each_fault_in_the_state_is_found() {
    let faults: [(Fault, &str); 9] = [
        (|state| state.unlist(blocks(state)[1]), "are in free lists"),
        (|state| state.list(blocks(state)[0]), "is listed but not free"),
        (
            |state| {
                let [_, rest] = blocks(state);
                state.blocks[rest].address -= GRANULE;
                state.blocks[rest].bytes += GRANULE;
            },
            "does not begin at the end of the previous one",
        ),
        (
            |state| {
                let [_, rest] = blocks(state);
                state.unlist(rest);
                let second = state.split(rest, MIB);
                state.list(rest);
                state.list(second);
            },
            "is free next to a free block",
        ),
        (|state| state.counts.reserved += GRANULE, "reserved: "),
        (|state| state.counts.allocated -= GRANULE, "allocated: "),
        (|state| state.counts.releasable += GRANULE, "releasable bytes are counted wrong"),
        (|state| state.segments[0].used += 1, "wrong number of used blocks"),
        (|state| state.allocated.clear(), "is allocated but not in the map of addresses"),
    ];
    for (fault, expected) in faults {
        let pool = pool();
        fault(&mut pool.state());
        let problem = pool.check().expect_err(expected);
        // A pool with an inconsistent state can't be dropped.
        core::mem::forget(pool);
        assert!(problem.contains(expected), "{problem}, expected {expected}");
    }
}

#[test]
fn an_exceeded_limit_is_found() {
    let pool = pool();
    let problem = pool.state().check(Some(MIB)).expect_err("20 MiB are reserved");
    assert_eq!(problem, "the limit is exceeded");
}
