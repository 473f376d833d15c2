//! Sums over a whole profile.

use memprof_profile::Profile;
use memprof_profile::tree::{Branch, OpaqueReason};
use std::collections::BTreeMap;

/// The totals of a profile that the library does not compute.
#[derive(Debug, Default)]
pub(super) struct Sums {
    pub(super) branches: u64,
    pub(super) leaves: u64,
    /// The number of levels of names; the root is level 1.
    pub(super) depth: u64,
    pub(super) values: u64,
    pub(super) allocations: u64,
    pub(super) nodes: u64,
    pub(super) estimated_bytes: u64,
    /// The number of values that could not be read, by reason.
    pub(super) opaque: Vec<(OpaqueReason, u64)>,
}

impl Sums {
    pub(super) fn of(profile: &Profile) -> Self {
        let mut sums = Self { depth: depth(profile.root()), ..Self::default() };
        let mut opaque = BTreeMap::new();
        for branch in profile.root().subtree() {
            sums.branches += 1;
            sums.leaves += branch.leaves().len() as u64;
            let counts = branch.counts();
            sums.values = sums.values.saturating_add(counts.values);
            sums.allocations = sums.allocations.saturating_add(counts.allocations);
            sums.nodes = sums.nodes.saturating_add(counts.nodes);
            for (reason, count) in branch.opaque() {
                *opaque.entry(reason).or_default() += count;
            }
            for leaf in branch.leaves() {
                sums.estimated_bytes += leaf.estimated_bytes();
            }
        }
        sums.opaque = opaque.into_iter().collect();
        sums
    }

    pub(super) fn counts(&self) -> [(&'static str, u64); 3] {
        [("values", self.values), ("allocations", self.allocations), ("nodes", self.nodes)]
    }
}

/// Readers reject profiles deeper than 1024 levels, so the recursion is bounded.
fn depth(branch: Branch<'_>) -> u64 {
    1 + branch.children().map(depth).max().unwrap_or_default()
}
