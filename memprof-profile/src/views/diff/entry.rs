//! One path that changed.

use crate::tree::Path;
use core::cmp::Reverse;

/// A path whose bytes differ; [`Diff::entries`](crate::views::Diff::entries) lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffEntry<'p> {
    pub(super) path: Path<'p>,
    pub(super) before: Figure,
    pub(super) after: Figure,
}

/// The bytes at a path of one profile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Figure {
    /// `None` if the profile has no such path.
    pub(super) bytes: Option<u64>,
    /// `true` if values that own more bytes there may not have been visited.
    pub(super) is_lower_end: bool,
}

impl Figure {
    /// Returns the bytes; 0 if there is no such path.
    pub(super) fn bytes(self) -> u64 {
        self.bytes.unwrap_or(0)
    }

    /// Returns the sum of two figures.
    pub(super) fn plus(self, other: Self) -> Self {
        Self {
            bytes: Some(self.bytes() + other.bytes()),
            is_lower_end: self.is_lower_end || other.is_lower_end,
        }
    }
}

memprof_core::keywords! {
    /// The kind of change of a path, in the order in which changes are counted.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
    #[expect(clippy::exhaustive_enums, reason = "a path is added, removed, changed or unknown")]
    pub enum DiffKind {
        /// The path was not there before.
        New => "new",
        /// The path is not there any more.
        Gone => "gone",
        /// There are more bytes at the path.
        Grown => "grown",
        /// There are fewer bytes at the path.
        Shrunk => "shrunk",
        /// A walk did not visit all values, so more or fewer bytes may be at the path.
        Unknown => "unknown",
    }
}

impl<'p> DiffEntry<'p> {
    /// Returns the path, which begins with the name that the root has after the change.
    pub fn path(&self) -> &Path<'p> {
        &self.path
    }

    /// Returns the path's own bytes before; `None` if there was no such path.
    pub fn before(&self) -> Option<u64> {
        self.before.bytes
    }

    /// Returns the path's own bytes after; `None` if there is no such path any more.
    pub fn after(&self) -> Option<u64> {
        self.after.bytes
    }

    /// Returns the visited bytes after less the visited bytes before; never 0.
    ///
    /// This is not the change of the path if its [`kind`](Self::kind) is [`DiffKind::Unknown`].
    pub fn change(&self) -> i128 {
        i128::from(self.after.bytes()) - i128::from(self.before.bytes())
    }

    /// Returns the kind of change.
    pub fn kind(&self) -> DiffKind {
        DiffKind::of(self.before, self.after)
    }
}

impl DiffKind {
    /// Returns the kind of change between two figures that differ.
    pub(super) fn of(before: Figure, after: Figure) -> Self {
        let has_grown = after.bytes() > before.bytes();
        // The end that is not known could change the sign.
        if (has_grown && before.is_lower_end) || (!has_grown && after.is_lower_end) {
            return Self::Unknown;
        }
        match (before.bytes, after.bytes) {
            (None, _) => Self::New,
            (_, None) => Self::Gone,
            _ if has_grown => Self::Grown,
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

/// The bit that marks a path as missing in one of the trees. No tree has 2^30 branches, because
/// they would take 32 GiB.
const NO_BRANCH: u32 = 1 << 31;
/// The bit that marks the bytes of one of the trees as only a lower end.
const LOWER_END: u32 = 1 << 30;

impl Change {
    /// Returns the change of a path that is in the later tree, and perhaps in the earlier one.
    pub(super) fn new(before: Option<u32>, after: u32, size: u64) -> Self {
        Self { before: before.unwrap_or(NO_BRANCH), after, size }
    }

    /// Marks the bytes before or after as only a lower end.
    pub(super) fn with_lower_ends(self, before: bool, after: bool) -> Self {
        let mark = |index: u32, is_lower_end| if is_lower_end { index | LOWER_END } else { index };
        Self { before: mark(self.before, before), after: mark(self.after, after), ..self }
    }

    /// Returns whether the bytes before, and those after, are only a lower end.
    pub(super) fn lower_ends(self) -> (bool, bool) {
        (self.before & LOWER_END != 0, self.after & LOWER_END != 0)
    }

    /// Returns the change of a path that is gone. In the later tree, the path would come before the
    /// branch `next_index`.
    pub(super) fn gone(before: u32, next_index: u32, size: u64) -> Self {
        Self { before, after: NO_BRANCH | next_index, size }
    }

    pub(super) fn before(self) -> Option<u32> {
        (self.before & NO_BRANCH == 0).then_some(self.before & !LOWER_END)
    }

    pub(super) fn after(self) -> Option<u32> {
        (self.after & NO_BRANCH == 0).then_some(self.after & !LOWER_END)
    }

    /// Returns the sort key: the largest change first; of equal changes, the first in the tree. No
    /// two keys are equal, so the sort can be unstable and needs no additional memory.
    pub(super) fn order(self) -> impl Ord {
        let (before, after) = (self.before & !LOWER_END, self.after & !LOWER_END);
        (Reverse(self.size), after & !NO_BRANCH, after & NO_BRANCH == 0, before)
    }
}
