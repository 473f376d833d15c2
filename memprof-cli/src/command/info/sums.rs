//! Sums over a whole profile.

use memprof_core::{Branch, Opaque, Profile};
use std::collections::BTreeMap;

/// What a profile holds in all.
#[derive(Debug, Default)]
pub(super) struct Sums {
    pub(super) branches: u64,
    pub(super) leaves: u64,
    /// Levels of names; the root is one.
    pub(super) depth: u64,
    pub(super) values: u64,
    pub(super) allocations: u64,
    pub(super) nodes: u64,
    pub(super) estimated_bytes: u64,
    /// How many values could not be seen, by reason.
    pub(super) opaque: Vec<(Opaque, u64)>,
    /// Bytes by role and by device.
    pub(super) roles: Vec<(String, u64)>,
    pub(super) devices: Vec<(String, u64)>,
}

/// What is counted.
pub(super) struct Thing;

impl Thing {
    /// A number with its thousands set apart, as the library shows them.
    pub(super) fn count(count: u64) -> String {
        let bytes = memprof_core::Units::Bytes.show(count).to_string();
        bytes.trim_end_matches(" B").into()
    }
}

impl Sums {
    pub(super) fn of(profile: &Profile) -> Self {
        let mut sums = Self { depth: depth(profile.root()), ..Self::default() };
        let (mut opaque, mut roles, mut devices) =
            (BTreeMap::new(), BTreeMap::new(), BTreeMap::new());
        for branch in profile.root().subtree() {
            sums.branches += 1;
            sums.leaves += branch.leaves().len() as u64;
            let counts = branch.counts();
            sums.values = sums.values.saturating_add(counts.values);
            sums.allocations = sums.allocations.saturating_add(counts.allocations);
            sums.nodes = sums.nodes.saturating_add(counts.nodes);
            for (why, count) in branch.opaque() {
                *opaque.entry(why).or_default() += count;
            }
            for leaf in branch.leaves() {
                sums.estimated_bytes += leaf.estimated_bytes();
                *roles.entry(leaf.role()).or_default() += leaf.bytes();
                *devices.entry(leaf.device()).or_default() += leaf.bytes();
            }
        }
        sums.opaque = opaque.into_iter().collect();
        sums.roles = roles.into_iter().map(|(role, bytes)| (role.to_string(), bytes)).collect();
        sums.devices = devices.into_iter().map(|(on, bytes)| (on.to_string(), bytes)).collect();
        sums
    }

    /// What was counted, by name.
    pub(super) fn counts(&self) -> [(&'static str, u64); 3] {
        [("values", self.values), ("allocations", self.allocations), ("nodes", self.nodes)]
    }
}

/// Profiles are at most 1024 levels deep: readers refuse deeper ones.
fn depth(branch: Branch<'_>) -> u64 {
    1 + branch.children().map(depth).max().unwrap_or_default()
}
