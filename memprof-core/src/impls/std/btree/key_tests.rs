//! Trees whose entries do not show where their nodes are.

use crate::tree::Collected;
use std::collections::{BTreeMap, BTreeSet};

/// A zero-sized key whose `Ord` always returns `Less`, so that a tree can contain many of them.
#[derive(PartialEq, Eq)]
struct InconsistentOrd;

impl Ord for InconsistentOrd {
    fn cmp(&self, _: &Self) -> core::cmp::Ordering {
        core::cmp::Ordering::Less
    }
}

impl PartialOrd for InconsistentOrd {
    fn partial_cmp(&self, other: &Self) -> Option<core::cmp::Ordering> {
        Some(self.cmp(other))
    }
}

impl crate::MemoryProfile for InconsistentOrd {
    fn owned<'a>(&'a self, _: &mut crate::walk::Walk<'a>, _: crate::walk::Position) {}
}

#[test]
fn a_tree_of_zero_sized_entries_is_an_estimate() {
    let mut set = BTreeSet::new();
    let mut map = BTreeMap::new();
    for value in 0..100_u64 {
        set.insert(InconsistentOrd);
        map.insert(InconsistentOrd, value);
    }
    assert_eq!(set.len(), 100);
    assert!(
        !Collected::of("value", &set).tree.root().is_exact(),
        "neither keys nor values have a size"
    );
    assert!(Collected::of("value", &map).tree.root().is_exact(), "the values show the nodes");
}
