//! `LinkedList`: one node per element.

use crate::MemoryProfile;
use crate::layout::list::{links, node_of, nodes_are_known};
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};
use std::collections::LinkedList;

impl<T: MemoryProfile> MemoryProfile for LinkedList<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if !T::is_flat() && walk.defers(self, at) {
            return;
        }
        let len = self.len();
        // An empty list has no nodes, so their layout does not matter.
        let known = len == 0 || nodes_are_known();
        walk.leaves(at, [(LeafKind::Nodes, len * links::<T>())], known);
        walk.count_allocations(at, len);
        walk.count_nodes(at, len);
        walk.count_values(at, len);
        walk.inline(at, T::shape(), len);
        if known && walk.wants_blocks() {
            for (index, element) in self.iter().enumerate() {
                if !walk.should_continue(at, len - index) {
                    return;
                }
                walk.block(node_of(element));
            }
        }
        walk.values(self, at);
    }
}
