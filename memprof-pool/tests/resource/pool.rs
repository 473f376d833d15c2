//! Tests that a pool reuses, splits, merges and counts blocks.

use crate::{KIB, MIB, allocate, free};
use memprof_pool::{
    Address, AddressSpace, CachingPool, DeallocationError, HostUpstream, MemoryResource,
    PoolSource, Request, Stream,
};
use memprof_profile::source::Source;
use memprof_profile::tree::{Device, Origin};
use std::sync::Arc;

fn pool() -> CachingPool<AddressSpace> {
    CachingPool::builder(AddressSpace::new()).build().expect("it needs nothing")
}

#[test]
fn the_smallest_block_that_fits_is_used() {
    let pool = pool();
    let blocks = [400, 200, 300].map(|kib| {
        // A small allocated block between them prevents merging.
        let block = allocate(&pool, kib * KIB);
        allocate(&pool, KIB);
        (block, Request::new(kib * KIB))
    });
    for (address, request) in blocks {
        free(&pool, address, request).expect("it is allocated");
    }
    assert_eq!(allocate(&pool, 250 * KIB), blocks[2].0);
    assert_eq!(allocate(&pool, 150 * KIB), blocks[1].0);
    pool.check().expect("the pool is consistent");
}

#[test]
fn the_rest_of_a_block_is_free_and_free_neighbours_merge() {
    let pool = pool();
    let whole = allocate(&pool, MIB);
    free(&pool, whole, Request::new(MIB)).expect("it is allocated");
    let parts = [0, 1, 2, 3].map(|part| {
        let address = allocate(&pool, 256 * KIB);
        assert_eq!(address.0, whole.0 + part * 256 * KIB);
        address
    });
    for part in [1, 3, 0, 2] {
        free(&pool, parts[part], Request::new(256 * KIB)).expect("it is allocated");
        pool.check().expect("the pool is consistent");
    }
    assert_eq!(allocate(&pool, MIB), whole);
    assert_eq!(pool.upstream().calls(), 1);
    assert_eq!(pool.statistics().largest_free, MIB);
}

#[test]
fn adjacent_segments_are_not_merged() {
    let pool = pool();
    let [first, second] = [allocate(&pool, 16 * MIB), allocate(&pool, 16 * MIB)];
    assert_eq!(second.0 - first.0, 16 * MIB);
    for address in [first, second] {
        free(&pool, address, Request::new(16 * MIB)).expect("it is allocated");
    }
    assert_eq!(pool.statistics().largest_free, 16 * MIB);
    assert_eq!(pool.statistics().segments, 2);
}

#[test]
fn blocks_have_the_requested_alignment() {
    let pool = pool();
    allocate(&pool, 512);
    for alignment in [1, 256, 4096, 1 << 16] {
        let address = pool.allocate(Request::new(1000).aligned(alignment)).expect("there is room");
        assert_eq!(address.0 % alignment, 0);
        pool.check().expect("the pool is consistent");
    }
    assert_eq!(pool.upstream().calls(), 1);
    assert!(pool.allocate(Request::new(1000).aligned(3)).is_err());
}

#[test]
fn without_streams_in_the_upstream_stream_handles_are_ignored() {
    let pool = pool();
    let request = Request::new(MIB).on(Stream(1));
    let address = pool.allocate(request).expect("there is room");
    free(&pool, address, request.on(Stream(2))).expect("it is allocated");
    assert_eq!(pool.allocate(request.on(Stream(3))).expect("there is room"), address);
    pool.retire(Stream(2)).expect("there is nothing to mark");
    pool.check().expect("the pool is consistent");
}

#[test]
fn wrong_frees_are_errors_and_free_nothing() {
    let pool = pool();
    let request = Request::new(1000);
    let address = allocate(&pool, 1000);
    let inside = Address(address.0 + 512);
    let outside = Address(7);
    assert_eq!(free(&pool, outside, request), Err(DeallocationError::Foreign(outside)));
    assert_eq!(free(&pool, inside, request), Err(DeallocationError::Foreign(inside)));
    let other = Request::new(1001);
    let mismatch = DeallocationError::Mismatch { address, allocated: request, deallocated: other };
    assert_eq!(free(&pool, address, other), Err(mismatch));
    assert_eq!(pool.statistics().requested, 1000);
    free(&pool, address, request).expect("it is allocated");
    assert_eq!(free(&pool, address, request), Err(DeallocationError::Twice(address)));
    assert_eq!(
        mismatch.to_string(),
        format!(
            "{address} was allocated as 1000 bytes aligned to 256 and deallocated as 1001 aligned \
             to 256"
        )
    );
}

#[test]
fn statistics_have_the_documented_values() {
    let pool = pool();
    assert_eq!(pool.statistics().hit_rate(), None);
    assert_eq!(pool.statistics().cached_share(), None);
    assert_eq!(pool.statistics().fragmentation(), None);
    assert_eq!(pool.statistics().internal_waste_share(), None);
    let kept = [1000, 2000].map(|bytes| allocate(&pool, bytes));
    allocate(&pool, 12 * MIB);
    free(&pool, kept[0], Request::new(1000)).expect("it is allocated");
    let found = pool.statistics();
    assert_eq!((found.reserved, found.segments), (14 * MIB, 2));
    assert_eq!((found.allocated, found.requested), (12 * MIB + 2048, 12 * MIB + 2000));
    assert_eq!(found.internal_waste(), 48);
    assert_eq!(found.cached, 2 * MIB - 2048);
    assert_eq!((found.active, found.inactive), (found.allocated, found.cached));
    assert_eq!((found.allocations, found.frees, found.hits), (3, 1, 1));
    assert_eq!(found.hit_rate(), Some(1.0 / 3.0));
    assert_eq!(found.largest_free, 2 * MIB - 3072);
    assert_eq!(found.peak_allocated, 12 * MIB + 3072);
    assert_eq!(found.cached_share(), Some(2_095_104.0 / 14_680_064.0));
    assert_eq!(found.fragmentation(), Some(2_095_104.0 / 14_680_064.0), "no segment is idle");
    pool.reset_peaks();
    assert_eq!(pool.statistics().peak_allocated, 12 * MIB + 2048);
}

#[test]
fn the_leaves_of_the_source_add_up_to_the_reserved_bytes() {
    let pool = CachingPool::builder(AddressSpace::new()).name("activations").build();
    let pool = Arc::new(pool.expect("it needs nothing"));
    let mut source = PoolSource::new(Arc::clone(&pool));
    let kept = allocate(&pool, 1000);
    let passing = allocate(&pool, 12 * MIB);
    free(&pool, passing, Request::new(12 * MIB)).expect("it is allocated");
    let profile = source.read().expect("it can always be read");
    assert_eq!(source.name(), "activations");
    let expected = "activations;allocated;requested 1000\n\
                    activations;allocated;rounding 24\n\
                    activations;cached;releasable 12582912\n\
                    activations;cached;used_segments 2096128\n";
    let mut lines: Vec<String> = profile.to_folded().lines().map(str::to_owned).collect();
    lines.sort();
    assert_eq!(lines.join("\n") + "\n", expected);
    assert_eq!(profile.total_bytes(), pool.statistics().reserved);
    assert_eq!(
        (profile.origin(), profile.devices()),
        (Origin::Counters, vec![(Device::Cpu, 14 * MIB)])
    );
    let gauges = source.gauges();
    let gauge =
        |name: &str| gauges.iter().find(|one| one.name == name).map(|one| one.value.clone());
    assert_eq!(gauge("peak allocated"), Some(Ok(12 * MIB + 1024)));
    assert_eq!(gauge("cache hit rate"), Some(Ok(0)));
    free(&pool, kept, Request::new(1000)).expect("it is allocated");
    pool.empty_cache();
    let empty = source.read().expect("it can always be read");
    assert_eq!(empty.total_bytes(), 0);
    let nothing = source.gauges().into_iter().find(|one| one.name == "fragmentation");
    assert!(nothing.expect("there is a gauge").value.is_err(), "the ratio is undefined");
}

#[test]
fn host_memory_is_writable_and_does_not_overlap() {
    let pool = CachingPool::builder(HostUpstream).build().expect("it needs nothing");
    let blocks = [100, 5000, 3 * MIB, 700].map(|bytes| {
        let address = allocate(&pool, bytes);
        let block: *mut u8 = std::ptr::with_exposed_provenance_mut(address.0 as usize);
        // SAFETY: the block was allocated for `bytes` bytes.
        unsafe { block.write_bytes(bytes as u8, bytes as usize) };
        (address, bytes)
    });
    for (address, bytes) in blocks {
        let block: *const u8 = std::ptr::with_exposed_provenance(address.0 as usize);
        // SAFETY: the whole block was written, and it is still allocated.
        let written = unsafe { std::slice::from_raw_parts(block, bytes as usize) };
        assert!(written.iter().all(|byte| *byte == bytes as u8));
        free(&pool, address, Request::new(bytes)).expect("it is allocated");
    }
}
