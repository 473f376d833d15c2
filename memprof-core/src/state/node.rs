//! One path of the growing tree: its common counters, and the rare ones.

use crate::frame::LeafKind;
use crate::shape::{Field, Shape};
use crate::state::{END, NO_NODE, NO_SHAPE, TYPE_FIELD};

/// One path of the growing tree.
///
/// A million names make several million nodes, and most of the time is spent on memory that is new
/// or not in a cache. So a node takes two cache lines, and [`Rare`] contains what few paths need.
#[derive(Debug)]
pub(crate) struct Node {
    /// The last shape met at this path. Its fields start at `base`.
    pub(crate) shape: &'static Shape,
    pub(crate) base: u32,
    pub(crate) keys: u32,
    /// The bytes of the kinds that many paths have, indexed by [`kind_index`].
    pub(super) bytes: [u64; COMMON],
    pub(crate) allocations: u64,
    pub(crate) values: u64,
    pub(crate) excess: Excess,
    /// At the first node of a field set: the number of values of the set's type that the walk met.
    pub(crate) instances: u64,
    /// The field, with its name and attributes. If the node is an entry of a keyed map or belongs to
    /// a concrete type, `entry` has the name instead.
    pub(crate) field: &'static Field,
    /// The number of the entry that names this path, from 1; `END` if no entry does.
    pub(super) entry: u32,
    pub(crate) parent: u32,
    pub(crate) shared: u32,
    /// The number of this path's first mark, or `END`.
    pub(super) marks: u32,
    /// The number of this path's `Rare`, in the order in which they were added, or `END`.
    pub(super) rare: u32,
}

/// The counters that few paths have.
#[derive(Debug)]
pub(crate) struct Rare {
    /// The bytes of the kinds that few paths have, indexed by [`kind_index`].
    pub(super) bytes: [u64; LeafKind::ALL.len() - COMMON],
    pub(crate) tree_nodes: u64,
    /// The bytes freed if the entries of the trees are collected into new trees.
    pub(crate) compactable: u64,
    /// The number of shared allocations first counted here.
    pub(crate) shared_allocations: u64,
    /// The number of handles that keep these allocations alive.
    pub(crate) handles: u64,
    /// The number of values that equal a value met before, and their bytes.
    pub(crate) duplicates: u64,
    pub(crate) duplicate_bytes: u64,
    /// The number of names that keyed maps at this path gave to entries.
    pub(crate) names: u32,
    /// The number of names that they may give.
    pub(crate) cap: u32,
    /// The first of the other shapes met at this path. Values of several types may have the same
    /// path.
    pub(super) others: u32,
}

/// Bytes of the allocations with excess capacity at one node.
///
/// These sums do not follow from the leaves, for two reasons. Elements with fields add their bytes
/// below the node of their buffer. A table that is not full may still be the smallest table that
/// holds its entries.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Excess {
    /// All bytes of the allocations, used or not.
    pub(crate) buffers: u64,
    /// Bytes that `shrink_to_fit` frees.
    pub(crate) shrinkable: u64,
}

impl Excess {
    /// Adds allocations of `bytes` bytes in total, of which `shrink_to_fit` frees `freed`.
    #[inline]
    pub(crate) fn add(&mut self, bytes: usize, freed: usize) {
        self.buffers = self.buffers.saturating_add(bytes as u64);
        self.shrinkable = self.shrinkable.saturating_add(freed as u64);
    }
}

/// The rare counters of a path that has none.
pub(super) static NONE: Rare = Rare::new();

/// The number of kinds whose bytes are stored in a node.
pub(super) const COMMON: usize = 5;

/// Returns the index of a kind's bytes: in the node, or from [`COMMON`] on in the rare counters.
#[inline]
pub(super) const fn kind_index(kind: LeafKind) -> usize {
    match kind {
        LeafKind::Inline => 0,
        LeafKind::Data => 1,
        LeafKind::Spare => 2,
        LeafKind::Counts => 3,
        LeafKind::Padding => 4,
        LeafKind::Table => COMMON,
        LeafKind::Nodes => COMMON + 1,
        LeafKind::Skipped => COMMON + 2,
        LeafKind::Opaque => COMMON + 3,
    }
}

impl Node {
    pub(super) const fn new(field: &'static Field, parent: u32) -> Self {
        Self {
            shape: &NO_SHAPE,
            base: NO_NODE,
            keys: NO_NODE,
            bytes: [0; COMMON],
            allocations: 0,
            values: 0,
            excess: Excess { buffers: 0, shrinkable: 0 },
            instances: 0,
            field,
            entry: END,
            parent,
            shared: NO_NODE,
            marks: END,
            rare: END,
        }
    }

    /// Adds bytes of a kind that many paths have.
    #[inline]
    pub(crate) fn add_bytes(&mut self, kind: LeafKind, bytes: usize) {
        let sum = &mut self.bytes[kind_index(kind)];
        *sum = sum.saturating_add(bytes as u64);
    }

    pub(crate) fn is_marked(&self) -> bool {
        self.marks != END
    }

    /// Returns whether this node is an entry of a keyed map.
    pub(crate) fn is_entry(&self) -> bool {
        self.entry != END && !core::ptr::eq(self.field, &raw const TYPE_FIELD)
    }
}

impl Rare {
    pub(super) const fn new() -> Self {
        Self {
            bytes: [0; LeafKind::ALL.len() - COMMON],
            tree_nodes: 0,
            compactable: 0,
            shared_allocations: 0,
            handles: 0,
            duplicates: 0,
            duplicate_bytes: 0,
            names: 0,
            cap: 0,
            others: END,
        }
    }
}

#[cfg(all(test, target_pointer_width = "64"))]
mod tests {
    use super::Node;

    #[test]
    fn a_node_takes_two_cache_lines() {
        assert_eq!(size_of::<Node>(), 128);
    }
}
