//! A whole tree of names.

use crate::tree::counted::counted;
use crate::tree::joined::joined;
use crate::tree::{Branch, Branches, Plain};
use crate::{Device, Origin};

/// A tree of names whose leaves carry bytes.
///
/// Equal trees have the same branches with the same names, leaves and counts, and the same origin.
#[derive(Clone, Debug, PartialEq, Eq)]
#[must_use]
pub struct NameTree {
    pub(super) names: String,
    pub(super) branches: Branches,
}

impl NameTree {
    /// Returns one tree of several, each below a new root. Trees of one name add up.
    ///
    /// Memory that several of them share counts in each. The whole has the least exact origin of the
    /// parts.
    pub fn joined<'p>(name: &'p str, parts: impl IntoIterator<Item = &'p Self>) -> Self {
        let (names, branches) = joined(name, parts.into_iter().map(Self::root));
        Self { names, branches }
    }

    /// Returns a tree of counters: paths below a new root, the memory that each counts, and its bytes.
    ///
    /// Bytes of one path and memory add up. A counter that was read and is 0 is a branch. Frames
    /// beyond [`MAX_DEPTH`](crate::tree::MAX_DEPTH) are left out.
    pub fn of_counters(
        name: &str,
        leaves: impl IntoIterator<Item = (Vec<String>, Device, u64)>,
    ) -> Self {
        let (names, branches) = counted(name, leaves.into_iter().collect());
        Self { names, branches }
    }

    /// The root.
    pub fn root(&self) -> Branch<'_> {
        self.branches.root(&self.names)
    }

    /// All bytes.
    pub fn total_bytes(&self) -> u64 {
        self.branches.bytes()
    }

    /// Returns the kind of source that the tree was made from.
    pub fn origin(&self) -> Origin {
        self.branches.origin
    }

    /// The tree without the bracketed frames that describe a line.
    ///
    /// # Cost
    /// None if it has no such frames, else that of another tree.
    pub fn plain(&self) -> Plain<'_> {
        Plain::of(&self.names, &self.branches)
    }

    /// The tree as [`plain`](Self::plain) returns one, with all frames.
    pub fn detailed(&self) -> Plain<'_> {
        Plain::detailed(&self.names, &self.branches)
    }
}
