//! Arrays and slices. Their elements add no frame.

use crate::MemoryProfile;
use crate::walk::{Position, Walk};

impl<T: MemoryProfile, const N: usize> MemoryProfile for [T; N] {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.slice(self, at);
    }

    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.as_slice().pointee(walk, at);
    }

    fn inline(walk: &mut Walk<'_>, at: Position, count: usize) {
        T::inline(walk, at, count * N);
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
        T::inline(walk, at, self.len());
        self.owned(walk, at);
    }
}
