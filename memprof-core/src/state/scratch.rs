//! Scratch trees: values are visited into a tree of their own, whose counters are then added to
//! another tree times a weight.
//!
//! The cost is that of the nodes which the values touched, however large the other tree is.
//!
//! [`Folds`] are the nodes to which recursive types fold, for walks that leave values out. A value that
//! folds adds its bytes to the fields of an enclosing value. So values that a walk
//! leaves out may own bytes above the node at which they are marked.

use crate::list::List;
use crate::shape::{NodeId, Position};
use crate::state::{Bracket, Child, Mark, UNNAMED, WalkState};
use crate::words::OpaqueReason;

/// A root of a scratch tree. Values below one root never fold to the fields of values below another.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ScratchRoot {
    pub(crate) node: NodeId,
    /// The node of the handle that led to the values; none at the first root.
    pub(crate) handle: Child,
    pub(crate) strong: usize,
    /// The part of the values that counts.
    pub(crate) part: f64,
}

/// The place of a scratch node in the other tree.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) node: NodeId,
    /// The index of the root above the scratch node.
    pub(crate) root: usize,
}

impl WalkState {
    /// Removes everything, and makes this a scratch tree. Returns its first root.
    ///
    /// Node 0 is above all roots and stays empty.
    pub(crate) fn begin_scratch(&mut self) -> ScratchRoot {
        let Self { mut nodes, mut rare, mut field_sets, mut marks, mut others, .. } =
            core::mem::take(self);
        nodes.0.clear();
        rare.0.clear();
        field_sets.clear();
        marks.0.clear();
        others.0.clear();
        *self = Self { nodes, rare, field_sets, marks, others, ..Self::default() };
        // A sum over several draws would have parts of different weights.
        self.end_sums();
        self.add(&UNNAMED, NodeId::ROOT);
        ScratchRoot { node: self.add_scratch_root(), handle: Child::NONE, strong: 1, part: 1.0 }
    }

    pub(crate) fn add_scratch_root(&mut self) -> NodeId {
        self.add(&UNNAMED, NodeId::ROOT)
    }

    pub(crate) fn scratch_root(&self, mut node: NodeId) -> NodeId {
        while self.nodes[node].parent != NodeId::ROOT {
            node = self.nodes[node].parent;
        }
        node
    }

    /// Finds or adds a node of this tree for each node of a scratch tree whose first root is at
    /// `at`. Types fold, and maps name entries, as if the values had been visited into this tree.
    pub(crate) fn places_of(
        &mut self,
        scratch: &Self,
        roots: &[ScratchRoot],
        at: NodeId,
        places: &mut List<Place, NodeId>,
    ) {
        places.0.clear();
        places.push(Place { node: NodeId::ROOT, root: 0 });
        let (mut field_sets, mut roots) = (scratch.field_sets.iter(), roots.iter().enumerate());
        let (mut next_set, mut next_root) = (field_sets.next(), roots.next());
        // The nodes of a field set are consecutive, and a parent precedes its children.
        while let Some(node) = scratch.nodes.0.get(places.len()) {
            let number = places.next();
            if let Some((root, new)) = next_root.filter(|(_, root)| root.node == number) {
                let node = match new.handle.get() {
                    None => at,
                    Some(handle) => self.find_or_add(Bracket::Shared, places[handle].node),
                };
                places.push(Place { node, root });
                next_root = roots.next();
                continue;
            }
            if let Some(set) = next_set.filter(|set| set.base == number) {
                let owner = places[set.owner];
                let base = self.first_field(Position::node(owner.node), set.shape);
                let fields = 0..set.shape.fields.len().max(1) as u32;
                places.0.extend(fields.map(|field| Place { node: base.plus(field), ..owner }));
                next_set = field_sets.next();
                continue;
            }
            let parent = places[node.parent];
            let type_name = || scratch.types.values().find(|(node, _)| *node == number);
            let node = if core::ptr::eq(node.field, Bracket::Keys.field()) {
                self.find_or_add(Bracket::Keys, parent.node)
            } else if let Some((_, type_name)) = type_name() {
                self.node_of_type(Position::node(parent.node), type_name)
            } else {
                self.entry_of_scratch(scratch, node.parent, parent.node, scratch.name_of(node))
            };
            places.push(Place { node, ..parent });
        }
        // Types that fold have no node in the scratch tree. The marks of this tree must fold too.
        for (&(objects, _), (_, type_name)) in &scratch.types {
            self.node_of_type(Position::node(places[objects].node), type_name);
        }
    }

    fn entry_of_scratch(
        &mut self,
        scratch: &Self,
        map: NodeId,
        here: NodeId,
        name: &str,
    ) -> NodeId {
        let at = Position::node(here);
        if self.nodes[here].is_entry() && !scratch.nodes[map].is_entry() {
            // A keyed map that is itself an entry names no entries.
            return here;
        }
        let cap = scratch.rare_of(&scratch.nodes[map]).cap;
        self.named_entry(at, name, cap as usize)
    }
}

const UNVISITED: Mark = Mark::Opaque(OpaqueReason::Stopped);

/// For each node, the highest node to whose fields the values at and below the node fold.
pub(crate) struct Folds(List<NodeId, NodeId>);

impl Folds {
    /// Returns the node that contains everything that values at `node` and below it add.
    pub(crate) fn root_of(&self, node: NodeId) -> NodeId {
        self.0[node]
    }
}

impl WalkState {
    pub(crate) fn folds(&self) -> Folds {
        let mut roots: List<NodeId, NodeId> = self.nodes.numbers().collect();
        self.each_fold(|node, owner| roots[node] = roots[node].min(owner));
        // Parents precede their children, so the smaller of two nodes on a path is above the other.
        for (number, node) in self.nodes.numbered().rev() {
            roots[node.parent] = roots[node.parent].min(roots[number]);
        }
        for node in self.nodes.numbers() {
            roots[node] = roots[roots[node]];
        }
        Folds(roots)
    }

    /// Calls `receive` with each node whose values add to the fields of an enclosing value, and with
    /// the node of that value.
    fn each_fold(&self, mut receive: impl FnMut(NodeId, NodeId)) {
        for (number, node) in self.nodes.numbered() {
            let bases = [node.base, node.keys, node.shared];
            let bases = bases.into_iter().chain(self.others(number).map(|other| other.base));
            for first in bases.filter_map(Child::get) {
                let owner = self.nodes[first].parent;
                if owner < number {
                    receive(number, owner);
                }
            }
        }
        for (&(number, _), &(owner, _)) in &self.types {
            if owner < number {
                receive(number, owner);
            }
        }
    }

    /// Moves the marks of values that were not visited to the nodes that contain everything that
    /// these values may add.
    pub(crate) fn raise_unvisited(&mut self, folds: &Folds) {
        for node in self.nodes.numbers() {
            let root = folds.root_of(node);
            if root == node {
                continue;
            }
            let mut next = self.nodes[node].marks;
            while let Some(marked) = next.map(|marked| &mut self.marks[marked]) {
                if marked.mark == UNVISITED {
                    let count = core::mem::take(&mut marked.count);
                    if count != 0 {
                        self.mark(root, UNVISITED, count);
                    }
                    break;
                }
                next = marked.next;
            }
        }
    }

    /// Returns the nodes that may have bytes of shared allocations, with all of their bytes.
    pub(crate) fn shared_bytes(&self) -> Vec<(NodeId, u64)> {
        let is_anywhere = self.has_shared_elsewhere();
        let mut is_shared = List::<bool, NodeId>::from(vec![is_anywhere; self.nodes.len()]);
        let mut found = Vec::new();
        for (number, node) in self.nodes.numbered() {
            let is_here = self.nodes[node.parent].shared.get() == Some(number);
            is_shared[number] |= is_here || is_shared[node.parent];
            if is_shared[number] {
                found.push((number, self.all_bytes(node).into_iter().fold(0, u64::saturating_add)));
            }
        }
        found
    }

    /// Returns whether bytes of shared allocations may be at nodes that are not below a `[shared]`
    /// node.
    fn has_shared_elsewhere(&self) -> bool {
        let mut found = !self.followed.targets.is_empty();
        self.each_fold(|mut node, owner| {
            while node != owner && !found {
                let parent = self.nodes[node].parent;
                found = self.nodes[parent].shared.get() == Some(node);
                node = parent;
            }
        });
        found
    }
}
