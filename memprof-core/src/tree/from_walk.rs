//! The branches of a tree, made from the paths that a walk collected.

use crate::frame::LeafKind;
use crate::layout::prefetch;
use crate::role::Role;
use crate::state::{self, Mark, Marked, WalkState};
use crate::tree::branch::Counts;
use crate::tree::branch::Leaf;
use crate::tree::branch::Name;
use crate::tree::build::Own;
use crate::tree::build::add_name;
use crate::tree::merge::{NodeSource, merge};
use crate::tree::name_tree::NameTree;

/// Returns the tree of a finished walk, with a root named `root`.
pub(crate) fn tree_of_walk(root: &str, state: &WalkState) -> NameTree {
    let mut grown = WalkSource::new(state);
    let node = Node { index: 0, role: Role::default() };
    let branches = merge(&mut grown, [(root, node)].into_iter());
    NameTree { names: grown.names, branches }
}

struct WalkSource<'w> {
    state: &'w WalkState,
    /// For each node, the list of its child nodes. A child is left out if neither it nor a node
    /// below it has contents.
    links: Vec<Link>,
    names: String,
}

/// The first node below a node, and the next node below the same parent. 0 means that there is no
/// such node.
#[derive(Clone, Copy, Default)]
struct Link {
    first: u32,
    next: u32,
}

#[derive(Clone, Copy)]
struct Node {
    index: u32,
    /// The role that applies above the node.
    role: Role,
}

impl<'w> WalkSource<'w> {
    fn new(state: &'w WalkState) -> Self {
        let mut links = vec![Link::default(); state.nodes.len()];
        // A parent's index is lower than those of its children, so in reverse order the children
        // come first. Each node is read only once, because the nodes of a million names do not fit
        // into a cache.
        for (index, node) in state.nodes.iter().enumerate().skip(1).rev() {
            if links[index].first != 0 || has_content(state, node) {
                let above = &mut links[node.parent as usize].first;
                let next = core::mem::replace(above, index as u32);
                links[index].next = next;
            }
        }
        Self { state, links, names: String::with_capacity(64) }
    }

    fn children(&self, index: u32) -> impl Iterator<Item = u32> {
        let some = |index: u32| (index != 0).then_some(index);
        let first = some(self.links[index as usize].first);
        core::iter::successors(first, move |&index| some(self.links[index as usize].next))
    }

    fn leaves(&self, index: u32, role: Role) -> impl Iterator<Item = Leaf> {
        let bytes = self.state.all_bytes(&self.state.nodes[index as usize]);
        let leaves = LeafKind::ALL.iter().copied().zip(bytes).filter(|&(_, bytes)| bytes > 0);
        leaves.map(move |(kind, bytes)| Leaf::new(kind, role, bytes))
    }

    /// Adds the marks of a node, except those that were moved to another node. `kind` returns the kind
    /// of the leaf with estimated bytes of a kind.
    fn add_marks(&self, index: u32, role: Role, kind: fn(LeafKind) -> LeafKind, own: &mut Own) {
        for marked in self.state.marks(index).filter(|marked| marked.count != 0) {
            let Marked { mark, count, .. } = *marked;
            match mark {
                Mark::Opaque(reason) => own.add_opaque(reason, count),
                Mark::Estimated(of, device) => {
                    // The leaf only adds its estimated bytes to another leaf.
                    let leaf = Leaf::new(kind(of), role, 0);
                    own.add_leaf(Leaf { estimated_bytes: count, device, ..leaf });
                }
                Mark::OnDevice(device) => {
                    own.add_leaf(Leaf { device, ..Leaf::new(LeafKind::Data, role, count) });
                }
            }
        }
    }

    fn counts(&self, index: u32) -> Counts {
        counts(self.state, &self.state.nodes[index as usize])
    }

    /// Adds up a node and everything below it as `[data]` leaves.
    fn collapse(&self, index: u32, role: Role, own: &mut Own) {
        for leaf in self.leaves(index, role) {
            own.add_leaf(Leaf { kind: LeafKind::Data, ..leaf });
        }
        self.add_marks(index, role, |_| LeafKind::Data, own);
        // The sum replaces the buffers below the node, so their excess capacity is not reported.
        own.counts += Counts {
            values: 0,
            buffer_bytes: 0,
            shrinkable_bytes: 0,
            compactable_bytes: 0,
            ..self.counts(index)
        };
        self.children(index).for_each(|child| self.collapse(child, role, own));
    }
}

impl<'w> NodeSource<'w> for WalkSource<'w> {
    type Node = Node;

    fn visit(&self, node: Node, own: &mut Own, children: &mut Vec<(&'w str, Node)>) {
        let Node { index, role } = node;
        let grown = &self.state.nodes[index as usize];
        let role = grown.field.role.unwrap_or(role);
        if grown.field.leaf {
            self.collapse(index, role, own);
            own.counts += Counts { values: grown.values, ..Counts::default() };
            return;
        }
        self.leaves(index, role).for_each(|leaf| own.add_leaf(leaf));
        self.add_marks(index, role, |kind| kind, own);
        own.counts += self.counts(index);
        let state = self.state;
        for index in self.children(index) {
            let (child, node) = (&state.nodes[index as usize], Node { index, role });
            if child.field.frameless {
                self.visit(node, own, children);
            } else {
                children.push((state.name_of(child), node));
            }
        }
    }

    /// Prefetches a node. The nodes are in the order in which the walk met them, so visits in the
    /// order of names would miss the cache.
    fn prefetch(&self, node: Node) {
        let index = node.index as usize;
        prefetch((&raw const self.links[index]).addr());
        let start = (&raw const self.state.nodes[index]).addr();
        // These lines contain the node and the next three, which are usually its fields.
        (0..8).for_each(|line| prefetch(start + 64 * line));
    }

    fn intern_name(&mut self, name: &'w str, _: Node) -> Name {
        add_name(&mut self.names, name)
    }
}

fn counts(state: &WalkState, node: &state::Node) -> Counts {
    let rare = state.rare_of(node);
    // Most buffers have no excess capacity. The advice does not use the size of such a buffer.
    let has_excess = state.bytes_of(node, LeafKind::Spare) > 0
        || node.excess.shrinkable > 0
        || rare.compactable > 0;
    Counts {
        values: node.values,
        allocations: node.allocations,
        nodes: rare.tree_nodes,
        shared_allocations: rare.shared_allocations,
        handles: rare.handles,
        buffer_bytes: if has_excess { node.excess.buffers } else { 0 },
        shrinkable_bytes: node.excess.shrinkable,
        compactable_bytes: rare.compactable,
        duplicates: rare.duplicates,
        duplicate_bytes: rare.duplicate_bytes,
    }
}

/// Returns whether the walk found anything at the node itself.
fn has_content(state: &WalkState, node: &state::Node) -> bool {
    node.is_marked()
        || counts(state, node) != Counts::default()
        || state.all_bytes(node).iter().any(|&bytes| bytes > 0)
}
