//! Two profiles compared by path: what is new, gone, grown and shrunk.

mod entry;
mod join;
mod markdown;
mod side;
mod text;
mod tolerance;

#[cfg(feature = "json")]
mod json;

pub use entry::{DiffEntry, DiffKind};
pub use tolerance::Tolerance;

use crate::Profile;
use crate::text::Units;
use entry::Change;
use side::Side;

/// What differs between two profiles; [`Profile::diff`] makes it, `{}` shows it as a table.
///
/// Paths are those of [`to_folded`](Profile::to_folded), so cloning a handle changes none of them.
/// Each change is of the bytes at the path itself, not below it: the changes add up to the change
/// of the total. The root's name is no part of what is compared.
///
/// ```
/// use memprof_profile::{Profile, Units};
///
/// let before = Profile::named("names", &vec![String::from("alpha")]);
/// let after = Profile::named("names", &vec![String::from("alpha"), String::from("beta")]);
/// assert_eq!(
///     after.diff(&before).units(Units::Bytes).to_string(),
///     "+28 B  53 B → 81 B  +52.8 %   names\n1 path grown · exact before and after"
/// );
/// ```
#[derive(Debug)]
#[must_use]
pub struct Diff<'p> {
    before: Side<'p>,
    after: Side<'p>,
    /// The largest change first; of equal ones, the first in the tree.
    changes: Vec<Change>,
    units: Units,
    width: usize,
    widest: usize,
}

/// No line is drawn narrower.
const MIN_WIDTH: usize = 40;

impl Profile {
    /// What changed from `before` to this profile, path by path.
    ///
    /// # Cost
    /// Both trees are sorted by name, so they are merged without building a path: 16 bytes per path
    /// that changed, and a fraction of a second for a million of them.
    pub fn diff<'p>(&'p self, before: &'p Self) -> Diff<'p> {
        let (before, after) = (Side::of(before), Side::of(self));
        let mut changes = join::changes(before.root(), after.root());
        changes.sort_unstable_by_key(|change| change.order());
        Diff { before, after, changes, units: Units::Iec, width: 100, widest: 20 }
    }
}

impl<'p> Diff<'p> {
    /// Every path whose bytes differ, the largest change first, then in the order of the tree.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = DiffEntry<'p>> + use<'_, 'p> {
        self.changes.iter().map(|change| self.entry(change))
    }

    /// The bytes of the whole profile before.
    pub fn before_bytes(&self) -> u64 {
        self.before.total_bytes()
    }

    /// The bytes of the whole profile after.
    pub fn after_bytes(&self) -> u64 {
        self.after.total_bytes()
    }

    /// How many bytes more there are after: what the changes of all [`entries`](Self::entries) add
    /// up to.
    pub fn change(&self) -> i128 {
        i128::from(self.after_bytes()) - i128::from(self.before_bytes())
    }

    /// Whether no path has other bytes than it had.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Whether every byte of both profiles is known.
    pub fn is_exact(&self) -> bool {
        self.before.is_exact() && self.after.is_exact()
    }

    /// Shows bytes in these units; [`Units::Iec`] unless set.
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Keeps lines within so many columns (at least 40; 100 unless set): paths lose their middle,
    /// but no path gets less than a third of the line, whatever its figures take.
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(MIN_WIDTH);
        self
    }

    /// Shows at most so many paths, those that changed most; 20 unless set. The rest is added up.
    pub fn widest(mut self, paths: usize) -> Self {
        self.widest = paths;
        self
    }

    fn entry(&self, change: &Change) -> DiffEntry<'p> {
        let root = self.after.name();
        let path = match (change.after(), change.before()) {
            (Some(index), _) => self.after.path(index, root),
            (None, Some(index)) => self.before.path(index, root),
            (None, None) => unreachable!("a path is in one of the profiles"),
        };
        let (before, after) = self.bytes(change);
        DiffEntry { path, before, after }
    }

    /// The bytes at a path before and after.
    fn bytes(&self, change: &Change) -> (Option<u64>, Option<u64>) {
        let before = change.before().map(|index| self.before.own_bytes(index));
        let after = change.after().map(|index| self.after.own_bytes(index));
        (before, after)
    }
}
