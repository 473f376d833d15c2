//! Tests of the sizes, and tests that the check finds each fault that a test puts into the state.

use super::{Block, GRANULE, PoolState, Usage, block_size, segment_size};
use crate::{AddressSpace, CachingPool, MemoryResource, Request};

const MIB: u64 = 1 << 20;

/// Creates a pool with one segment, whose first block is allocated and whose rest is free.
fn pool() -> CachingPool<AddressSpace> {
    let pool = CachingPool::builder(AddressSpace::new()).build().expect("it needs nothing");
    pool.allocate(Request::new(3 * MIB)).expect("there is room");
    pool.check().expect("the pool is consistent");
    pool
}

/// Returns the addresses of the allocated block and of the free one.
fn blocks(state: &PoolState) -> [u64; 2] {
    let used = *state.segments.keys().next().expect("there is a segment");
    [used, state.next(used).expect("the rest is free")]
}

/// A change that makes the state inconsistent.
type Fault = fn(&mut PoolState);

#[test]
fn each_fault_in_the_state_is_found() {
    let faults: [(Fault, &str); 11] = [
        (
            |state| {
                let [_, rest] = blocks(state);
                state.free.remove(rest, &state.blocks[&rest]);
            },
            "are in free lists",
        ),
        (
            |state| {
                let [used, _] = blocks(state);
                state.free.insert(used, &state.blocks[&used]);
            },
            "is listed but not free",
        ),
        (
            |state| {
                let [_, rest] = blocks(state);
                let block = state.remove_free(rest);
                let block = Block { bytes: block.bytes + GRANULE, ..block };
                state.add_free(rest - GRANULE, block);
            },
            "is missing",
        ),
        (
            |state| {
                let [_, rest] = blocks(state);
                let block = Block { previous: None, ..state.blocks[&rest] };
                state.blocks.insert(rest, block);
            },
            "is not linked to the previous one",
        ),
        (
            |state| {
                let [_, rest] = blocks(state);
                let block = state.remove_free(rest);
                state.add_free(rest, Block { bytes: MIB, ..block });
                let (bytes, previous) = (block.bytes - MIB, Some(rest));
                state.add_free(rest + MIB, Block { previous, bytes, ..block });
            },
            "is free next to a free block",
        ),
        (|state| state.counts.reserved += GRANULE, "reserved: "),
        (|state| state.counts.allocated -= GRANULE, "allocated: "),
        (|state| state.counts.releasable += GRANULE, "releasable bytes are counted wrong"),
        (
            |state| state.segments.values_mut().for_each(|segment| segment.used += 1),
            "wrong number of used blocks",
        ),
        (
            |state| {
                let [used, _] = blocks(state);
                let request = Request::new(4 * MIB);
                let block = Block { usage: Usage::Allocated(request), ..state.blocks[&used] };
                state.blocks.insert(used, block);
            },
            "is smaller than its request",
        ),
        (|state| state.idle.extend([(false, 0, blocks(state)[0])]), "idle list"),
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

#[test]
fn sizes_are_those_of_pytorch() {
    for (bytes, size, segment) in [
        (0, 512, 2 * MIB),
        (1, 512, 2 * MIB),
        (513, 1024, 2 * MIB),
        (MIB, MIB, 2 * MIB),
        (MIB + 1, MIB + 512, 20 * MIB),
        (10 * MIB - 512, 10 * MIB - 512, 20 * MIB),
        (10 * MIB, 10 * MIB, 10 * MIB),
        (11 * MIB, 11 * MIB, 12 * MIB),
    ] {
        assert_eq!(block_size(bytes), Some(size), "{bytes}");
        assert_eq!(segment_size(size), Some(segment), "{bytes}");
    }
    assert_eq!(block_size(u64::MAX), None);
}
