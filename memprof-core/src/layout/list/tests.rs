//! Lists of this std, and of a std with other nodes.

use super::observe;
use crate::layout::fault_injection::{self, Fault};
use crate::tree::Collected;
use std::collections::LinkedList;

#[test]
fn this_std_has_the_described_nodes() {
    assert!(observe());
}

#[test]
fn a_list_of_a_std_with_larger_nodes_is_an_estimate() {
    let list = LinkedList::from([1_u64, 2, 3]);
    assert!(Collected::of("value", &list).tree.root().is_exact());
    fault_injection::with_fault(Fault::Node(8), || {
        assert!(!Collected::of("value", &list).tree.root().is_exact());
        assert!(
            Collected::of("value", &LinkedList::<u64>::new()).tree.root().is_exact(),
            "it has no node"
        );
    });
}
