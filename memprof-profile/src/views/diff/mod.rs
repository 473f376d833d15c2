//! The comparison of two profiles by path: new, gone, grown and shrunk paths.

mod entry;
mod join;
mod markdown;
mod side;
mod text;

#[cfg(feature = "json")]
mod json;

pub use entry::{DiffEntry, DiffKind};

use crate::Profile;
use crate::text::Units;
use entry::{Change, Figure};
use side::Side;

/// The differences between two profiles, returned by [`Profile::diff`]. `{}` prints them as a
/// table.
///
/// The paths are those of [`to_folded`](Profile::to_folded), so cloning a handle changes no path.
/// The change of a path counts only the path's own bytes, so all changes add up to the change of
/// the total. The names of the roots are not compared.
///
/// If a walk did not visit all values, for example because a lock was held, the bytes that it found
/// are a lower end. If such bytes could have grown as well as shrunk, their change is
/// [`DiffKind::Unknown`].
///
/// ```
/// use memprof::views::Units;
/// use memprof::Profile;
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
    /// The changes, largest first. Equal changes are in the order of the tree.
    changes: Vec<Change>,
    units: Units,
    width: usize,
    max_paths: usize,
}

/// The minimum width of a line.
const MIN_WIDTH: usize = 40;

/// # Differences
impl Profile {
    /// Compares `before` with this profile, path by path.
    ///
    /// # Cost
    /// Both trees are sorted by name, so they are merged without building paths. A changed path
    /// takes 16 bytes. A million changed paths take a fraction of a second.
    pub fn diff<'p>(&'p self, before: &'p Self) -> Diff<'p> {
        let (before, after) = (Side::of(before), Side::of(self));
        let mut changes = join::changes(before.root(), after.root());
        changes.sort_unstable_by_key(|change| change.order());
        Diff { before, after, changes, units: Units::Iec, width: 100, max_paths: 20 }
    }
}

impl<'p> Diff<'p> {
    /// Returns every path whose bytes differ, the largest change first, then in the order of the
    /// tree.
    pub fn entries(&self) -> impl ExactSizeIterator<Item = DiffEntry<'p>> + use<'_, 'p> {
        self.changes.iter().map(|change| self.entry(change))
    }

    /// Returns the total bytes before.
    pub fn before_bytes(&self) -> u64 {
        self.before.total_bytes()
    }

    /// Returns the total bytes after.
    pub fn after_bytes(&self) -> u64 {
        self.after.total_bytes()
    }

    /// Returns the visited bytes after less the visited bytes before, which is the sum of the changes
    /// of all [`entries`](Self::entries).
    pub fn change(&self) -> i128 {
        i128::from(self.after_bytes()) - i128::from(self.before_bytes())
    }

    /// Returns the change of the total, or `None` if it is unknown because a walk did not visit all
    /// values.
    ///
    /// ```
    /// use memprof::Profile;
    /// use std::cell::RefCell;
    ///
    /// let names = RefCell::new(vec![String::from("alpha")]);
    /// let before = Profile::of(&names);
    /// let borrowed = names.borrow_mut();
    /// let after = Profile::of(&names);
    /// assert_eq!(after.diff(&before).known_change(), None);
    /// # drop(borrowed);
    /// ```
    pub fn known_change(&self) -> Option<i128> {
        let (before, after) = (self.before.total(), self.after.total());
        (!text::is_unknown(before, after)).then(|| self.change())
    }

    /// Returns the bytes by which the path with the largest change grew or shrank, or 0 if no path
    /// changed.
    pub(crate) fn largest_change(&self) -> u64 {
        self.changes.first().map_or(0, |change| change.size)
    }

    /// Returns whether every path has the same bytes before and after.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Returns whether both profiles are exact.
    pub fn is_exact(&self) -> bool {
        self.before.is_exact() && self.after.is_exact()
    }

    /// Sets the units of bytes. Default: [`Units::Iec`].
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Sets the number of columns of a line, at least 40. Default: 100. Longer paths are shortened
    /// in the middle, but each path keeps at least a third of the line.
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(MIN_WIDTH);
        self
    }

    /// Sets the maximum number of paths that are shown: the paths that changed most. Default: 20.
    /// The other paths are added up.
    pub fn widest(mut self, paths: usize) -> Self {
        self.max_paths = paths;
        self
    }

    fn entry(&self, change: &Change) -> DiffEntry<'p> {
        let root = self.after.name();
        let path = match (change.after(), change.before()) {
            (Some(index), _) => self.after.path(index, root),
            (None, Some(index)) => self.before.path(index, root),
            (None, None) => unreachable!("a path is in one of the profiles"),
        };
        let (before, after) = self.figures(change);
        DiffEntry { path, before, after }
    }

    /// Returns the bytes at a path before and after.
    fn figures(&self, change: &Change) -> (Figure, Figure) {
        let before = change.before().map(|index| self.before.own_bytes(index));
        let after = change.after().map(|index| self.after.own_bytes(index));
        let (before_is_lower_end, after_is_lower_end) = change.lower_ends();
        (
            Figure { bytes: before, is_lower_end: before_is_lower_end },
            Figure { bytes: after, is_lower_end: after_is_lower_end },
        )
    }
}
