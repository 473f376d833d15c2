//! A complete tree of names.

use crate::device::Device;
use crate::origin::Origin;
use crate::tree::branch::{Branch, Branches};
use crate::tree::from_counters::tree_of_counters;
use crate::tree::joined::joined;
use crate::tree::plain::Plain;

/// A tree of names whose leaves carry bytes.
///
/// Trees are equal if they have the same origin, and the same branches with equal names, leaves and
/// counts.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct NameTree {
    pub(super) names: String,
    pub(super) branches: Branches,
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

    /// Returns a branch by its index in the list of all branches.
    pub(crate) fn branch(&self, index: u32) -> Branch<'_> {
        self.branches.at(index, &self.names)
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
