//! The tree that a walk has grown, made into branches.

use crate::layout::prefetch;
use crate::paths::{self, Mark, Paths};
use crate::sharing::Duplicates;
use crate::tree::branch::Name;
use crate::tree::build::add_name;
use crate::tree::merge::{Forest, merge};
use crate::tree::{NameTree, Own};
use crate::{Counts, Device, Kind, Leaf, Role};

/// The tree of a finished walk, the root named `root`.
pub(crate) fn grow(root: &str, paths: &Paths) -> NameTree {
    let mut grown = Grown::new(paths);
    let node = Node { index: 0, role: Role::default() };
    let branches = merge(&mut grown, vec![(root, node)]);
    NameTree { names: grown.names, branches }
}

struct Grown<'w> {
    paths: &'w Paths,
    duplicates: Duplicates,
    /// The nodes with anything at or below them, in a list for each parent.
    links: Vec<Link>,
    names: String,
}

/// The first node below a node, and the next one below its parent; 0 if there is none.
#[derive(Clone, Copy, Default)]
struct Link {
    first: u32,
    next: u32,
}

#[derive(Clone, Copy)]
struct Node {
    index: u32,
    /// The role that holds above the node.
    role: Role,
}

impl<'w> Grown<'w> {
    fn new(paths: &'w Paths) -> Self {
        let mut links = vec![Link::default(); paths.nodes.len()];
        // A parent is made before what is below it, so the nodes below one are known when it comes.
        // The nodes of a million names do not fit into a cache, so they are read once.
        for (index, node) in paths.nodes.iter().enumerate().skip(1).rev() {
            let is_filled = links[index].first != 0
                || is_filled(paths, node)
                || paths.on_devices(index as u32).next().is_some();
            if is_filled {
                let above = &mut links[node.parent as usize].first;
                let next = core::mem::replace(above, index as u32);
                links[index].next = next;
            }
        }
        Self { paths, duplicates: paths.duplicates(), links, names: String::new() }
    }

    fn below(&self, index: u32) -> impl Iterator<Item = u32> {
        let some = |index: u32| (index != 0).then_some(index);
        let first = some(self.links[index as usize].first);
        core::iter::successors(first, move |&index| some(self.links[index as usize].next))
    }

    fn leaves(&self, index: u32, role: Role) -> impl Iterator<Item = Leaf> {
        let bytes = self.paths.all_bytes(&self.paths.nodes[index as usize]);
        let leaves = Kind::ALL.into_iter().zip(bytes).filter(|&(_, bytes)| bytes > 0);
        let on_devices = self
            .paths
            .on_devices(index)
            .map(move |(device, bytes)| Leaf { device, ..Leaf::new(Kind::Data, role, bytes) });
        leaves.map(move |(kind, bytes)| Leaf::new(kind, role, bytes)).chain(on_devices)
    }

    fn counts(&self, index: u32) -> Counts {
        let (duplicates, duplicate_bytes) = self.duplicates.get(&index).copied().unwrap_or((0, 0));
        Counts {
            duplicates,
            duplicate_bytes,
            ..counts(self.paths, &self.paths.nodes[index as usize])
        }
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
        let grown = &self.paths.nodes[index as usize];
        let role = grown.field.role.unwrap_or(role);
        if grown.field.leaf {
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
        let paths = self.paths;
        for index in self.below(index) {
            let (child, node) = (&paths.nodes[index as usize], Node { index, role });
            if child.field.hidden {
                self.visit(node, own, below);
            } else {
                below.push((paths.name_of(child), node));
            }
        }
    }

    /// Nodes stand in the order in which the walk met them, so visits in the order of names miss the cache.
    fn prefetch(&self, node: Node) {
        let index = node.index as usize;
        prefetch((&raw const self.links[index]).addr());
        let start = (&raw const self.paths.nodes[index]).addr();
        // A node and the fields that were made after it.
        (0..8).for_each(|line| prefetch(start + 64 * line));
    }

    fn place(&mut self, name: &'w str, _: Node) -> Name {
        add_name(&mut self.names, name)
    }
}

/// Says of a leaf that so many of its bytes are an estimate.
fn estimate(kind: Kind, role: Role, device: Device, estimated_bytes: u64) -> Leaf {
    Leaf { estimated_bytes, device, ..Leaf::new(kind, role, 0) }
}

fn counts(paths: &Paths, node: &paths::Node) -> Counts {
    let rare = paths.rare_of(node);
    // Most buffers have no excess capacity, and then their size advises nothing.
    let has_excess =
        paths.bytes_of(node, Kind::Spare) > 0 || node.excess.shrinkable > 0 || rare.compactable > 0;
    Counts {
        values: node.values,
        allocations: node.allocations,
        nodes: rare.tree_nodes,
        objects: rare.pieces,
        handles: rare.holders,
        buffer_bytes: if has_excess { node.excess.buffers } else { 0 },
        shrinkable_bytes: node.excess.shrinkable,
        compactable_bytes: rare.compactable,
        ..Counts::default()
    }
}

/// Returns whether anything was found at a node itself.
fn is_filled(paths: &Paths, node: &paths::Node) -> bool {
    node.is_marked()
        || counts(paths, node) != Counts::default()
        || paths.all_bytes(node).iter().any(|&bytes| bytes > 0)
}
