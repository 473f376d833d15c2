//! Builds a tree from nodes of which several may have one path: they become one branch.

use crate::layout::prefetch;
use crate::tree::branch::Name;
use crate::tree::{BranchList, Branches, sort_by_text};
use crate::{Counts, Leaf, Opaque};
use core::ops::Range;

/// How many nodes earlier the memory of a node is asked for.
const AHEAD: usize = 6;

/// Nodes with names, below each other.
pub(super) trait Forest<'f> {
    type Node: Copy;

    /// Adds what is right at a node to `own`, and the nodes below it with their names to `below`.
    fn visit(&self, node: Self::Node, own: &mut Own, below: &mut Vec<(&'f str, Self::Node)>);

    /// Says that a node will be visited soon; to ask for its memory, if it is many.
    fn prefetch(&self, node: Self::Node) {
        let _ = node;
    }

    /// Where the name of a branch stands, of whose nodes this is one.
    fn place(&mut self, name: &'f str, node: Self::Node) -> Name;
}

/// What is right at a branch.
#[derive(Debug, Default)]
pub struct Own {
    /// In the order of their keys, no two with the same.
    pub(super) leaves: Vec<Leaf>,
    /// What was counted.
    pub counts: Counts,
    /// In the order of the reasons, no two with the same.
    pub(super) opaque: Vec<(Opaque, u64)>,
}

impl Own {
    /// The leaves, in the order of their keys.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// How many values could not be seen, and why, in the order of the reasons.
    pub fn opaque(&self) -> &[(Opaque, u64)] {
        &self.opaque
    }

    /// Adds a leaf; bytes of one [key](Leaf::key) add up.
    pub fn add_leaf(&mut self, leaf: Leaf) {
        match self.leaves.binary_search_by_key(&leaf.key(), Leaf::key) {
            Ok(known) => {
                let known = &mut self.leaves[known];
                known.bytes = known.bytes.saturating_add(leaf.bytes);
                known.estimated_bytes = known.estimated_bytes.saturating_add(leaf.estimated_bytes);
            }
            Err(place) => self.leaves.insert(place, leaf),
        }
    }

    /// Adds values that could not be seen.
    pub fn add_opaque(&mut self, why: Opaque, count: u64) {
        match self.opaque.binary_search_by_key(&why, |known| known.0) {
            Ok(known) => self.opaque[known].1 = self.opaque[known].1.saturating_add(count),
            Err(place) => self.opaque.insert(place, (why, count)),
        }
    }

    /// Leaves nothing, but for the memory to use again.
    pub fn clear(&mut self) {
        self.leaves.clear();
        self.counts = Counts::default();
        self.opaque.clear();
    }
}

/// The tree whose root is made of the nodes given.
pub(super) fn merge<'f, F: Forest<'f>>(forest: &mut F, roots: Vec<(&'f str, F::Node)>) -> Branches {
    let end = roots.len();
    let mut merging =
        Merging { forest, below: roots, own: Own::default(), builder: BranchList::default() };
    merging.branch(0..end);
    merging.builder.finish()
}

struct Merging<'m, 'f, F: Forest<'f>> {
    forest: &'m mut F,
    /// A stack: the nodes below each branch on the way from the root to the one at hand.
    below: Vec<(&'f str, F::Node)>,
    own: Own,
    builder: BranchList,
}

impl<'f, F: Forest<'f>> Merging<'_, 'f, F> {
    /// Recursion is as deep as types nest, not as values do.
    fn branch(&mut self, group: Range<usize>) {
        let (name, node) = self.below[group.start];
        let start = self.below.len();
        self.own.clear();
        for member in group {
            self.forest.visit(self.below[member].1, &mut self.own, &mut self.below);
        }
        self.builder.begin(self.forest.place(name, node), &self.own);
        let below = &mut self.below[start..];
        // The nodes of a single branch are sorted already; a million keys need not be sorted again.
        if !below.is_sorted_by_key(|node| node.0) {
            sort_by_text(below, |node| node.0.as_bytes(), |byte| byte);
        }
        let end = self.below.len();
        let mut first = start;
        while first < end {
            if let Some(later) = self.below[first..end].get(AHEAD) {
                prefetch(later.0.as_ptr().addr());
                self.forest.prefetch(later.1);
            }
            let name = self.below[first].0;
            let same = self.below[first..end].iter().take_while(|node| node.0 == name).count();
            self.branch(first..first + same);
            first += same;
        }
        self.below.truncate(start);
        self.builder.end();
    }
}
