//! `LinkedList`: one node per element.

use crate::{At, Kind, MemoryProfile, Walk};
use core::mem::offset_of;
use std::collections::LinkedList;

/// What std allocates for an element; the compiler lays both out alike.
struct Node<T> {
    _next: *const (),
    _previous: *const (),
    _element: T,
}

/// Whether lists are what they were when this was written: two ends and a length.
const fn is_known<T>() -> bool {
    size_of::<LinkedList<T>>() == 3 * size_of::<usize>()
}

impl<T: MemoryProfile> MemoryProfile for LinkedList<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        if at.is_deep() && !T::is_flat() {
            walk.defer(self, at);
            return;
        }
        let len = self.len();
        let links = size_of::<Node<T>>() - size_of::<T>();
        if const { is_known::<T>() } {
            walk.leaf(at, Kind::Nodes, len * links);
        } else {
            walk.estimated(at, Kind::Nodes, len * links);
        }
        walk.count_allocations(at, len);
        walk.count_nodes(at, len);
        walk.count_values(at, len);
        T::inline(walk, at, len);
        if T::is_flat() && !walk.tells_blocks() {
            return;
        }
        for (index, element) in self.iter().enumerate() {
            if !walk.has_time(at, len - index) {
                break;
            }
            if const { is_known::<T>() } {
                walk.block((&raw const *element).addr() - offset_of!(Node<T>, _element));
            }
            element.owned(walk, at.deeper());
        }
    }
}
