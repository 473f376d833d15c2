//! Growable sequences: `Vec`, `VecDeque`, `BinaryHeap`.

use crate::MemoryProfile;
use crate::layout::read_ahead;
use crate::tree::LeafKind;
use crate::walk::{Position, Tally, Walk};
use std::collections::{BinaryHeap, VecDeque};

impl<T: MemoryProfile> MemoryProfile for Vec<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if at.is_deep() && !T::is_flat() {
            walk.defer(self, at);
            return;
        }
        let mut tally = Tally::default();
        add_buffer(self, &mut tally);
        if !T::is_flat() {
            read_ahead(self.as_ptr().addr());
        }
        walk.buffers::<T>(at, tally);
        walk.block_of(self.as_ptr().addr(), tally.capacity * size_of::<T>());
        if !T::is_flat() && !self.is_empty() {
            walk.slice(self, at.deeper());
        }
    }

    #[inline]
    fn tally<'a>(&'a self, tally: &mut Tally, walk: &mut Walk<'a>, at: Position) {
        if T::is_flat() {
            add_buffer(self, tally);
        } else {
            self.owned(walk, at);
        }
    }

    #[inline]
    fn settle(tally: Tally, walk: &mut Walk<'_>, at: Position) {
        if T::is_flat() {
            walk.buffers::<T>(at, tally);
        }
    }

    #[inline]
    fn empty<'e>() -> Option<&'e Self> {
        T::is_flat().then_some(const { &Self::new() })
    }

    fn inline(walk: &mut Walk<'_>, at: Position, count: usize) {
        walk.lump(at, LeafKind::Inline, size_of::<Self>(), count);
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
        if at.is_deep() && !T::is_flat() {
            walk.defer(self, at);
            return;
        }
        let mut tally = Tally::default();
        tally.add(self.len(), if size_of::<T>() == 0 { 0 } else { self.capacity() });
        walk.buffers::<T>(at, tally);
        let (front, back) = self.as_slices();
        walk.block_of(front.as_ptr().addr(), tally.capacity * size_of::<T>());
        if !T::is_flat() {
            walk.slice(front, at.deeper());
            walk.slice(back, at.deeper());
        }
    }
}

impl<T: MemoryProfile> MemoryProfile for BinaryHeap<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if at.is_deep() && !T::is_flat() {
            walk.defer(self, at);
            return;
        }
        let mut tally = Tally::default();
        tally.add(self.len(), if size_of::<T>() == 0 { 0 } else { self.capacity() });
        walk.buffers::<T>(at, tally);
        walk.block_of(self.as_slice().as_ptr().addr(), tally.capacity * size_of::<T>());
        if !T::is_flat() {
            walk.slice(self.as_slice(), at.deeper());
        }
    }
}
