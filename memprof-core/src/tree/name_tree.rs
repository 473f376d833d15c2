//! A complete tree of names: in detail, in its plain form, made from counters, or joined from several
//! trees.
//!
//! In the plain form, each bracketed frame is merged into the line that it describes:
//!
//! - `[shared]` is removed. Its leaves join the handle's line, and its branches join the handle's
//!   branches by name. So a path does not depend on the number of handles.
//! - `[keys]` joins the map's line unless there are names below it. Its leaves are marked as bytes
//!   of keys.
//! - `[other]` stays, because it represents entries that have names.

use crate::sort::sort_by;
use crate::tree::branch::{Branch, BranchId, Branches, Counts, Leaf, MAX_DEPTH, Name};
use crate::tree::build::{BranchList, NodeSource, Own, add_name, merge};
use crate::words::{Device, KEYS, LeafKind, Origin, Role, SHARED};
use std::borrow::Cow;

/// A tree of names whose leaves carry bytes.
///
/// Trees are equal if they have the same origin, and the same branches with equal names, leaves and
/// counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct NameTree {
    pub(crate) names: String,
    pub(crate) branches: Branches,
}

impl NameTree {
    /// Joins several trees into one, each below the new root. Trees with the same name add up.
    ///
    /// Memory that several trees share is counted in each tree. The origin of the result is the
    /// least exact origin of the parts.
    pub fn joined<'p>(name: &'p str, parts: impl IntoIterator<Item = &'p Self>) -> Self {
        let (names, branches) = joined(name, parts.into_iter().map(Self::root));
        Self { names, branches }
    }

    /// Returns a tree of counters. Each leaf is a path below the new root, the device of the bytes,
    /// and their number.
    ///
    /// Bytes with the same path and device add up. A counter with the value 0 is still a branch.
    /// Frames beyond [`MAX_DEPTH`](crate::tree::MAX_DEPTH) are left out.
    pub fn of_counters(
        name: &str,
        leaves: impl IntoIterator<Item = (Vec<String>, Device, u64)>,
    ) -> Self {
        let (names, branches) = tree_of_counters(name, leaves.into_iter().collect());
        Self { names, branches }
    }

    /// Returns the root.
    pub fn root(&self) -> Branch<'_> {
        self.branches.root(&self.names)
    }

    /// Returns all bytes.
    pub fn total_bytes(&self) -> u64 {
        self.branches.bytes()
    }

    /// Returns the kind of source that the tree was made from.
    pub fn origin(&self) -> Origin {
        self.branches.origin
    }

    /// Returns the plain form: the tree without the bracketed frames that only describe the line
    /// above them.
    ///
    /// # Cost
    /// Reads the name of every branch. Builds another tree if it finds such a frame, and copies
    /// nothing otherwise.
    pub fn plain(&self) -> Plain<'_> {
        Plain::of(&self.names, &self.branches)
    }

    /// Returns the tree with all its frames, as the type that [`plain`](Self::plain) returns.
    pub fn detailed(&self) -> Plain<'_> {
        Plain::detailed(&self.names, &self.branches)
    }
}

/// A tree in its plain form. The names are those of the original tree.
#[derive(Debug)]
pub struct Plain<'p> {
    names: &'p str,
    branches: Cow<'p, Branches>,
}

impl<'p> Plain<'p> {
    /// Builds the plain form.
    pub(crate) fn of(names: &'p str, branches: &'p Branches) -> Self {
        let root = branches.root(names);
        if !root.subtree().any(is_bracketed) {
            return Self::detailed(names, branches);
        }
        let node = Node { id: BranchId::ROOT, of_keys: false };
        let mut source = PlainSource { names, branches };
        let merged =
            merge(&mut source, [(root.name(), node)].into_iter()).with_origin(branches.origin);
        Self { names, branches: Cow::Owned(merged) }
    }

    /// Returns the tree as it is, with its bracketed frames.
    fn detailed(names: &'p str, branches: &'p Branches) -> Self {
        Self { names, branches: Cow::Borrowed(branches) }
    }

    /// Returns the root.
    pub fn root(&self) -> Branch<'_> {
        self.branches.root(self.names)
    }

    /// Returns a branch by its number.
    pub fn at(&self, id: BranchId) -> Branch<'_> {
        self.branches.at(id, self.names)
    }

    /// Returns the name of one of the branches, with the lifetime of the original tree.
    pub fn name(&self, branch: Branch<'_>) -> &'p str {
        self.branches.name(branch.id()).of(self.names)
    }
}

fn is_bracketed(branch: Branch<'_>) -> bool {
    matches!(branch.name(), KEYS | SHARED)
}

/// Returns whether any branch below this one has a name of its own.
fn has_names(branch: Branch<'_>) -> bool {
    branch.children().any(|child| !is_bracketed(child) || has_names(child))
}

struct PlainSource<'p> {
    names: &'p str,
    branches: &'p Branches,
}

#[derive(Clone, Copy)]
struct Node {
    id: BranchId,
    of_keys: bool,
}

impl<'p> NodeSource<'p> for PlainSource<'p> {
    type Node = Node;

    fn visit(&self, node: Node, own: &mut Own, below: &mut Vec<(&'p str, Node)>) {
        flatten(self.branches.at(node.id, self.names), node.of_keys, own, below);
    }

    fn intern_name(&mut self, _: &'p str, node: Node) -> Name {
        self.branches.name(node.id)
    }
}

fn flatten<'p>(branch: Branch<'p>, of_keys: bool, own: &mut Own, below: &mut Vec<(&'p str, Node)>) {
    for &leaf in branch.leaves() {
        own.add_leaf(Leaf { of_keys, ..leaf });
    }
    let mut counts = branch.counts();
    if of_keys {
        // Keys are not values of the map, so only the counts of their allocations and handles are
        // kept.
        counts = Counts { values: 0, nodes: 0, ..counts };
    }
    own.counts += counts;
    branch.opaque().for_each(|(reason, count)| own.add_opaque(reason, count));
    for child in branch.children() {
        match child.name() {
            SHARED => flatten(child, of_keys, own, below),
            KEYS if !has_names(child) => flatten(child, true, own, below),
            name => below.push((name, Node { id: child.id(), of_keys: false })),
        }
    }
}

/// A path below the root, the device of the bytes there, and the number of bytes.
type Counter = (Vec<String>, Device, u64);

/// Returns the names and branches of a tree with these leaves. Leaves with the same path and device
/// add up.
///
/// A counter with the value 0 still becomes a branch, because the value is known.
fn tree_of_counters(root: &str, mut leaves: Vec<Counter>) -> (String, Branches) {
    for (path, ..) in &mut leaves {
        path.truncate(MAX_DEPTH - 1);
    }
    sort_by(&mut leaves, Counter::cmp);
    let mut names = String::new();
    let mut builder = BranchList::default();
    let mut rest = leaves.as_slice();
    let own = own(&mut rest, &[]);
    let name = add_name(&mut names, root);
    builder.begin(name, &own);
    let mut open: Vec<String> = Vec::new();
    while let Some((path, ..)) = rest.first() {
        let shared = open.iter().zip(path).take_while(|(a, b)| a == b).count();
        open.drain(shared..).for_each(|_| builder.end());
        for depth in shared..path.len() {
            // The leaves at a path precede those below it.
            let own =
                if depth + 1 == path.len() { take_next_own(&mut rest) } else { Own::default() };
            let name = add_name(&mut names, &path[depth]);
            builder.begin(name, &own);
            open.push(path[depth].clone());
        }
    }
    open.drain(..).for_each(|_| builder.end());
    builder.end();
    (names, builder.finish().with_origin(Origin::Counters))
}

/// Returns the contents at the path of the first leaf.
fn take_next_own(rest: &mut &[Counter]) -> Own {
    let leaves = *rest;
    leaves.first().map_or_else(Own::default, |(path, ..)| own(rest, path))
}

/// Takes the leaves at `path`, which come first if there are any.
fn own(rest: &mut &[Counter], path: &[String]) -> Own {
    let mut own = Own::default();
    let here = rest.iter().take_while(|leaf| leaf.0 == path).count();
    for &(_, device, bytes) in rest[..here].iter().filter(|leaf| leaf.2 > 0) {
        own.add_leaf(Leaf::new(LeafKind::Data, Role::default(), bytes).on(device));
    }
    *rest = &rest[here..];
    own
}

/// Returns the names and branches of a tree whose root has `parts` directly below it.
///
/// Parts with the same name become one branch. The origin of the tree is the least exact origin of
/// its parts.
fn joined<'p>(root: &'p str, parts: impl Iterator<Item = Branch<'p>>) -> (String, Branches) {
    let parts: Vec<Branch<'p>> = parts.collect();
    let origin = parts.iter().map(|part| part.origin()).max();
    let mut source = JoinSource { parts, names: String::new() };
    let branches = merge(&mut source, [(root, None)].into_iter());
    (source.names, branches.with_origin(origin.unwrap_or_default()))
}

struct JoinSource<'p> {
    parts: Vec<Branch<'p>>,
    names: String,
}

impl<'p> NodeSource<'p> for JoinSource<'p> {
    /// `None` is the new root, which belongs to no part.
    type Node = Option<Branch<'p>>;

    fn visit(&self, node: Self::Node, own: &mut Own, below: &mut Vec<(&'p str, Self::Node)>) {
        let Some(branch) = node else {
            below.extend(self.parts.iter().map(|part| (part.name(), Some(*part))));
            return;
        };
        branch.leaves().iter().for_each(|leaf| own.add_leaf(*leaf));
        branch.opaque().for_each(|(reason, count)| own.add_opaque(reason, count));
        own.counts += branch.counts();
        below.extend(branch.children().map(|child| (child.name(), Some(child))));
    }

    fn intern_name(&mut self, name: &'p str, _: Self::Node) -> Name {
        add_name(&mut self.names, name)
    }
}
