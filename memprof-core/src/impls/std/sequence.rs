//! Growable sequences: `Vec`, `VecDeque`, `BinaryHeap`.

use crate::{At, MemoryProfile, Walk};
use std::collections::{BinaryHeap, VecDeque};

impl<T: MemoryProfile> MemoryProfile for Vec<T> {
    #[inline]
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        walk.buffers::<T>(at, usize::from(allocates(self)), self.len(), self.capacity());
        owned_elements(self, walk, at);
    }

    fn owned_slice<'a>(values: &'a [Self], walk: &mut Walk<'a>, at: At) {
        if !T::is_flat() {
            for value in values {
                value.owned(walk, at);
            }
            return;
        }
        let (mut count, mut len, mut capacity) = (0, 0, 0_usize);
        for value in values {
            count += usize::from(allocates(value));
            len += value.len();
            capacity = capacity.wrapping_add(value.capacity());
        }
        walk.buffers::<T>(at, count, len, capacity);
    }
}

/// Whether the vector has an allocation: vectors of zero-sized elements never do.
#[inline]
fn allocates<T>(values: &Vec<T>) -> bool {
    size_of::<T>() != 0 && values.capacity() != 0
}

/// Adds what the elements of a heap buffer own, now or, deep down, later.
#[inline]
pub(crate) fn owned_elements<'a, T: MemoryProfile>(
    values: &'a [T],
    walk: &mut Walk<'a>,
    at: At,
) {
    if T::is_flat() || values.is_empty() {
        return;
    }
    if at.is_deep() {
        walk.defer_slice(values, at);
    } else {
        T::owned_slice(values, walk, at.deeper());
    }
}

impl<T: MemoryProfile> MemoryProfile for VecDeque<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        let count = usize::from(size_of::<T>() != 0 && self.capacity() != 0);
        walk.buffers::<T>(at, count, self.len(), self.capacity());
        let (front, back) = self.as_slices();
        owned_elements(front, walk, at);
        owned_elements(back, walk, at);
    }
}

impl<T: MemoryProfile> MemoryProfile for BinaryHeap<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        let count = usize::from(size_of::<T>() != 0 && self.capacity() != 0);
        walk.buffers::<T>(at, count, self.len(), self.capacity());
        owned_elements(self.as_slice(), walk, at);
    }
}
