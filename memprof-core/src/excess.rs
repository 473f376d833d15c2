//! Excess capacity: the bytes of allocations with unused capacity, and the bytes that
//! `shrink_to_fit` or a rebuilt tree would free.

use crate::walk::{Position, Walk};

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

impl Walk<'_> {
    /// Records allocations of `bytes` bytes in total, of which `shrink_to_fit` frees `freed`.
    #[inline]
    pub fn shrinkable(&mut self, at: Position, bytes: usize, freed: usize) {
        if let Some(tree) = &mut self.tree {
            tree.node(at).excess.add(bytes, freed);
        }
    }

    /// Records `bytes` bytes of tree nodes. Rebuilding the tree from its entries in order frees
    /// `freed` of them.
    #[inline]
    pub fn compactable(&mut self, at: Position, bytes: usize, freed: usize) {
        let Some(tree) = &mut self.tree else { return };
        tree.node(at).excess.add(bytes, 0);
        if freed > 0 {
            let compactable = &mut tree.rare(at).compactable;
            *compactable = compactable.saturating_add(freed as u64);
        }
    }
}
