//! roaring 0.12: the sizes of the private parts of a bitmap, and the capacity of its vector.
//!
//! No public figure confirms the sizes, so the caller marks the bytes as an estimate.

use super::vector::VectorIndices;
use super::word::{READS_PADDING, words_of};
use roaring::RoaringBitmap;

/// A container: the upper 16 bits of its values, and a set of the lower 16 bits.
#[expect(dead_code, reason = "never constructed: only its size is used")]
struct Container {
    key: u16,
    store: Store,
}

#[expect(dead_code, reason = "never constructed: only its size is used")]
enum Store {
    Values(Vec<u16>),
    Bits(u64, Box<[u64; 1024]>),
    Runs(Vec<[u16; 2]>),
}

/// The bytes of a container, which are in the vector of containers.
pub(crate) const CONTAINER: usize = size_of::<Container>();

/// The bytes of a set with a bit for each of 2¹⁶ values.
pub(crate) const BITS: usize = size_of::<[u64; 1024]>();

/// The bytes of a value in a sorted vector.
pub(crate) const VALUE: usize = size_of::<u16>();

/// Returns the capacity of a bitmap's vector of containers, or `containers` if the words of the
/// bitmap are not those of a vector.
pub(crate) fn container_capacity(bitmap: &RoaringBitmap, containers: usize) -> usize {
    if !READS_PADDING {
        return containers;
    }
    // SAFETY: a bitmap changes only through a unique reference, and padding may be read.
    let words: Option<[usize; 3]> = unsafe { words_of(bitmap) };
    let vector = words.zip(VectorIndices::known()).map(|(words, indices)| indices.read(&words, 0));
    let vector = vector.filter(|vector| {
        vector.address != 0 && vector.len == containers && vector.capacity >= containers
    });
    vector.map_or(containers, |vector| vector.capacity)
}

#[cfg(test)]
mod tests {
    use super::container_capacity;
    use roaring::RoaringBitmap;

    #[test]
    fn a_bitmap_has_capacity_for_its_containers() {
        let mut bitmap = RoaringBitmap::new();
        assert_eq!(container_capacity(&bitmap, 0), 0);
        for number in 0..5 {
            bitmap.insert(number << 16);
        }
        assert_eq!(container_capacity(&bitmap, 5), 8);
        // The bitmap has 5 containers and not 6, so the function returns its argument.
        assert_eq!(container_capacity(&bitmap, 6), 6);
    }
}
