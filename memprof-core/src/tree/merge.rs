//! A builder of a tree from nodes, such as the paths of a walk. Nodes with the same path become one
//! branch, and siblings are sorted by name.
//!
//! Nodes are prefetched, because those of a million names are not in a cache.

use crate::layout::prefetch;
use crate::sort::sort_by_text;
use crate::tree::branch::{Branches, Name};
use crate::tree::build::{BranchList, Own};
use core::ops::Range;

/// The number of nodes between the prefetch of a node and its visit.
const AHEAD: usize = 6;

/// A hierarchy of named nodes.
pub(crate) trait NodeSource<'f> {
    type Node: Copy;

    /// Adds the contents at a node to `own`, and the nodes below it with their names to `below`.
    fn visit(&self, node: Self::Node, own: &mut Own, below: &mut Vec<(&'f str, Self::Node)>);

    /// Prefetches a node that will be visited soon. A small source need not prefetch.
    fn prefetch(&self, node: Self::Node) {
        let _ = node;
    }

    /// Returns the range of a branch's name in the text of all names. `node` is one of the branch's
    /// nodes.
    fn intern_name(&mut self, name: &'f str, node: Self::Node) -> Name;
}

/// Returns the tree whose root consists of the given nodes.
pub(crate) fn merge<'f, F: NodeSource<'f>>(
    source: &mut F,
    roots: impl ExactSizeIterator<Item = (&'f str, F::Node)>,
) -> Branches {
    let end = roots.len();
    let mut below = Vec::with_capacity(16);
    below.extend(roots);
    let mut merger = Merger { source, below, own: Own::default(), builder: BranchList::default() };
    merger.branch(0..end);
    merger.builder.finish()
}

struct Merger<'m, 'f, F: NodeSource<'f>> {
    source: &'m mut F,
    /// A stack with the nodes below each branch, from the root to the current branch.
    below: Vec<(&'f str, F::Node)>,
    own: Own,
    builder: BranchList,
}

impl<'f, F: NodeSource<'f>> Merger<'_, 'f, F> {
    /// Adds the branch of a group of nodes. The depth of the recursion is the nesting depth of
    /// types, not of values.
    fn branch(&mut self, group: Range<usize>) {
        let (name, node) = self.below[group.start];
        let start = self.below.len();
        self.own.clear();
        for member in group {
            self.source.visit(self.below[member].1, &mut self.own, &mut self.below);
        }
        self.builder.begin(self.source.intern_name(name, node), &self.own);
        let below = &mut self.below[start..];
        // Nodes from a single branch of a finished tree are already sorted. The check avoids
        // sorting a million keys again.
        if !below.is_sorted_by_key(|node| node.0) {
            sort_by_text(below, |node| node.0.as_bytes(), |byte| byte);
        }
        let end = self.below.len();
        let mut first = start;
        while first < end {
            if let Some(later) = self.below[first..end].get(AHEAD) {
                prefetch(later.0.as_ptr().addr());
                self.source.prefetch(later.1);
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
