//! Tests of the statistics that lead to advice about a pool.

use crate::{MIB, allocate, free};
use memprof_pool::{AddressSpace, CachingPool, Request};
use memprof_profile::report::Severity;

/// Creates a pool in which allocated blocks of `mib` MiB alternate with free ones of the same size.
fn fragmented(mib: u64, pairs: usize) -> CachingPool<AddressSpace> {
    let pool = CachingPool::builder(AddressSpace::new()).preallocate(2 * mib * MIB * pairs as u64);
    let pool = pool.build().expect("there is room");
    let blocks: Vec<_> = (0..2 * pairs).map(|_| allocate(&pool, mib * MIB)).collect();
    for block in blocks.into_iter().step_by(2) {
        free(&pool, block, Request::new(mib * MIB)).expect("it is allocated");
    }
    pool
}

fn rules(pool: &CachingPool<AddressSpace>) -> Vec<String> {
    let advice = pool.statistics().advice();
    advice.iter().map(|found| found.rule().to_owned()).collect()
}

#[test]
fn fragmentation_is_reported_above_30_percent_with_64_mib_free() {
    let pool = fragmented(16, 4);
    assert_eq!(pool.statistics().fragmentation(), Some(0.5));
    let advice = pool.statistics().advice();
    assert_eq!((advice[0].rule(), advice[0].severity()), ("fragmentation", Severity::Warning));
    assert_eq!(
        advice[0].evidence(),
        "64.0 MiB of 128.0 MiB in segments with allocated blocks are free (50.0 %)"
    );
    let blocks = fragmented(15, 4);
    assert_eq!(
        (blocks.statistics().cached, blocks.statistics().fragmentation()),
        (60 * MIB, Some(0.5))
    );
    assert_eq!(rules(&blocks), ["unused cache"]);
    // Whole idle segments are not fragmented: the pool can release them.
    let idle = CachingPool::builder(AddressSpace::new()).build().expect("it needs nothing");
    let blocks = [64, 64].map(|mib| allocate(&idle, mib * MIB));
    for block in blocks {
        free(&idle, block, Request::new(64 * MIB)).expect("it is allocated");
    }
    assert_eq!(idle.statistics().fragmentation(), None);
    assert_eq!(rules(&idle), ["unused cache"]);
}

#[test]
fn unused_memory_is_reported_above_20_percent_of_the_reserved_bytes() {
    let pool = CachingPool::builder(AddressSpace::new()).build().expect("it needs nothing");
    assert!(rules(&pool).is_empty());
    allocate(&pool, 80 * MIB);
    let passing = allocate(&pool, 20 * MIB);
    free(&pool, passing, Request::new(20 * MIB)).expect("it is allocated");
    assert_eq!(pool.statistics().cached_share(), Some(0.2));
    assert!(rules(&pool).is_empty(), "a fifth is not past a fifth");
    let more = allocate(&pool, 22 * MIB);
    free(&pool, more, Request::new(22 * MIB)).expect("it is allocated");
    let advice = pool.statistics().advice();
    assert_eq!(
        advice[0].to_string(),
        "unused cache: 42.0 MiB of 122.0 MiB reserved are unused (34.4 %); call `empty_cache` if \
         other code needs it, or set `cached_at_most` (saves 42.0 MiB)"
    );
}

#[test]
fn advice_has_no_savings_if_nothing_can_be_freed() {
    let advice = fragmented(15, 4).statistics().advice();
    assert_eq!(advice[0].savings(), None);
    assert!(advice[0].action().expect("there is").contains("can't free it now"));
}
