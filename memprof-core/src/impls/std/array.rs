//! Arrays and slices. Their elements add no frame.

use crate::MemoryProfile;
use crate::walk::{Position, Shape, Walk};

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
