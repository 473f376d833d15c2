//! Linked lists, whose nodes have two links each.
#![expect(unsafe_code, reason = "std does not expose the nodes of a list")]

use crate::MemoryProfile;
use crate::layout::certificate::Certificate;
use crate::layout::word::{READS_STD, WORD, pointer_at, word_at, words_of};
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};
use core::mem::offset_of;
use std::collections::LinkedList;

impl<T: MemoryProfile> MemoryProfile for LinkedList<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if !T::is_flat() && walk.defers(self, at) {
            return;
        }
        let len = self.len();
        // An empty list has no nodes, so their layout does not matter.
        let known = len == 0 || list_nodes_are_known();
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

/// A copy of the definition of std's node, which the compiler lays out the same way.
struct Node<T> {
    next: *const (),
    previous: *const (),
    element: T,
}

/// Returns the bytes of a node, except the bytes of its element.
const fn links<T>() -> usize {
    size_of::<Node<T>>() - size_of::<T>()
}

pub(crate) static CERTIFICATE: Certificate = Certificate::new(observe_lists);

fn list_nodes_are_known() -> bool {
    CERTIFICATE.is_certified()
}

fn node_of<T>(element: &T) -> usize {
    (&raw const *element).addr().wrapping_sub(offset_of!(Node<T>, element))
}

/// Observes lists of elements with the least and the greatest alignment. The tests observe more.
fn observe_lists() -> bool {
    READS_STD && matches_layout([1_u8, 2]) && matches_layout([1_u128, 2])
}

/// The list's two pointers must lead to the node addresses that the elements imply. The first
/// node's links must be the address of the second node and null.
fn matches_layout<T>([first, second]: [T; 2]) -> bool {
    let mut list = LinkedList::new();
    list.push_back(first);
    list.push_back(second);
    let (Some(first), Some(second)) = (list.front(), list.back()) else { return false };
    has_nodes_at(&list, [first, second].map(node_of))
}

#[expect(clippy::linkedlist, reason = "its words are read")]
fn has_nodes_at<T>(list: &LinkedList<T>, nodes: [usize; 2]) -> bool {
    // SAFETY: only this thread has the list, and `observe_lists` checked `READS_STD`. So either std
    // is known, and the list is two pointers and an integer, which are initialised. Or
    // `READS_PADDING` is true, and any bytes may be read.
    let Some(words) = (unsafe { words_of::<_, 3>(list) }) else { return false };
    let index_of = |wanted: usize| words.iter().position(|&word| word == wanted);
    let (Some(head), Some(_), Some(_)) = (index_of(nodes[0]), index_of(nodes[1]), index_of(2))
    else {
        return false;
    };
    let head = (&raw const *list).cast::<usize>().wrapping_add(head);
    // SAFETY: that word was just read.
    let node = unsafe { pointer_at(head) };
    let link_at = |offset: usize| {
        // SAFETY: the first node starts there, and its element is at the described offset. In the
        // described layout, the two words are before or after the element, so both are in the node.
        unsafe { word_at(node.wrapping_byte_add(offset)) }
    };
    link_at(offset_of!(Node<T>, next)) == nodes[1] && link_at(offset_of!(Node<T>, previous)) == 0
}

const _: () = assert!(size_of::<Node<u8>>() == 3 * WORD, "two links and a byte");

#[cfg(test)]
mod tests;
