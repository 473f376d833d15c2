//! A pool with fixed size classes has the statistics that follow from `PyTorch`'s documented rules.

use crate::{MIB, free};
use memprof_pool::{AddressSpace, CachingPool, MemoryResource, Request};
use std::collections::HashMap;

/// An action, with the number of its block.
#[derive(Clone, Copy, Debug)]
enum Action {
    Allocate(u8, u64),
    Free(u8),
    EmptyCache,
}

use Action::{Allocate, EmptyCache, Free};

/// Blocks are multiples of 512 bytes. Segments are 2 MiB, 20 MiB or a multiple of 2 MiB large. A
/// large block is split if the rest exceeds 1 MiB.
#[test]
fn statistics_follow_the_documented_rules_of_pytorch() {
    // Each action, and the bytes that are then allocated, reserved, requested and in the free rests
    // of split segments, and the number of segments.
    let steps = [
        (Allocate(1, 1000), [1024, 2 * MIB, 1000, 2 * MIB - 1024, 1]),
        (Allocate(2, MIB), [MIB + 1024, 2 * MIB, MIB + 1000, MIB - 1024, 1]),
        // The size is just above that of a small block, so the block gets a middle segment.
        (Allocate(3, MIB + 1), [2 * MIB + 1536, 22 * MIB, 2 * MIB + 1001, 20 * MIB - 1536, 2]),
        // The block has its own segment, which is not split because the rest is below 1 MiB.
        (
            Allocate(4, 21 * MIB + 1),
            [24 * MIB + 1536, 44 * MIB, 23 * MIB + 1002, 20 * MIB - 1536, 3],
        ),
        (Free(4), [2 * MIB + 1536, 44 * MIB, 2 * MIB + 1001, 20 * MIB - 1536, 3]),
        // The best fit is the rest of the middle segment, because it is smaller than the free
        // segment.
        (Allocate(5, 12 * MIB), [14 * MIB + 1536, 44 * MIB, 14 * MIB + 1001, 8 * MIB - 1536, 3]),
        (Free(5), [2 * MIB + 1536, 44 * MIB, 2 * MIB + 1001, 20 * MIB - 1536, 3]),
        (EmptyCache, [2 * MIB + 1536, 22 * MIB, 2 * MIB + 1001, 20 * MIB - 1536, 2]),
        (Free(3), [MIB + 1024, 22 * MIB, MIB + 1000, MIB - 1024, 2]),
    ];
    let pool = CachingPool::builder(AddressSpace::new());
    let pool = pool.build().expect("it needs nothing");
    let mut blocks = HashMap::new();
    for (action, expected) in steps {
        match action {
            Allocate(block, bytes) => {
                let request = Request::new(bytes);
                let address = pool.allocate(request).expect("there is room");
                blocks.insert(block, (address, request));
            }
            Free(block) => {
                let (address, request) = blocks.remove(&block).expect("it is allocated");
                free(&pool, address, request).expect("it is allocated");
            }
            EmptyCache => drop(pool.empty_cache()),
        }
        let found = pool.statistics();
        let inactive_split = found.cached - found.releasable;
        let found =
            [found.allocated, found.reserved, found.requested, inactive_split, found.segments];
        assert_eq!(found, expected, "after {action:?}");
    }
}
