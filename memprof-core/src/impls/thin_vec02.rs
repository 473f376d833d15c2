//! thin-vec 0.2: vectors that store their length and capacity in front of the elements.

use crate::MemoryProfile;
use crate::layout::thin_vec02::{HEADER, headers_are_known, padding};
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};
use thin_vec::ThinVec;

impl<T: MemoryProfile> MemoryProfile for ThinVec<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        // A vector of zero-sized elements never allocates, whatever its capacity.
        let capacity = if size_of::<T>() == 0 { 0 } else { self.capacity() };
        if capacity != 0 {
            add_buffer::<T>(self.len(), capacity, walk, at);
            walk.block(self.as_ptr().addr());
        }
        walk.count_values(at, self.len());
        walk.inline(at, T::shape(), self.len());
        if !T::is_flat() {
            walk.slice(self, at);
        }
    }
}

/// Adds the allocation of a vector, except its elements.
fn add_buffer<T>(len: usize, capacity: usize, walk: &mut Walk<'_>, at: Position) {
    let spare = (capacity - len) * size_of::<T>();
    let front = HEADER + padding::<T>();
    let bytes = front + capacity * size_of::<T>();
    walk.count_allocations(at, 1);
    // An empty vector that shrinks frees the whole allocation.
    walk.shrinkable(at, bytes, if len == 0 { bytes } else { spare });
    walk.leaf(at, LeafKind::Spare, spare);
    let leaves = [(LeafKind::Inline, HEADER), (LeafKind::Padding, padding::<T>())];
    walk.leaves(at, leaves, headers_are_known());
}
