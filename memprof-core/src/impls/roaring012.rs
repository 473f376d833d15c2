//! roaring 0.12: compressed bitmaps, which expose statistics of their containers.

use crate::MemoryProfile;
use crate::layout::nodes::{NodeCount, inner_size, leaf_size};
use crate::layout::roaring012::{BITS, CONTAINER, VALUE, container_capacity};
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
