//! Trees of this std, and nodes that are not at the described place.

use super::{
    LOWEST_ADDRESS, find_word_indices, indices_in, indices_in_map, leaf_in, leaf_of_emptied,
    node_of_first, nodes_match_layout, observe,
};
use std::collections::{BTreeMap, BTreeSet};

#[test]
fn this_std_has_the_described_nodes() {
    let indices = find_word_indices();
    assert!(indices.is_some());
    assert!(observe());
    assert_eq!(indices_in_map(1_u8, 1_u128), indices);
    assert_eq!(indices_in_map(1_u16, [0_u8; 3]), indices);
    assert_eq!(indices_in_map((), String::new()), indices);
    let set = BTreeSet::from([1_u64]);
    let node = node_of_first::<u64, ()>(set.first().expect("it has an entry"));
    assert_eq!(indices_in(&set, node), indices);
}

#[test]
fn an_emptied_tree_keeps_a_leaf_and_a_new_one_has_none() {
    let mut map = BTreeMap::new();
    assert_eq!(leaf_of_emptied(&map), Some(0));
    map.insert(1, "one");
    assert_eq!(leaf_of_emptied(&map), None, "it is not empty");
    map.remove(&1);
    assert_eq!(leaf_of_emptied(&map).map(|leaf| leaf != 0), Some(true));
    map.clear();
    assert_eq!(leaf_of_emptied(&map), Some(0));
    let mut set = BTreeSet::from([1_u8]);
    set.pop_first();
    assert_eq!(leaf_of_emptied(&set).map(|leaf| leaf != 0), Some(true));
}

#[test]
fn the_words_of_a_tree_with_entries_or_without_an_address_have_no_leaf() {
    assert_eq!(leaf_in([0, 0]), Some(0));
    assert_eq!(leaf_in([LOWEST_ADDRESS, 0]), Some(LOWEST_ADDRESS));
    for words in [[0, LOWEST_ADDRESS], [LOWEST_ADDRESS, 1], [1, 0], [LOWEST_ADDRESS + 1, 0]] {
        assert_eq!(leaf_in(words), None, "{words:?}");
    }
}

#[test]
fn nodes_that_begin_elsewhere_are_noticed() {
    let indices = |before: usize| {
        let map = BTreeMap::from([(1_u64, 1_u64)]);
        let node = node_of_first::<u64, u64>(map.first_key_value().expect("it has an entry").0);
        indices_in(&map, node - before)
    };
    assert_eq!(indices(0), find_word_indices());
    assert_eq!([2, 8].map(indices), [None; 2]);
}

#[test]
fn edges_that_are_elsewhere_are_noticed() {
    let indices = find_word_indices().expect("this std is as described");
    let matches = |shift| nodes_match_layout(indices, shift, |number| (number, [number; 3]));
    assert!(matches(0));
    assert!(!matches(8));
}
