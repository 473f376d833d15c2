//! Excess capacity: the allocations that have it, and what of it an action frees.

use crate::{At, Walk};

/// Bytes of the allocations with excess capacity at one node.
///
/// Kept apart from the leaves: the elements of a buffer stand below the node where they have fields,
/// and a table that is not full may still be the smallest that holds its entries.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Excess {
    /// All bytes of the allocations, used or not.
    pub(crate) buffers: u64,
    /// Bytes that `shrink_to_fit` frees.
    pub(crate) shrinkable: u64,
}

impl Walk<'_> {
    /// Records allocations of `bytes` bytes of which `shrink_to_fit` frees `freed`.
    #[inline]
    pub fn shrinkable(&mut self, at: At, bytes: usize, freed: usize) {
        let excess = &mut self.paths.node(at).excess;
        excess.buffers = excess.buffers.saturating_add(bytes as u64);
        excess.shrinkable = excess.shrinkable.saturating_add(freed as u64);
    }

    /// Records the nodes of a tree, of which a tree made of the same entries in order frees `freed`.
    #[inline]
    pub fn compactable(&mut self, at: At, bytes: usize, freed: usize) {
        let excess = &mut self.paths.node(at).excess;
        excess.buffers = excess.buffers.saturating_add(bytes as u64);
        if freed > 0 {
            let compactable = &mut self.paths.rare(at).compactable;
            *compactable = compactable.saturating_add(freed as u64);
        }
    }
}
