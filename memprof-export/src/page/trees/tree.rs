//! The tree of one snapshot: its bytes by node.

use super::super::contents::NodeKind;
use super::super::texts;
use super::nodes::Nodes;
use memprof_profile::Profile;
use memprof_profile::source::ATTRIBUTED;
use memprof_profile::text::Frame;
use memprof_profile::tree::{Branch, Device, KEYS, LeafKind, OpaqueReason, Origin, SHARED};
use memprof_profile::views::{Units, has_unread, missing_values};
use std::collections::HashMap;
use std::mem;

/// The tree of a snapshot. The bytes of a branch are the sum of the bytes below it.
#[derive(Debug, Default)]
pub(in super::super) struct Tree {
    pub(in super::super) leaves: Vec<(u32, u64)>,
    /// The indices of branches that own allocations themselves, in ascending order, and the number
    /// of allocations of each.
    pub(in super::super) allocations: Vec<(u32, u64)>,
    /// The indices of branches below which allocations are not counted, in ascending order.
    pub(in super::super) uncounted: Vec<u32>,
    /// The indices of branches with contents that were not read, in ascending order.
    pub(in super::super) unread: Vec<u32>,
    /// The indices of the branches in `unread` that another snapshot may read.
    pub(in super::super) missed: Vec<u32>,
    /// `true` if a root may own some of the unexplained bytes.
    pub(in super::super) unexplained_at_most: bool,
    /// The exactness of the bytes, in words.
    pub(in super::super) verdict: String,
    /// Branches with shared allocations, and who keeps the allocations alive; largest first.
    pub(in super::super) holders: Vec<(u32, String)>,
}

const UNEXPLAINED: &str = "unexplained";

const UNATTRIBUTED: &str = "unattributed";

impl Tree {
    pub(super) fn add_root(&mut self, profile: &Profile, nodes: &mut Nodes) {
        let root = nodes.at(0, NodeKind::Branch, profile.root().name(), Device::Cpu);
        self.add(profile, root, false, nodes);
    }

    /// Adds the profile of a source, without the bytes that it attributes to the roots.
    pub(super) fn add_source(&mut self, profile: &Profile, nodes: &mut Nodes) {
        let source = nodes.at(0, NodeKind::Branch, profile.root().name(), Device::Cpu);
        self.add(profile, source, true, nodes);
    }

    pub(super) fn add_program(&mut self, profile: &Profile, nodes: &mut Nodes) {
        self.add(profile, 0, false, nodes);
    }

    /// Adds a root or source that could not be read, with unknown bytes.
    pub(super) fn add_missing(&mut self, name: &str, nodes: &mut Nodes) {
        let node = nodes.at(0, NodeKind::Branch, name, Device::Cpu);
        self.allocations.push((node, 0));
        self.uncounted.push(node);
        self.unread.push(node);
        self.missed.push(node);
    }

    /// Marks the total as a lower bound.
    pub(super) fn add_unread_total(&mut self) {
        self.unread.push(0);
    }

    fn add(&mut self, profile: &Profile, root: u32, of_source: bool, nodes: &mut Nodes) {
        if profile.origin() != Origin::Values {
            self.uncounted.push(root);
        }
        // A root is shown even if it owns nothing.
        self.allocations.push((root, 0));
        let holders: Vec<(String, String)> = profile.holder_lines(Units::Iec).collect();
        let mut holding: HashMap<&str, Option<u32>> =
            holders.iter().map(|(path, _)| (&**path, None)).collect();
        let path = Frame(profile.root().name()).to_string();
        let mut open = vec![(profile.root(), root, path)];
        while let Some((branch, node, path)) = open.pop() {
            if let Some(first) = holding.get_mut(&*path) {
                first.get_or_insert(node);
            }
            self.add_branch(branch, node, nodes);
            for child in branch.children() {
                let is_unexplained = of_source && child.name() == UNATTRIBUTED;
                if is_unexplained && child.children().next().is_none() {
                    for leaf in child.leaves() {
                        let kind = NodeKind::Unexplained;
                        let below = nodes.at(node, kind, UNATTRIBUTED, leaf.device());
                        self.leaves.push((below, leaf.bytes()));
                    }
                } else if !(of_source && is_elsewhere(branch, child)) {
                    let below = nodes.at(node, NodeKind::Branch, child.name(), Device::Cpu);
                    let path = match child.name() {
                        _ if holders.is_empty() => String::new(),
                        KEYS | SHARED => path.clone(),
                        name => format!("{path};{}", Frame(name)),
                    };
                    open.push((child, below, path));
                }
            }
        }
        let line = |(path, line): &(String, String)| Some((holding[&**path]?, texts::name(line)));
        self.holders.extend(holders.iter().filter_map(line));
    }

    fn add_branch(&mut self, branch: Branch<'_>, node: u32, nodes: &mut Nodes) {
        for leaf in branch.leaves() {
            let kind = leaf.kind().as_str();
            let below = nodes.at(node, NodeKind::Leaf, kind, leaf.device());
            self.leaves.push((below, leaf.bytes()));
        }
        // Contents that could not be read have a node without bytes.
        for (reason, _) in branch.opaque() {
            let kind =
                if reason == OpaqueReason::Skipped { LeafKind::Skipped } else { LeafKind::Opaque };
            let below = nodes.at(node, NodeKind::Leaf, kind.as_str(), Device::Cpu);
            self.leaves.push((below, 0));
        }
        self.unread.extend(has_unread(branch).then_some(node));
        self.missed.extend(missing_values(branch).map(|_| node));
        let allocations = branch.counts().allocations;
        if allocations > 0 {
            self.allocations.push((node, allocations));
        }
    }

    /// Adds live heap that no root explains, with the call sites that allocated it. The bytes of call
    /// sites are estimates, so they are reduced if their sum is too large. The rest has no call site.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_precision_loss,
        clippy::cast_sign_loss,
        reason = "estimates are rounded down"
    )]
    pub(super) fn add_unexplained(
        &mut self,
        bytes: u64,
        sites: &[(String, f64)],
        nodes: &mut Nodes,
    ) {
        let node = nodes.at(0, NodeKind::Unexplained, UNEXPLAINED, Device::Cpu);
        let sum: f64 = sites.iter().map(|site| site.1).sum();
        let scale = if sum > bytes as f64 { bytes as f64 / sum } else { 1.0 };
        let mut rest = bytes;
        for (place, live) in sites {
            let live = ((live * scale) as u64).min(rest);
            rest -= live;
            if live > 0 {
                self.leaves.push((nodes.at(node, NodeKind::Site, place, Device::Cpu), live));
            }
        }
        self.leaves.push((node, rest));
    }

    pub(super) fn normalise(&mut self) {
        for list in [&mut self.leaves, &mut self.allocations] {
            list.sort_unstable();
            let mut merged: Vec<(u32, u64)> = Vec::with_capacity(list.len());
            for (node, amount) in mem::take(list) {
                match merged.last_mut() {
                    Some(last) if last.0 == node => last.1 = last.1.saturating_add(amount),
                    _ => merged.push((node, amount)),
                }
            }
            merged.shrink_to_fit();
            *list = merged;
        }
        for list in [&mut self.uncounted, &mut self.unread, &mut self.missed] {
            list.sort_unstable();
            list.dedup();
        }
    }

    pub(super) fn len(&self) -> usize {
        self.leaves.len() + self.allocations.len()
    }
}

/// The bytes of the roots count with the roots; the free memory of a device is left out.
fn is_elsewhere(device: Branch<'_>, part: Branch<'_>) -> bool {
    part.name() == ATTRIBUTED || (part.name() == "free" && device.child("used").is_some())
}

/// Returns the exactness of a profile, in words: the beginning of the last line of its tree.
pub(super) fn verdict(profile: &Profile) -> String {
    let text = profile.tree().depth(0).width(10_000).to_string();
    let last = text.lines().last().unwrap_or_default();
    last.split(" · ").next().unwrap_or_default().to_owned()
}
