//! Builders of trees: a list of branches, in which each precedes those below it, and what a branch
//! has of its own.
//!
//! [`merge`] builds a tree from nodes, such as the paths of a walk. Nodes with the same path become one
//! branch, and siblings are sorted by name.
//!
//! Nodes are prefetched, because those of a million names are not in a cache.

use crate::layout::prefetch;
use crate::sort::sort_by_text;
use crate::tree::branch::{BranchId, Branches, Counts, Fact, Leaf, Name, Record};
use crate::tree::name_tree::NameTree;
use crate::words::{OpaqueReason, Origin};
use core::ops::Range;

/// A branch's own contents.
#[derive(Debug, Default)]
pub struct Own {
    /// The leaves, sorted by key, without duplicate keys.
    pub(crate) leaves: Vec<Leaf>,
    /// The counts at the branch.
    pub counts: Counts,
    /// The number of values for each opaque reason, sorted by reason, without duplicates.
    pub(crate) opaque: Vec<(OpaqueReason, u64)>,
}

impl Own {
    /// Returns the leaves, sorted by key.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// Returns the opaque reasons, each with its number of values, sorted by reason.
    pub fn opaque(&self) -> &[(OpaqueReason, u64)] {
        &self.opaque
    }

    /// Adds a leaf. Bytes with the same [key](Leaf::key) add up.
    pub fn add_leaf(&mut self, leaf: Leaf) {
        match self.leaves.binary_search_by_key(&leaf.key(), Leaf::key) {
            Ok(known) => {
                let known = &mut self.leaves[known];
                known.bytes = known.bytes.saturating_add(leaf.bytes);
                known.estimated_bytes = known.estimated_bytes.saturating_add(leaf.estimated_bytes);
            }
            Err(index) => self.leaves.insert(index, leaf),
        }
    }

    /// Adds values that were not read, with the reason.
    pub fn add_opaque(&mut self, reason: OpaqueReason, count: u64) {
        match self.opaque.binary_search_by_key(&reason, |known| known.0) {
            Ok(known) => self.opaque[known].1 = self.opaque[known].1.saturating_add(count),
            Err(index) => self.opaque.insert(index, (reason, count)),
        }
    }

    /// Removes all contents but keeps the memory for reuse.
    pub fn clear(&mut self) {
        self.leaves.clear();
        self.counts = Counts::default();
        self.opaque.clear();
    }
}

/// Appends a name to the text of all names.
pub(crate) fn add_name(names: &mut String, name: &str) -> Name {
    let at = names.len();
    let mut len = u32::try_from(name.len()).unwrap_or(u32::MAX);
    while !name.is_char_boundary(len as usize) {
        len -= 1;
    }
    names.push_str(&name[..len as usize]);
    Name { at, len }
}

/// The branches of a tree being built, without their names.
#[derive(Debug, Default)]
pub(crate) struct BranchList {
    branches: Branches,
    /// The open branches, from the root down.
    open: Vec<BranchId>,
    overflowed: bool,
}

impl BranchList {
    /// Begins a branch below the innermost open one and returns its number.
    pub(crate) fn begin(&mut self, name: Name, own: &Own) -> BranchId {
        let branches = &mut self.branches;
        let (leaves, facts) = (branches.leaves.len() as u32, branches.facts.len() as u32);
        branches.leaves.extend_from_slice(&own.leaves);
        for (field, count) in own.counts.to_array().into_iter().enumerate() {
            if count > 0 {
                branches.facts.push(Fact::Count(field as u8));
                branches.amounts.push(count);
            }
        }
        branches.facts.extend(own.opaque.iter().map(|&(reason, _)| Fact::Opaque(reason)));
        branches.amounts.extend(own.opaque.iter().map(|&(_, count)| count));
        let end = BranchId::ROOT;
        let id = branches.records.push(Record { name, end, leaves, facts, bytes: 0 });
        self.open.push(id);
        own.leaves.iter().for_each(|leaf| self.add_bytes(id, leaf.bytes));
        id
    }

    /// Ends the innermost open branch.
    pub(crate) fn end(&mut self) {
        let Some(id) = self.open.pop() else { return };
        let end = self.branches.records.next();
        let record = &mut self.branches.records[id];
        record.end = end;
        let bytes = record.bytes;
        if let Some(&parent) = self.open.last() {
            self.add_bytes(parent, bytes);
        }
    }

    /// Returns the branches. All of them must have ended.
    pub(crate) fn finish(mut self) -> Branches {
        debug_assert!(self.open.is_empty(), "a branch did not end");
        // In a small tree, the unused capacity is not worth a reallocation.
        if self.branches.records.len() > 64 {
            self.branches.records.0.shrink_to_fit();
            self.branches.leaves.shrink_to_fit();
            self.branches.facts.shrink_to_fit();
            self.branches.amounts.shrink_to_fit();
        }
        self.branches
    }

    fn add_bytes(&mut self, id: BranchId, bytes: u64) {
        let sum = &mut self.branches.records[id].bytes;
        self.overflowed |= sum.checked_add(bytes).is_none();
        *sum = sum.saturating_add(bytes);
    }
}

/// A builder of a tree, for example from a file. Begin a branch, add the branches below it, then
/// end it.
///
/// ```
/// use memprof_core::tree::{Builder, Leaf, LeafKind, Origin, Own, Role};
///
/// let mut builder = Builder::default();
/// builder.begin("root", &Own::default());
/// let mut own = Own::default();
/// own.add_leaf(Leaf::new(LeafKind::Data, Role::Data, 12));
/// builder.begin("name", &own);
/// builder.end();
/// builder.end();
/// assert_eq!(builder.finish(Origin::Folded).total_bytes(), 12);
/// ```
#[derive(Debug, Default)]
pub struct Builder {
    names: String,
    branches: BranchList,
}

impl Builder {
    /// Begins a branch below the innermost open one and returns its number.
    ///
    /// The branches directly below a branch must be added in the order of their names.
    pub fn begin(&mut self, name: &str, own: &Own) -> BranchId {
        let name = add_name(&mut self.names, name);
        self.branches.begin(name, own)
    }

    /// Ends the innermost open branch. Does nothing if none is open.
    pub fn end(&mut self) {
        self.branches.end();
    }

    /// Returns the open branches, from the root down.
    pub fn open(&self) -> &[BranchId] {
        &self.branches.open
    }

    /// Returns whether a sum overflowed. Such a sum is `u64::MAX`.
    pub fn overflowed(&self) -> bool {
        self.branches.overflowed
    }

    /// Returns the bytes found so far in a branch.
    ///
    /// # Panics
    /// Panics if there is no such branch.
    pub fn bytes(&self, id: BranchId) -> u64 {
        self.branches.branches.records[id].bytes
    }

    /// Returns the name of a branch.
    ///
    /// # Panics
    /// Panics if there is no such branch.
    pub fn name(&self, id: BranchId) -> &str {
        self.branches.branches.name(id).of(&self.names)
    }

    /// Ends all open branches and returns the tree.
    ///
    /// # Panics
    /// Panics if no branch was begun.
    pub fn finish(mut self, origin: Origin) -> NameTree {
        assert!(self.branches.branches.records.len() > 0, "a tree has a root");
        while !self.open().is_empty() {
            self.end();
        }
        self.names.shrink_to_fit();
        NameTree { names: self.names, branches: self.branches.finish().with_origin(origin) }
    }
}

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
