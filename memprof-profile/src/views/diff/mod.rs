//! The comparison of two profiles by path: new, gone, grown and shrunk paths.
//!
//! Both trees are sorted by name in their plain form, so [`join`] merges them in step. A changed
//! path is stored as the numbers of its branches, in 24 bytes, and becomes a path only when it is
//! printed: there may be a million. The forms that are printed are in `forms.rs`.

use crate::Profile;
use crate::text::Units;
use crate::tree::{Branch, BranchId, Children, Path};
use crate::views::flat;
use crate::views::notes::{Known, missing_values, warnings};
use core::cmp::{Ordering, Reverse};
use memprof_core::tree::Plain;
use std::sync::OnceLock;

mod forms;

/// The differences between two profiles, returned by [`Profile::diff`]. `{}` prints them as a
/// table.
///
/// The paths are those of [`to_folded`](Profile::to_folded), so cloning a handle changes no path.
/// The change of a path counts only the path's own bytes, so all changes add up to the change of
/// the total. The names of the roots are not compared.
///
/// If a walk did not visit all values, for example because a lock was held, the bytes that it found
/// are a lower bound. If such bytes could have grown as well as shrunk, their change is
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
///     "+28 B  53 B →  81 B  +52.8 %  names\n1 path grown · exact before and after"
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

const MIN_WIDTH: usize = 40;

/// # Differences
impl Profile {
    /// Compares `before` with this profile, path by path.
    ///
    /// # Cost
    /// Both trees are sorted by name, so they are merged without building paths. A changed path
    /// takes 24 bytes. A million changed paths take a fraction of a second.
    pub fn diff<'p>(&'p self, before: &'p Self) -> Diff<'p> {
        let (before, after) = (Side::of(before), Side::of(self));
        let mut changes = Vec::new();
        let ends = LowerEnds { before: false, after: false };
        join([Some(before.root()), Some(after.root())], ends, &mut changes);
        // No two keys are equal, so the sort needs no additional memory.
        changes.sort_unstable_by_key(|change| (Reverse(change.size), change.number));
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

    /// Returns the visited bytes after minus the visited bytes before, which is the sum of the
    /// changes of all [`entries`](Self::entries).
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
        (!before.differs_unknown(after)).then(|| self.change())
    }

    pub(crate) fn has_lower_end(&self) -> bool {
        self.before.total().is_lower_end || self.after.total().is_lower_end
    }

    /// Returns 0 if no path changed.
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
        let path = match (change.after, change.before) {
            (Some(id), _) => self.after.path(id, root),
            (None, Some(id)) => self.before.path(id, root),
            (None, None) => unreachable!("a path is in one of the profiles"),
        };
        let (before, after) = self.figures(change);
        DiffEntry { path, before, after }
    }

    fn figures(&self, change: &Change) -> (Figure, Figure) {
        let LowerEnds { before, after } = change.lower_ends;
        (self.before.figure(change.before, before), self.after.figure(change.after, after))
    }
}

/// A path whose bytes differ; [`Diff::entries`](crate::views::Diff::entries) lists them.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DiffEntry<'p> {
    path: Path<'p>,
    before: Figure,
    after: Figure,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Figure {
    /// `None` if the profile has no such path.
    bytes: Option<u64>,
    /// `true` if another walk may visit more values there, which makes a comparison doubtful.
    is_lower_end: bool,
    /// `true` if contents were not read there, whether another walk may read them or not.
    is_lower_bound: bool,
}

impl Figure {
    fn bytes(self) -> u64 {
        self.bytes.unwrap_or(0)
    }

    /// Returns whether the change to another figure has no known sign. Two equal figures may differ
    /// in the values that were not visited.
    fn differs_unknown(self, after: Self) -> bool {
        let has_lower_end = self.is_lower_end || after.is_lower_end;
        let is_same = self.bytes() == after.bytes();
        if is_same { has_lower_end } else { DiffKind::of(self, after) == DiffKind::Unknown }
    }

    fn plus(self, other: Self) -> Self {
        Self {
            bytes: Some(self.bytes() + other.bytes()),
            is_lower_end: self.is_lower_end || other.is_lower_end,
            is_lower_bound: self.is_lower_bound || other.is_lower_bound,
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

    /// Returns the visited bytes after minus the visited bytes before; never 0.
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
    fn of(before: Figure, after: Figure) -> Self {
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

/// A path that changed: its branch in either tree, and the size of the change.
#[derive(Clone, Copy, Debug)]
struct Change {
    before: Option<BranchId>,
    after: Option<BranchId>,
    /// The number of changes before this one in the order of the tree.
    number: u32,
    lower_ends: LowerEnds,
    size: u64,
}

/// The trees whose bytes are only a lower bound, because values that may own bytes there were not
/// visited.
#[derive(Clone, Copy, Debug)]
struct LowerEnds {
    before: bool,
    after: bool,
}

/// Compares the branches of one path, of which either tree may have none. The roots are one path,
/// even if their names differ. The recursion is as deep as types nest.
fn join<'b>(branches: [Option<Branch<'b>>; 2], above: LowerEnds, changes: &mut Vec<Change>) {
    // Values that were not visited may own bytes at each branch below theirs.
    let is_lower_end = |branch| missing_values(branch).is_some();
    let lower_ends = LowerEnds {
        before: above.before || branches[0].is_some_and(is_lower_end),
        after: above.after || branches[1].is_some_and(is_lower_end),
    };
    let [own_before, own_after] = branches.map(|branch| branch.map_or(0, Branch::own_bytes));
    let size = own_before.abs_diff(own_after);
    if size > 0 {
        let [before, after] = branches.map(|branch| branch.map(Branch::id));
        changes.push(Change { before, after, number: changes.len() as u32, lower_ends, size });
    }
    let [mut befores, mut afters] = branches.map(|branch| branch.map(Branch::children));
    let next = |branches: &mut Option<Children<'b>>| branches.as_mut()?.next();
    let (mut before, mut after) = (next(&mut befores), next(&mut afters));
    loop {
        let order = match (before, after) {
            (Some(before), Some(after)) => before.name().cmp(after.name()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => break,
        };
        let same = [before.filter(|_| order.is_le()), after.filter(|_| order.is_ge())];
        join(same, lower_ends, changes);
        if order.is_le() {
            before = next(&mut befores);
        }
        if order.is_ge() {
            after = next(&mut afters);
        }
    }
}

#[derive(Debug)]
struct Side<'p> {
    profile: &'p Profile,
    plain: Plain<'p>,
    /// The parent of each branch, computed when the first path is needed.
    parents: OnceLock<Vec<BranchId>>,
}

impl<'p> Side<'p> {
    fn of(profile: &'p Profile) -> Self {
        Self { profile, plain: profile.plain(), parents: OnceLock::new() }
    }

    fn root(&self) -> Branch<'_> {
        self.plain.root()
    }

    fn name(&self) -> &'p str {
        self.profile.root().name()
    }

    fn total_bytes(&self) -> u64 {
        self.profile.total_bytes()
    }

    /// Returns the total, and whether it is only a lower bound.
    fn total(&self) -> Figure {
        Figure {
            bytes: Some(self.total_bytes()),
            is_lower_end: self.root().subtree().any(|branch| missing_values(branch).is_some()),
            is_lower_bound: Known::of(self.root()).is_lower_bound,
        }
    }

    fn figure(&self, id: Option<BranchId>, is_lower_end: bool) -> Figure {
        let known = id.map(|id| Known::own(self.plain.at(id)));
        let is_lower_bound = is_lower_end || known.is_some_and(|known| known.is_lower_bound);
        Figure { bytes: known.map(|known| known.bytes), is_lower_end, is_lower_bound }
    }

    fn is_exact(&self) -> bool {
        self.profile.is_exact()
    }

    fn warnings(&self, units: Units) -> Option<String> {
        warnings(self.profile, units)
    }

    fn path(&self, mut id: BranchId, root: &'p str) -> Path<'p> {
        let parents = self.parents.get_or_init(|| {
            flat(self.root()).map(|branch| branch.parent.unwrap_or(BranchId::ROOT)).collect()
        });
        let mut frames = Vec::new();
        while id != BranchId::ROOT {
            frames.push(self.plain.name(self.plain.at(id)));
            id = parents[id.index()];
        }
        frames.push(root);
        frames.reverse();
        Path::of(frames)
    }
}
