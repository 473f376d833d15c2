//! arrayvec 0.7: vectors and text that are stored inline. They own only what their elements own.

use crate::MemoryProfile;
use crate::impls::std::scalar::impl_flat;
use crate::walk::{Position, Walk};
use arrayvec::{ArrayString, ArrayVec};

impl<T: MemoryProfile, const CAPACITY: usize> MemoryProfile for ArrayVec<T, CAPACITY> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.count_values(at, self.len());
        if !T::is_flat() {
            walk.slice(self, at);
        }
    }

    #[inline]
    fn is_flat() -> bool {
        CAPACITY == 0 || T::is_flat()
    }
}

impl_flat! {
    [const CAPACITY: usize] ArrayString<CAPACITY>;
}
