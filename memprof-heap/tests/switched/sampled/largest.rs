//! The largest blocks.

use super::sampling;
use crate::block;
use memprof_heap::operation::OperationSite;
use memprof_heap::{Rate, largest};

#[test]
fn a_block_of_64_mib_is_found_with_its_place_and_its_operation() {
    static LOAD: OperationSite = OperationSite::new("load", file!(), line!());
    let _sampling = sampling(Rate::ADAPTIVE);
    let small: Vec<_> = (0..10_000).map(|_| block(100)).collect();
    let operation = LOAD.enter();
    let (large, line) = (vec![1_u8; 64 << 20], line!());
    drop(operation);
    let found = largest(3).expect("the level is Sampled");
    let first = &found.blocks[0];
    assert_eq!((first.bytes, first.operation.as_slice()), (64 << 20, ["load"].as_slice()));
    let place = first.location().expect("the test has line tables");
    assert!(place.file.as_deref().is_some_and(|file| file.ends_with("sampled/largest.rs")));
    assert_eq!(place.line, Some(line));
    assert!(found.complete_from_bytes < 4 << 20);
    drop((small, large));
}

#[test]
fn the_largest_blocks_are_sorted_and_limited() {
    let _sampling = sampling(Rate::EACH_BLOCK);
    let blocks: Vec<_> = [1, 5, 3, 4, 2].map(|million| block(million * 1_000_000)).into();
    let found = largest(4).expect("the level is Sampled");
    let bytes: Vec<_> = found.blocks.iter().map(|block| block.bytes).collect();
    assert_eq!(bytes, [5_000_000, 4_000_000, 3_000_000, 2_000_000]);
    assert_eq!(found.complete_from_bytes, 1);
    drop(blocks);
}
