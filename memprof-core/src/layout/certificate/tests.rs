//! Checks of the std that the tests run on.

use crate::layout::{counted, nodes, table};

#[test]
fn every_part_of_this_std_is_certified() {
    let parts = [
        ("tables", &table::CERTIFICATE),
        ("trees", &nodes::CERTIFICATE),
        ("lists", &nodes::LIST_CERTIFICATE),
        ("counts", &counted::COUNTS_CERTIFICATE),
        ("weak handles", &counted::WEAK_HANDLES_CERTIFICATE),
    ];
    for (name, part) in parts {
        assert!(part.is_certified(), "{name}");
        assert!(part.is_certified(), "{name}, from memory");
    }
}
