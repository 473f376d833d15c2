//! The sampled bytes of each leaf, as each group of a sampled walk estimates them.

use super::{Row, Sampling};
use crate::device::Device;
use crate::frame::LeafKind;
use crate::role::Role;
use crate::state::{Amount, WalkState};
use crate::tree::{Branch, NameTree};

/// The sampled bytes of one leaf, as each of the independent groups estimates them.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Replicate {
    /// The index of the leaf's branch.
    pub branch: u32,
    /// The kind of the bytes.
    pub kind: LeafKind,
    /// The role of the bytes.
    pub role: Role,
    /// The memory that the bytes are in.
    pub device: Device,
    /// The part of the leaf's bytes that is the mean of the groups. The rest was visited.
    pub bytes: u64,
    /// The estimate of each group. Empty if the sample has too many leaves to keep the figures of
    /// this one.
    pub groups: Vec<f64>,
}

/// The sampled bytes of one leaf of a node.
pub(crate) struct SampledLeaf {
    node: u32,
    kind: LeafKind,
    device: Device,
    bytes: u64,
    groups: Vec<f64>,
}

impl Sampling {
    /// Writes all amounts back to the tree, with the mean of the groups, and returns the sampled
    /// leaves.
    pub(crate) fn write_back(&mut self, tree: &mut WalkState) -> Vec<SampledLeaf> {
        self.take_amounts(tree);
        let groups = self.plan.groups as f64;
        let reduction = self.reduction();
        let mut leaves = Vec::new();
        for (amount, row) in core::mem::take(&mut self.rows) {
            let Row { exact, sum, groups: values } = row;
            let leaf = amount.leaf();
            let is_reduced = leaf.is_some_and(|(_, _, device)| device == Device::Cpu);
            let mean = sum / groups * if is_reduced { reduction } else { 1.0 };
            // The casts saturate, and amounts are never negative.
            let bytes = mean.round() as u64;
            // A mark with a count of 0 would mean that nothing is missing.
            let least = u64::from(matches!(amount, Amount::Mark(_)));
            *tree.amount(amount) = (exact as u64).saturating_add(bytes).max(least);
            let Some((node, kind, device)) = leaf else { continue };
            if sum > 0.0 {
                leaves.push(SampledLeaf { node, kind, device, bytes, groups: values });
            }
        }
        for leaf in &leaves {
            tree.mark_sampled(leaf.node, leaf.kind, leaf.device, leaf.bytes);
        }
        leaves
    }

    /// Returns the factor that limits the estimates to the maximum number of bytes on the host.
    fn reduction(&self) -> f64 {
        let Some(at_most) = self.plan.at_most else { return 1.0 };
        let (mut exact, mut sum) = (0.0, 0.0);
        for (amount, row) in &self.rows {
            if amount.leaf().is_some_and(|(_, _, device)| device == Device::Cpu) {
                exact += row.exact;
                sum += row.sum;
            }
        }
        let (mean, remaining) = (sum / self.plan.groups as f64, at_most as f64 - exact);
        // A limit below what was visited is wrong, so it reduces nothing.
        if mean > remaining && remaining >= 0.0 { remaining / mean } else { 1.0 }
    }
}

/// Returns the index of a node's branch in the finished tree, the role that applies, and whether a
/// field marked `leaf` ends the path.
pub(crate) fn branch_of(node: u32, state: &WalkState, tree: &NameTree) -> (u32, Role, bool) {
    let (names, role, in_leaf) = state.names_in_tree(node);
    let child = |branch: Branch<'_>, name: &&str| branch.child(name).map(Branch::index);
    let mut branch = tree.root();
    for name in &names {
        // The branch of a node without bytes and marks does not exist, but its parent does.
        branch = child(branch, name).map_or(branch, |index| tree.branch(index));
    }
    (branch.index(), role, in_leaf)
}

/// Returns the sampled leaves, each with its branch in the finished tree.
pub(crate) fn replicates_of(
    leaves: Vec<SampledLeaf>,
    state: &WalkState,
    tree: &NameTree,
) -> Vec<Replicate> {
    let replicate = |leaf: SampledLeaf| {
        let SampledLeaf { node, kind, device, bytes, groups } = leaf;
        let (branch, role, in_leaf) = branch_of(node, state, tree);
        let kind = if in_leaf { LeafKind::Data } else { kind };
        Replicate { branch, kind, role, device, bytes, groups }
    };
    let mut replicates: Vec<Replicate> = leaves.into_iter().map(replicate).collect();
    let key = |one: &Replicate| (one.branch, one.kind, one.role, one.device);
    replicates.sort_by_key(key);
    // Several nodes may have the same path, so their groups are added.
    replicates.dedup_by(|later, first| {
        let is_same = key(later) == key(first);
        if is_same {
            first.bytes = first.bytes.saturating_add(later.bytes);
            if first.groups.is_empty() || later.groups.is_empty() {
                // At most one of the two leaves has groups, so their sum has no interval.
                first.groups = Vec::new();
            }
            first.groups.iter_mut().zip(&later.groups).for_each(|(sum, more)| *sum += more);
        }
        is_same
    });
    replicates
}
