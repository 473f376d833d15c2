//! Reallocations that fail, and reallocations that move.
#![expect(clippy::float_cmp, reason = "where each block is a sample, estimates are exact")]

use super::{live_of, sampling};
use crate::block;
use crate::refusing::without_memory;
use memprof_heap::Rate;
use memprof_heap::site::Estimate;

/// Estimates the live bytes of this file's blocks.
fn live() -> Estimate {
    let files = [("switched/main.rs", "block"), ("sampled/failing.rs", "")];
    files.map(|(file, function)| live_of(file, function)).into_iter().sum()
}

#[test]
fn a_block_whose_growth_is_refused_keeps_its_sample() {
    let _sampling = sampling(Rate::EACH_BLOCK);
    let mut bytes = block(12_345);
    let before = live();
    let refused = without_memory(|| bytes.try_reserve_exact(100_000));
    assert!(refused.is_err());
    assert_eq!(live(), before);
    drop(bytes);
    assert_eq!(before.value - live().value, 12_345.0);
}

#[test]
fn a_block_that_shrinks_is_live_with_its_new_size() {
    let _sampling = sampling(Rate::EACH_BLOCK);
    let mut bytes = block(1_000_000);
    let before = live();
    bytes.shrink_to(10);
    assert_eq!(before.value - live().value, 999_990.0);
    drop(bytes);
    assert_eq!(before.value - live().value, 1_000_000.0);
}

#[test]
fn a_block_that_grows_is_live_with_its_new_size() {
    let _sampling = sampling(Rate::EACH_BLOCK);
    let mut bytes = block(10);
    let before = live();
    bytes.reserve_exact(5_000_000);
    assert_eq!(live().value - before.value, 4_999_990.0);
    drop(bytes);
    assert_eq!(before.value - live().value, 10.0);
}

#[test]
fn a_refused_allocation_is_no_sample() {
    let _sampling = sampling(Rate::EACH_BLOCK);
    let before = live();
    let mut bytes: Vec<u8> = Vec::new();
    assert!(without_memory(|| bytes.try_reserve_exact(100_000)).is_err());
    assert_eq!(live(), before);
}
