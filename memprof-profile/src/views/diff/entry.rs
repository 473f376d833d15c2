//! One path that changed.

use crate::tree::Path;
use core::cmp::Reverse;

/// A path whose bytes differ; [`Diff::entries`](crate::views::Diff::entries) lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffEntry<'p> {
    pub(super) path: Path<'p>,
    pub(super) before: Option<u64>,
    pub(super) after: Option<u64>,
}

memprof_core::keywords! {
    /// How a path changed, in the order in which changes are counted.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[expect(clippy::exhaustive_enums, reason = "a path is added, removed or changed")]
    pub enum DiffKind {
        /// The path was not there before.
        New => "new",
        /// The path is not there any more.
        Gone => "gone",
        /// There are more bytes at the path.
        Grown => "grown",
        /// There are fewer bytes at the path.
        Shrunk => "shrunk",
    }
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
    pub(super) fn of(before: Option<u64>, after: Option<u64>) -> Self {
        match (before, after) {
            (None, _) => Self::New,
            (_, None) => Self::Gone,
            (before, after) if after > before => Self::Grown,
            _ => Self::Shrunk,
        }
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
const NO_BRANCH: u32 = 1 << 31;

impl Change {
    /// A path that is in both trees, or after only.
    pub(super) fn new(before: Option<u32>, after: u32, size: u64) -> Self {
        Self { before: before.unwrap_or(NO_BRANCH), after, size }
    }

    /// A path that is gone; it would come before branch `next_index` of the tree after.
    pub(super) fn gone(before: u32, next_index: u32, size: u64) -> Self {
        Self { before, after: NO_BRANCH | next_index, size }
    }

    pub(super) fn before(self) -> Option<u32> {
        (self.before != NO_BRANCH).then_some(self.before)
    }

    pub(super) fn after(self) -> Option<u32> {
        (self.after & NO_BRANCH == 0).then_some(self.after)
    }

    /// The largest change first; of equal ones, the first in the tree. No two are equal, so that
    /// sorting needs no memory besides.
    pub(super) fn order(self) -> impl Ord {
        (Reverse(self.size), self.after & !NO_BRANCH, self.after & NO_BRANCH == 0, self.before)
    }
}
