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
    /// The kind of change of a path, in the order in which changes are counted.
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
    /// Returns the path, which begins with the name that the root has after the change.
    pub fn path(&self) -> &Path<'p> {
        &self.path
    }

    /// Returns the path's own bytes before; `None` if there was no such path.
    pub fn before(&self) -> Option<u64> {
        self.before
    }

    /// Returns the path's own bytes after; `None` if there is no such path any more.
    pub fn after(&self) -> Option<u64> {
        self.after
    }

    /// Returns the bytes after less the bytes before; never 0.
    pub fn change(&self) -> i128 {
        i128::from(self.after.unwrap_or(0)) - i128::from(self.before.unwrap_or(0))
    }

    /// Returns the kind of change: new, gone, grown or shrunk.
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

/// A path that changed, in 16 bytes: its branch in either tree, and the size of the change.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Change {
    before: u32,
    after: u32,
    /// The number of bytes by which the path grew or shrank.
    pub(super) size: u64,
}

/// The bit that marks a path as missing in one of the trees. No tree has 2^31 branches, because
/// they would take 64 GiB.
const NO_BRANCH: u32 = 1 << 31;

impl Change {
    /// Returns the change of a path that is in the later tree, and perhaps in the earlier one.
    pub(super) fn new(before: Option<u32>, after: u32, size: u64) -> Self {
        Self { before: before.unwrap_or(NO_BRANCH), after, size }
    }

    /// Returns the change of a path that is gone. In the later tree, the path would come before the
    /// branch `next_index`.
    pub(super) fn gone(before: u32, next_index: u32, size: u64) -> Self {
        Self { before, after: NO_BRANCH | next_index, size }
    }

    pub(super) fn before(self) -> Option<u32> {
        (self.before != NO_BRANCH).then_some(self.before)
    }

    pub(super) fn after(self) -> Option<u32> {
        (self.after & NO_BRANCH == 0).then_some(self.after)
    }

    /// Returns the sort key: the largest change first; of equal changes, the first in the tree. No
    /// two keys are equal, so the sort can be unstable and needs no additional memory.
    pub(super) fn order(self) -> impl Ord {
        (Reverse(self.size), self.after & !NO_BRANCH, self.after & NO_BRANCH == 0, self.before)
    }
}
