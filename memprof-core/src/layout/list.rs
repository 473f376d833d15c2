//! `LinkedList`: a node per element, with two links.

use super::certificate::Certificate;
use super::word::{READS_STD, WORD, pointer_at, word_at, words_of};
use core::mem::offset_of;
use std::collections::LinkedList;

/// A twin of std's node, which the compiler lays out alike.
struct Node<T> {
    next: *const (),
    previous: *const (),
    element: T,
}

/// The bytes of a node that are not its element's.
pub(crate) const fn links<T>() -> usize {
    size_of::<Node<T>>() - size_of::<T>()
}

/// The nodes of `LinkedList`.
pub(super) static CERTIFICATE: Certificate = Certificate::new(observe);

/// Returns whether nodes are as described.
pub(crate) fn nodes_are_known() -> bool {
    CERTIFICATE.holds()
}

/// Returns an address in the node of an element.
pub(crate) fn node_of<T>(element: &T) -> usize {
    (&raw const *element).addr().wrapping_sub(offset_of!(Node<T>, element))
}

/// Observes lists of elements that leave their node differently much padding.
fn observe() -> bool {
    READS_STD
        && is_as_described([1_u8, 2])
        && is_as_described([1_u16, 2])
        && is_as_described([[1_u8; 3], [2; 3]])
        && is_as_described([1_u64, 2])
        && is_as_described([1_u128, 2])
}

/// Returns whether a list of two elements has both ends where the elements say that their nodes
/// start, and whether the links of the first node lead to the second and nowhere.
fn is_as_described<T>(elements: [T; 2]) -> bool {
    let list = LinkedList::from(elements);
    let (Some(first), Some(second)) = (list.front(), list.back()) else { return false };
    let nodes = [first, second].map(node_of);
    #[cfg(test)]
    let nodes = nodes.map(super::falsified::node);
    // SAFETY: the list was made here. It is two pointers and an integer, or `READS_PADDING`, on
    // which `READS_STD` rests, makes any bytes fit.
    let Some(words) = (unsafe { words_of::<_, 3>(&list) }) else { return false };
    let place_of = |wanted: usize| words.iter().position(|&word| word == wanted);
    let (Some(head), Some(_), Some(_)) = (place_of(nodes[0]), place_of(nodes[1]), place_of(2))
    else {
        return false;
    };
    let head = (&raw const list).cast::<usize>().wrapping_add(head);
    // SAFETY: that word was just read.
    let node = unsafe { pointer_at(head) };
    let link_at = |offset: usize| {
        // SAFETY: the first node starts there, and its element stands where it would behind or
        // before two words, so that these are in the node.
        unsafe { word_at(node.wrapping_byte_add(offset)) }
    };
    link_at(offset_of!(Node<T>, next)) == nodes[1] && link_at(offset_of!(Node<T>, previous)) == 0
}

const _: () = assert!(size_of::<Node<u8>>() == 3 * WORD, "two links and a byte");

#[cfg(test)]
mod tests;
