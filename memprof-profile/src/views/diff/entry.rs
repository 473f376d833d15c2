//! One path that changed.

use crate::views::Path;
use core::cmp::Reverse;
use core::fmt;

/// A path whose bytes differ; [`Diff::entries`](crate::Diff::entries) lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffEntry<'p> {
    pub(super) path: Path<'p>,
    pub(super) before: Option<u64>,
    pub(super) after: Option<u64>,
}

/// How a path changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum DiffKind {
    /// The path was not there before.
    New,
    /// The path is not there any more.
    Gone,
    /// There are more bytes at the path.
    Grown,
    /// There are fewer bytes at the path.
    Shrunk,
}

impl<'p> DiffEntry<'p> {
    /// The path, which begins with the name that the root has after.
    pub fn path(&self) -> &Path<'p> {
        &self.path
    }

    /// The bytes at the path before, not below it; none if there was no such path.
    pub fn before(&self) -> Option<u64> {
        self.before
    }

    /// The bytes at the path after, not below it; none if there is no such path any more.
    pub fn after(&self) -> Option<u64> {
        self.after
    }

    /// How many bytes more there are; never 0.
    pub fn change(&self) -> i128 {
        i128::from(self.after.unwrap_or(0)) - i128::from(self.before.unwrap_or(0))
    }

    /// New, gone, grown or shrunk.
    pub fn kind(&self) -> DiffKind {
        DiffKind::of(self.before, self.after)
    }
}

impl DiffKind {
    /// Every kind, in the order in which they are counted.
    pub const ALL: [Self; 4] = [Self::New, Self::Gone, Self::Grown, Self::Shrunk];

    pub(super) fn of(before: Option<u64>, after: Option<u64>) -> Self {
        match (before, after) {
            (None, _) => Self::New,
            (_, None) => Self::Gone,
            (before, after) if after > before => Self::Grown,
            _ => Self::Shrunk,
        }
    }

    /// The word that tables and files use.
    pub const fn word(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Gone => "gone",
            Self::Grown => "grown",
            Self::Shrunk => "shrunk",
        }
    }
}

impl fmt::Display for DiffKind {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(self.word())
    }
}

/// A path that changed, in 16 bytes: which branch it is in either tree, and by how much.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    before: u32,
    after: u32,
    /// How many bytes more or fewer.
    pub(super) size: u64,
}

/// No tree has that many branches: they would take 64 GiB.
const NONE: u32 = 1 << 31;

impl Change {
    /// A path that is in both trees, or after only.
    pub(super) fn new(before: Option<u32>, after: u32, size: u64) -> Self {
        Self { before: before.unwrap_or(NONE), after, size }
    }

    /// A path that is gone; it would come before branch `place` of the tree after.
    pub(super) fn gone(before: u32, place: u32, size: u64) -> Self {
        Self { before, after: NONE | place, size }
    }

    pub(super) fn before(self) -> Option<u32> {
        (self.before != NONE).then_some(self.before)
    }

    pub(super) fn after(self) -> Option<u32> {
        (self.after & NONE == 0).then_some(self.after)
    }

    /// The largest change first; of equal ones, the first in the tree. No two are equal, so that
    /// sorting needs no memory besides.
    pub(super) fn order(self) -> impl Ord {
        (Reverse(self.size), self.after & !NONE, self.after & NONE == 0, self.before)
    }
}
