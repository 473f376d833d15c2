//! Lists of this std, and nodes that are not at the described place.

use super::{has_nodes_at, matches_layout, node_of, observe_lists};
use std::collections::LinkedList;

#[test]
fn this_std_has_the_described_nodes() {
    assert!(observe_lists());
    assert!(matches_layout([1_u16, 2]) && matches_layout([1_u64, 2]));
    assert!(matches_layout([[1_u8; 3], [2; 3]]));
}

#[test]
fn nodes_that_begin_elsewhere_are_noticed() {
    let list = LinkedList::from([1_u64, 2]);
    let nodes = [list.front(), list.back()].map(|element| element.map_or(0, node_of));
    assert!(has_nodes_at(&list, nodes));
    assert!(!has_nodes_at(&list, nodes.map(|node| node - 8)));
}
