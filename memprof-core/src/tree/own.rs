//! A branch's own contents, without those of the branches below it.

use crate::opaque::OpaqueReason;
use crate::tree::counts::Counts;
use crate::tree::leaf::Leaf;

/// A branch's own contents.
#[derive(Debug, Default)]
pub struct Own {
    /// The leaves, sorted by key, without duplicate keys.
    pub(super) leaves: Vec<Leaf>,
    /// The counts at the branch.
    pub counts: Counts,
    /// The number of values for each opaque reason, sorted by reason, without duplicates.
    pub(super) opaque: Vec<(OpaqueReason, u64)>,
}

impl Own {
    /// Returns the leaves, sorted by key.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// Returns the opaque reasons, each with its number of values, sorted by reason.
    pub fn opaque(&self) -> &[(OpaqueReason, u64)] {
        &self.opaque
    }

    /// Adds a leaf. Bytes with the same [key](Leaf::key) add up.
    pub fn add_leaf(&mut self, leaf: Leaf) {
        match self.leaves.binary_search_by_key(&leaf.key(), Leaf::key) {
            Ok(known) => {
                let known = &mut self.leaves[known];
                known.bytes = known.bytes.saturating_add(leaf.bytes);
                known.estimated_bytes = known.estimated_bytes.saturating_add(leaf.estimated_bytes);
            }
            Err(index) => self.leaves.insert(index, leaf),
        }
    }

    /// Adds values that were not read, with the reason.
    pub fn add_opaque(&mut self, reason: OpaqueReason, count: u64) {
        match self.opaque.binary_search_by_key(&reason, |known| known.0) {
            Ok(known) => self.opaque[known].1 = self.opaque[known].1.saturating_add(count),
            Err(index) => self.opaque.insert(index, (reason, count)),
        }
    }

    /// Removes all contents but keeps the memory for reuse.
    pub fn clear(&mut self) {
        self.leaves.clear();
        self.counts = Counts::default();
        self.opaque.clear();
    }
}
