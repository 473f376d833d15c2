//! The tree that a walk has grown, made into branches.

use crate::layout::prefetch;
use crate::paths::{self, Mark, Paths};
use crate::sharing::Duplicates;
use crate::tree::branch::Name;
use crate::tree::merge::{Forest, merge};
use crate::tree::{Branches, Builder, Own};
use crate::{Counts, Device, Kind, Leaf, Role};
use std::collections::BTreeMap;

/// The names and branches of a finished walk, the root named `root`.
pub(crate) fn grow(root: &str, paths: &Paths) -> (String, Branches) {
    let mut grown = Grown::new(paths);
    let node = Node { index: 0, role: Role::default() };
    let branches = merge(&mut grown, vec![(root, node)]);
    (grown.names, branches)
}

struct Grown<'w> {
    paths: &'w Paths,
    nodes: &'w [paths::Node],
    on_devices: &'w BTreeMap<(u32, Device), u64>,
    duplicates: Duplicates,
    /// The nodes below each node, all in one list, from `starts[i]` to `starts[i + 1]`.
    below: Vec<u32>,
    starts: Vec<u32>,
    /// Whether anything was found at a node or below it.
    filled: Vec<bool>,
    names: String,
}

#[derive(Clone, Copy)]
struct Node {
    index: u32,
    /// The role that holds above the node.
    role: Role,
}

impl<'w> Grown<'w> {
    fn new(paths: &'w Paths) -> Self {
        let Paths { nodes, on_devices, .. } = paths;
        let mut starts = vec![0_u32; nodes.len() + 1];
        let (mut parents, mut filled) =
            (Vec::with_capacity(nodes.len()), Vec::with_capacity(nodes.len()));
        // The nodes of a million names do not fit into a cache, so they are read once.
        for node in nodes {
            starts[node.parent as usize + 1] += 1;
            parents.push(node.parent);
            filled.push(is_filled(node));
        }
        // The root is not below a node, though its parent has a number: its own.
        starts[1] -= 1;
        let mut sum = 0;
        for start in &mut starts {
            sum += *start;
            *start = sum;
        }
        let (mut below, mut next) = (vec![0; nodes.len() - 1], starts.clone());
        for (index, &parent) in parents.iter().enumerate().skip(1) {
            let place = &mut next[parent as usize];
            below[*place as usize] = index as u32;
            *place += 1;
        }
        for &(node, _) in on_devices.keys() {
            filled[node as usize] = true;
        }
        // A parent is made before what is below it.
        for index in (1..nodes.len()).rev() {
            filled[parents[index] as usize] |= filled[index];
        }
        let duplicates = paths.duplicates();
        Self { paths, nodes, on_devices, duplicates, below, starts, filled, names: String::new() }
    }

    fn below(&self, index: u32) -> impl Iterator<Item = u32> {
        let range = self.starts[index as usize]..self.starts[index as usize + 1];
        let below = &self.below[range.start as usize..range.end as usize];
        below.iter().copied().filter(|&index| self.filled[index as usize])
    }

    fn leaves(&self, index: u32, role: Role) -> impl Iterator<Item = Leaf> {
        let bytes = self.nodes[index as usize].bytes;
        let leaves = Kind::ALL.into_iter().zip(bytes).filter(|&(_, bytes)| bytes > 0);
        let on_devices = self.on_devices.range((index, Device::Cpu)..=(index, Device::LAST));
        let on_devices = on_devices.map(move |(&(_, device), &bytes)| Leaf {
            device,
            ..Leaf::new(Kind::Data, role, bytes)
        });
        leaves.map(move |(kind, bytes)| Leaf::new(kind, role, bytes)).chain(on_devices)
    }

    fn counts(&self, index: u32) -> Counts {
        let (duplicates, duplicate_bytes) = self.duplicates.get(&index).copied().unwrap_or((0, 0));
        Counts { duplicates, duplicate_bytes, ..counts(&self.nodes[index as usize]) }
    }

    /// Adds up a node and everything below it into one `[data]` leaf.
    fn collapse(&self, index: u32, role: Role, own: &mut Own) {
        for leaf in self.leaves(index, role) {
            own.add_leaf(Leaf { kind: Kind::Data, ..leaf });
        }
        for marked in self.paths.marks(index) {
            match marked.mark {
                Mark::Opaque(why) => own.add_opaque(why, marked.count),
                Mark::Estimated(_, device) => {
                    own.add_leaf(estimate(Kind::Data, role, device, marked.count));
                }
            }
        }
        // A leaf that adds up what is below it has no excess capacity of its own.
        own.counts += Counts {
            values: 0,
            buffer_bytes: 0,
            shrinkable_bytes: 0,
            compactable_bytes: 0,
            ..self.counts(index)
        };
        self.below(index).for_each(|child| self.collapse(child, role, own));
    }
}

impl<'w> Forest<'w> for Grown<'w> {
    type Node = Node;

    fn visit(&self, node: Node, own: &mut Own, below: &mut Vec<(&'w str, Node)>) {
        let Node { index, role } = node;
        let grown = &self.nodes[index as usize];
        let role = grown.role.unwrap_or(role);
        if grown.leaf {
            self.collapse(index, role, own);
            own.counts += Counts { values: grown.values, ..Counts::default() };
            return;
        }
        self.leaves(index, role).for_each(|leaf| own.add_leaf(leaf));
        for marked in self.paths.marks(index) {
            match marked.mark {
                Mark::Opaque(why) => own.add_opaque(why, marked.count),
                Mark::Estimated(kind, device) => {
                    own.add_leaf(estimate(kind, role, device, marked.count));
                }
            }
        }
        own.counts += self.counts(index);
        let nodes = self.nodes;
        for index in self.below(index) {
            let (child, node) = (&nodes[index as usize], Node { index, role });
            if child.hidden {
                self.visit(node, own, below);
            } else {
                below.push((child.name.as_ref(), node));
            }
        }
    }

    /// Nodes stand in the order in which the walk met them, so visits in the order of names miss the cache.
    fn prefetch(&self, node: Node) {
        let index = node.index as usize;
        prefetch((&raw const self.starts[index]).addr());
        let start = (&raw const self.nodes[index]).addr();
        // A node and the fields that were made after it.
        (0..12).for_each(|line| prefetch(start + 64 * line));
    }

    fn place(&mut self, name: &'w str, _: Node) -> Name {
        Builder::add_name(&mut self.names, name)
    }
}

/// Says of a leaf that so many of its bytes are an estimate.
fn estimate(kind: Kind, role: Role, device: Device, estimated_bytes: u64) -> Leaf {
    Leaf { estimated_bytes, device, ..Leaf::new(kind, role, 0) }
}

fn counts(node: &paths::Node) -> Counts {
    // Most buffers have no excess capacity, and then their size advises nothing.
    let has_excess = node.bytes[Kind::Spare as usize] > 0
        || node.excess.shrinkable > 0
        || node.excess.compactable > 0;
    Counts {
        values: node.values,
        allocations: node.allocations,
        nodes: node.tree_nodes,
        objects: node.pieces,
        handles: node.holders,
        buffer_bytes: if has_excess { node.excess.buffers } else { 0 },
        shrinkable_bytes: node.excess.shrinkable,
        compactable_bytes: node.excess.compactable,
        ..Counts::default()
    }
}

/// Returns whether anything was found at a node itself.
fn is_filled(node: &paths::Node) -> bool {
    node.is_marked()
        || counts(node) != Counts::default()
        || node.bytes.iter().any(|&bytes| bytes > 0)
}
