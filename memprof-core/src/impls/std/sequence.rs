//! Sequences: vectors, queues, heaps and lists, and arrays and slices, whose elements add no frame.

use crate::MemoryProfile;
use crate::frame::LeafKind;
use crate::layout::list::{links, node_of, nodes_are_known};
use crate::layout::read_ahead;
use crate::position::Position;
use crate::shape::Shape;
use crate::tally::Tally;
use crate::walk::Walk;
use std::collections::{BinaryHeap, LinkedList, VecDeque};

impl<T: MemoryProfile> MemoryProfile for Vec<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if !T::is_flat() {
            read_ahead(self.as_ptr().addr());
        }
        walk.buffer(at, self.as_ptr(), self.len(), self.capacity());
        walk.slice(self, at);
    }

    #[inline]
    fn tally<'a>(&'a self, tally: &mut Tally, walk: &mut Walk<'a>, at: Position) {
        add_buffer(self, tally);
        walk.slice(self, at);
    }

    #[inline]
    fn settle(tally: Tally, walk: &mut Walk<'_>, at: Position) {
        walk.buffers::<T>(at, tally);
    }

    #[inline]
    fn is_tallied() -> bool {
        T::is_flat()
    }

    #[inline]
    fn empty<'e>() -> Option<&'e Self> {
        T::is_flat().then_some(const { &Self::new() })
    }
}

/// Adds the buffer of a vector. A vector of zero-sized elements never allocates, whatever its
/// capacity. The number of its elements may be close to `usize::MAX`, so the sum saturates.
#[inline]
fn add_buffer<T>(values: &Vec<T>, tally: &mut Tally) {
    if size_of::<T>() == 0 {
        tally.merge(Tally::of(values.len(), 0));
    } else {
        tally.add(values.len(), values.capacity());
    }
}

impl<T: MemoryProfile> MemoryProfile for VecDeque<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let (front, back) = self.as_slices();
        walk.buffer(at, front.as_ptr(), self.len(), self.capacity());
        walk.slice(front, at);
        walk.slice(back, at);
    }
}

impl<T: MemoryProfile> MemoryProfile for BinaryHeap<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let values = self.as_slice();
        walk.buffer(at, values.as_ptr(), self.len(), self.capacity());
        walk.slice(values, at);
    }
}

impl<T: MemoryProfile, const N: usize> MemoryProfile for [T; N] {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.slice(self, at);
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.as_slice().pointee(walk, at);
    }

    fn shape() -> &'static Shape {
        const { &Shape::values::<Self>(T::shape, N) }
    }

    #[inline]
    fn is_flat() -> bool {
        N == 0 || T::is_flat()
    }
}

impl<T: MemoryProfile> MemoryProfile for [T] {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.slice(self, at);
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.count_values(at, self.len());
        walk.inline(at, T::shape(), self.len());
        self.owned(walk, at);
    }
}

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
