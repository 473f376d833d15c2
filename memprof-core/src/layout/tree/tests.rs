//! Trees of this std, and of a std with other nodes.

use super::{find_word_indices, leaf_of_emptied_map, leaf_of_emptied_set, observe};
use crate::layout::fault_injection::{self, Fault};
use crate::tree::Collected;
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn this_std_has_the_described_nodes() {
    assert!(find_word_indices().is_some());
    assert!(observe());
}

#[test]
fn an_emptied_tree_keeps_a_leaf_and_a_new_one_has_none() {
    let mut map = BTreeMap::new();
    assert_eq!(leaf_of_emptied_map(&map), Some(0));
    map.insert(1, "one");
    assert_eq!(leaf_of_emptied_map(&map), None, "it is not empty");
    map.remove(&1);
    assert_eq!(leaf_of_emptied_map(&map).map(|leaf| leaf != 0), Some(true));
    map.clear();
    assert_eq!(leaf_of_emptied_map(&map), Some(0));
    let mut set = BTreeSet::from([1_u8]);
    set.pop_first();
    assert_eq!(leaf_of_emptied_set(&set).map(|leaf| leaf != 0), Some(true));
}

#[test]
fn a_tree_with_exchanged_words_is_rejected() {
    let mut map = BTreeMap::from([(1, 1)]);
    map.remove(&1);
    fault_injection::with_fault(Fault::TreeWords, || assert_eq!(leaf_of_emptied_map(&map), None));
}

/// Possible differences of nodes: a longer header, edges elsewhere.
const FAULTS: [Fault; 4] = [Fault::Node(8), Fault::Node(2), Fault::Edges(8), Fault::Edges(64)];

#[test]
fn a_tree_of_a_std_with_other_nodes_is_an_estimate() {
    let small = BTreeMap::from([(1_u8, 1_u8)]);
    let large: BTreeMap<u64, String> = (0..1000).map(|key| (key, key.to_string())).collect();
    let set: BTreeSet<u32> = (0..100).collect();
    assert!(Collected::of("value", &(&small, &large, &set)).tree.root().is_exact());
    for fault in FAULTS {
        fault_injection::with_fault(fault, || {
            assert!(!observe(), "{fault:?}");
            assert!(!Collected::of("value", &small).tree.root().is_exact(), "{fault:?}");
            assert!(!Collected::of("value", &large).tree.root().is_exact(), "{fault:?}");
            assert!(!Collected::of("value", &set).tree.root().is_exact(), "{fault:?}");
        });
    }
    assert!(Collected::of("value", &small).tree.root().is_exact());
}

#[test]
fn a_new_tree_of_a_std_with_other_nodes_is_marked() {
    fault_injection::with_fault(Fault::Node(8), || {
        assert!(
            !Collected::of("value", &BTreeMap::<u8, u8>::new()).tree.root().is_exact(),
            "it may have a leaf"
        );
    });
}
