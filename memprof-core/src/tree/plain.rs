//! The plain form of a tree: names only. Each bracketed frame is merged into the line that it
//! describes.
//!
//! - `[shared]` is removed. Its leaves join the handle's line, and its branches join the handle's
//!   branches by name. So a path does not depend on the number of handles.
//! - `[keys]` joins the map's line unless there are names below it. Its leaves are marked as bytes
//!   of keys.
//! - `[other]` stays, because it represents entries that have names.

use crate::frame::{KEYS, SHARED};
use crate::tree::branch::{Branch, Branches, Name};
use crate::tree::counts::Counts;
use crate::tree::leaf::Leaf;
use crate::tree::merge::{NodeSource, merge};
use crate::tree::own::Own;
use std::borrow::Cow;

/// A tree in its plain form. The names are those of the original tree.
#[derive(Debug)]
pub struct Plain<'p> {
    names: &'p str,
    branches: Cow<'p, Branches>,
}

impl<'p> Plain<'p> {
    /// Builds the plain form.
    pub(super) fn of(names: &'p str, branches: &'p Branches) -> Self {
        let root = branches.root(names);
        if !root.subtree().any(is_bracketed) {
            return Self::detailed(names, branches);
        }
        let node = Node { index: 0, of_keys: false };
        let mut source = PlainSource { names, branches };
        let merged =
            merge(&mut source, [(root.name(), node)].into_iter()).with_origin(branches.origin);
        Self { names, branches: Cow::Owned(merged) }
    }

    /// Returns the tree as it is, with its bracketed frames.
    pub(super) fn detailed(names: &'p str, branches: &'p Branches) -> Self {
        Self { names, branches: Cow::Borrowed(branches) }
    }

    /// Returns the root.
    pub fn root(&self) -> Branch<'_> {
        self.branches.root(self.names)
    }

    /// Returns a branch by its index in the list.
    pub fn at(&self, index: u32) -> Branch<'_> {
        self.branches.at(index, self.names)
    }

    /// Returns the name of one of the branches, with the lifetime of the original tree.
    pub fn name(&self, branch: Branch<'_>) -> &'p str {
        self.branches.name(branch.index()).of(self.names)
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
    index: u32,
    of_keys: bool,
}

impl<'p> NodeSource<'p> for PlainSource<'p> {
    type Node = Node;

    fn visit(&self, node: Node, own: &mut Own, below: &mut Vec<(&'p str, Node)>) {
        flatten(self.branches.at(node.index, self.names), node.of_keys, own, below);
    }

    fn intern_name(&mut self, _: &'p str, node: Node) -> Name {
        self.branches.name(node.index)
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
            name => below.push((name, Node { index: child.index(), of_keys: false })),
        }
    }
}
