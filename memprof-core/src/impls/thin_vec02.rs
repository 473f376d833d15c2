//! thin-vec 0.2: vectors that store their length and capacity in front of the elements.
#![expect(unsafe_code, reason = "a vector does not expose the address of its header")]

use crate::MemoryProfile;
use crate::layout::observed::Observed;
use crate::layout::word::{Frozen, WORD, words_of_frozen};
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

/// The bytes of the header: a length and a capacity.
const HEADER: usize = 2 * WORD;

/// Returns the bytes between the header and the first element, which align the elements.
const fn padding<T>() -> usize {
    HEADER.next_multiple_of(align_of::<T>()) - HEADER
}

/// The header differs if a crate in the build enables the feature `gecko-ffi`.
fn headers_are_known() -> bool {
    static KNOWN: Observed<bool> = Observed::new();
    KNOWN.get_or_init(|| {
        has_header([1_u8, 2, 3]) && has_header([1_u64, 2, 3]) && has_header([1_u128, 2, 3])
    })
}

/// Returns whether the elements are as far behind the start of the allocation as described.
fn has_header<T>(elements: [T; 3]) -> bool {
    let vector: ThinVec<T> = elements.into_iter().collect();
    let elements = vector.as_ptr().addr();
    header_of(&vector).is_some_and(|header| header + HEADER + padding::<T>() == elements)
}

// SAFETY: a vector changes only through a unique reference.
unsafe impl<T> Frozen for ThinVec<T> {}

/// Returns the only word of a vector, which is the address of its header.
fn header_of<T>(vector: &ThinVec<T>) -> Option<usize> {
    words_of_frozen(vector).map(|[header]| header)
}

#[cfg(test)]
mod tests {
    use super::{has_header, headers_are_known, padding};

    #[repr(align(64))]
    struct Aligned;

    #[test]
    fn vectors_have_the_described_header() {
        assert!(headers_are_known());
        assert!(has_header([1_u16, 2, 3]) && has_header(["a", "b", "c"].map(String::from)));
        assert_eq!((padding::<u8>(), padding::<Aligned>()), (0, 48));
    }
}
