//! Growable sequences: `Vec`, `VecDeque`, `BinaryHeap`.

use crate::MemoryProfile;
use crate::layout::read_ahead;
use crate::tally::Tally;
use crate::walk::{Position, Walk};
use std::collections::{BinaryHeap, VecDeque};

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
