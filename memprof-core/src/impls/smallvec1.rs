//! smallvec 1: vectors that keep a few elements inside their own bytes, and more on the heap.

use crate::{At, MemoryProfile, Tally, Walk};
use smallvec::{Array, SmallVec};

/// The room inside is part of the vector's own bytes, whether elements stand in it or not.
impl<A: Array<Item: MemoryProfile>> MemoryProfile for SmallVec<A> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        if at.is_deep() && !A::Item::is_flat() {
            walk.defer(self, at);
            return;
        }
        let mut tally = Tally::default();
        add_buffer(self, &mut tally, walk, at);
        walk.buffers::<A::Item>(at, tally);
        walk.block_of(self.as_ptr().addr(), tally.capacity * size_of::<A::Item>());
        if !A::Item::is_flat() && !self.is_empty() {
            walk.slice(self, at.deeper());
        }
    }

    #[inline]
    fn tally<'a>(&'a self, tally: &mut Tally, walk: &mut Walk<'a>, at: At) {
        if A::Item::is_flat() {
            add_buffer(self, tally, walk, at);
        } else {
            self.owned(walk, at);
        }
    }

    #[inline]
    fn settle(tally: Tally, walk: &mut Walk<'_>, at: At) {
        if A::Item::is_flat() {
            walk.buffers::<A::Item>(at, tally);
        }
    }
}

/// Elements on the heap go to the tally; those inside have been counted with the vector, so that
/// only their number is added.
#[inline]
fn add_buffer<A: Array>(values: &SmallVec<A>, tally: &mut Tally, walk: &mut Walk<'_>, at: At) {
    if values.spilled() {
        tally.add(values.len(), values.capacity());
        if values.len() <= values.inline_size() {
            // Shrinking moves the elements inside.
            walk.shrinkable(at, 0, size_of_val(values.as_slice()));
        }
    } else {
        walk.count_values(at, values.len());
    }
}
