//! roaring 0.12: compressed bitmaps, which expose statistics of their containers.
#![expect(unsafe_code, reason = "a bitmap does not expose the capacity of its vector")]

use crate::MemoryProfile;
use crate::impls::std::btree::{NodeCount, inner_size, leaf_size};
use crate::layout::vector::VectorIndices;
use crate::layout::word::{Frozen, words_of_frozen};
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};
use roaring::{RoaringBitmap, RoaringTreemap};

impl MemoryProfile for RoaringBitmap {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let found = self.statistics();
        let containers = found.n_containers as usize;
        let values = found.n_values_array_containers as usize * VALUE;
        // The statistics state twice the bytes of a vector's capacity.
        let capacity = (found.n_bytes_array_containers as usize / 2).max(values);
        let data = found.n_bitset_containers as usize * BITS
            + values
            + found.n_bytes_run_containers as usize;
        walk.count_allocations(at, containers + usize::from(containers != 0));
        walk.count_values(at, usize::try_from(found.cardinality).unwrap_or(usize::MAX));
        let vector = container_capacity(self, containers);
        let spare = (vector - containers) * CONTAINER + capacity - values;
        let nodes = (LeafKind::Nodes, containers * CONTAINER);
        walk.leaves(at, [nodes, (LeafKind::Data, data), (LeafKind::Spare, spare)], false);
    }
}

/// A B-tree of bitmaps, whose number of nodes is private.
impl MemoryProfile for RoaringTreemap {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let count = self.bitmaps().count();
        let nodes = NodeCount::estimate(count);
        let bytes = nodes.leaves * leaf_size::<u32, RoaringBitmap>()
            + nodes.inner * inner_size::<u32, RoaringBitmap>();
        let entries = count * (size_of::<u32>() + size_of::<RoaringBitmap>());
        let keys = walk.keys(at);
        walk.inline(keys, u32::shape(), count);
        walk.inline(at, RoaringBitmap::shape(), count);
        walk.count_allocations(at, nodes.leaves + nodes.inner);
        walk.count_nodes(at, nodes.leaves + nodes.inner);
        walk.leaves(at, [(LeafKind::Nodes, bytes - entries)], false);
        walk.values(self.bitmaps().map(|(_, bitmap)| bitmap), at);
    }
}

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

const CONTAINER: usize = size_of::<Container>();

/// The bytes of a set with a bit for each of 2¹⁶ values.
const BITS: usize = size_of::<[u64; 1024]>();

/// The bytes of a value in a sorted vector.
const VALUE: usize = size_of::<u16>();

// SAFETY: a bitmap changes only through a unique reference.
unsafe impl Frozen for RoaringBitmap {}

/// Returns `containers` if the words of the bitmap are not those of a vector.
fn container_capacity(bitmap: &RoaringBitmap, containers: usize) -> usize {
    let words: Option<[usize; 3]> = words_of_frozen(bitmap);
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
