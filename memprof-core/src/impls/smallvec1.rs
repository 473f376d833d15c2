//! smallvec 1: vectors that store a few elements inline, and more than that on the heap.

use crate::MemoryProfile;
use crate::state::Tally;
use crate::walk::{Position, Walk};
use smallvec::{Array, SmallVec};

/// The inline capacity is part of the vector's own bytes, used or not.
impl<A: Array<Item: MemoryProfile>> MemoryProfile for SmallVec<A> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let mut tally = Tally::default();
        add_buffer(self, &mut tally, walk, at);
        walk.buffers::<A::Item>(at, tally);
        walk.block_of(self.as_ptr().addr(), tally.capacity * size_of::<A::Item>());
        walk.slice(self, at);
    }

    #[inline]
    fn tally<'a>(&'a self, tally: &mut Tally, walk: &mut Walk<'a>, at: Position) {
        if A::Item::is_flat() {
            add_buffer(self, tally, walk, at);
        } else {
            self.owned(walk, at);
        }
    }

    #[inline]
    fn settle(tally: Tally, walk: &mut Walk<'_>, at: Position) {
        if A::Item::is_flat() {
            walk.buffers::<A::Item>(at, tally);
        }
    }
}

/// Inline elements were counted with the vector, so only their number is added.
#[inline]
fn add_buffer<A: Array>(
    values: &SmallVec<A>,
    tally: &mut Tally,
    walk: &mut Walk<'_>,
    at: Position,
) {
    if values.spilled() {
        tally.add(values.len(), values.capacity());
        if values.len() <= values.inline_size() {
            // `shrink_to_fit` moves the elements back inline.
            walk.shrinkable(at, 0, size_of_val(values.as_slice()));
        }
    } else {
        walk.count_values(at, values.len());
    }
}
