//! The comparison of two profiles by path: new, gone, grown and shrunk paths.
//!
//! Both trees are sorted by name in their plain form, so [`join`] merges them in step. A changed
//! path is stored as the numbers of its branches, in 16 bytes, and becomes a path only when it is
//! printed: there may be a million. The forms that are printed are in `forms.rs`.

use crate::Profile;
use crate::text::Units;
use crate::tree::{Branch, Path};
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
    /// takes 16 bytes. A million changed paths take a fraction of a second.
    pub fn diff<'p>(&'p self, before: &'p Self) -> Diff<'p> {
        let (before, after) = (Side::of(before), Side::of(self));
        let mut changes = changes(before.root(), after.root());
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
        (!before.differs_unknown(after)).then(|| self.change())
    }

    /// Returns whether the total before or after is only a lower end.
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
        let path = match (change.after(), change.before()) {
            (Some(index), _) => self.after.path(index, root),
            (None, Some(index)) => self.before.path(index, root),
            (None, None) => unreachable!("a path is in one of the profiles"),
        };
        let (before, after) = self.figures(change);
        DiffEntry { path, before, after }
    }

    fn figures(&self, change: &Change) -> (Figure, Figure) {
        let (before, after) = change.lower_ends();
        (self.before.figure(change.before(), before), self.after.figure(change.after(), after))
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

/// A path that changed, in 16 bytes: its branch in either tree, and the size of the change.
#[derive(Clone, Copy, Debug)]
struct Change {
    before: u32,
    after: u32,
    size: u64,
}

/// The bit that marks a path as missing in one of the trees. No tree has 2^30 branches, because
/// they would take 32 GiB.
const NO_BRANCH: u32 = 1 << 31;
/// The bit that marks the bytes of one of the trees as only a lower end.
const LOWER_END: u32 = 1 << 30;

impl Change {
    /// Returns the change of a path that is in the later tree, and perhaps in the earlier one.
    fn new(before: Option<u32>, after: u32, size: u64) -> Self {
        Self { before: before.unwrap_or(NO_BRANCH), after, size }
    }

    fn with_lower_ends(self, before: bool, after: bool) -> Self {
        let mark = |index: u32, is_lower_end| if is_lower_end { index | LOWER_END } else { index };
        Self { before: mark(self.before, before), after: mark(self.after, after), ..self }
    }

    fn lower_ends(self) -> (bool, bool) {
        (self.before & LOWER_END != 0, self.after & LOWER_END != 0)
    }

    /// In the later tree, the path would come before the branch `next_index`.
    fn gone(before: u32, next_index: u32, size: u64) -> Self {
        Self { before, after: NO_BRANCH | next_index, size }
    }

    fn before(self) -> Option<u32> {
        (self.before & NO_BRANCH == 0).then_some(self.before & !LOWER_END)
    }

    fn after(self) -> Option<u32> {
        (self.after & NO_BRANCH == 0).then_some(self.after & !LOWER_END)
    }

    /// Returns the sort key: the largest change first; of equal changes, the first in the tree. No
    /// two keys are equal, so the sort can be unstable and needs no additional memory.
    fn order(self) -> impl Ord {
        let (before, after) = (self.before & !LOWER_END, self.after & !LOWER_END);
        (Reverse(self.size), after & !NO_BRANCH, after & NO_BRANCH == 0, before)
    }
}

/// Returns the paths whose bytes differ, in the order of the tree. The roots count as one path,
/// even if their names differ.
fn changes(before: Branch<'_>, after: Branch<'_>) -> Vec<Change> {
    let mut changes = Vec::new();
    join(before, after, LowerEnds { before: false, after: false }, &mut changes);
    changes
}

/// The trees whose bytes are only a lower end, because values that may own bytes there were not
/// visited.
#[derive(Clone, Copy)]
struct LowerEnds {
    before: bool,
    after: bool,
}

impl LowerEnds {
    /// Values that were not visited may own bytes at each branch below theirs.
    fn at(self, before: Option<Branch<'_>>, after: Option<Branch<'_>>) -> Self {
        Self {
            before: self.before || before.and_then(missing_values).is_some(),
            after: self.after || after.and_then(missing_values).is_some(),
        }
    }

    fn mark(self, change: Change) -> Change {
        change.with_lower_ends(self.before, self.after)
    }
}

/// Merges two branches of the same path. The recursion is as deep as types nest.
fn join(before: Branch<'_>, after: Branch<'_>, above: LowerEnds, changes: &mut Vec<Change>) {
    let lower_ends = above.at(Some(before), Some(after));
    let size = before.own_bytes().abs_diff(after.own_bytes());
    if size > 0 {
        changes.push(lower_ends.mark(Change::new(Some(before.index()), after.index(), size)));
    }
    let end = after.end();
    let (mut before_children, mut after_children) = (before.children(), after.children());
    let (mut before, mut after) = (before_children.next(), after_children.next());
    loop {
        let order = match (before, after) {
            (Some(before), Some(after)) => before.name().cmp(after.name()),
            (Some(_), None) => Ordering::Less,
            (None, Some(_)) => Ordering::Greater,
            (None, None) => break,
        };
        match (order, before, after) {
            (Ordering::Equal, Some(before), Some(after)) => {
                join(before, after, lower_ends, changes);
            }
            (Ordering::Less, Some(before), _) => {
                let next_index = after.map_or(end, Branch::index);
                let gone = |index, size| Change::gone(index, next_index, size);
                let below = |branch, above: LowerEnds| above.at(Some(branch), None);
                add_unmatched(before, lower_ends, &below, &gone, changes);
            }
            (_, _, Some(after)) => {
                let new = |index, size| Change::new(None, index, size);
                let below = |branch, above: LowerEnds| above.at(None, Some(branch));
                add_unmatched(after, lower_ends, &below, &new, changes);
            }
            _ => {}
        }
        if order.is_le() {
            before = before_children.next();
        }
        if order.is_ge() {
            after = after_children.next();
        }
    }
}

/// Records a change for each branch of a subtree that only one of the trees has.
fn add_unmatched<'b>(
    branch: Branch<'b>,
    above: LowerEnds,
    below: &impl Fn(Branch<'b>, LowerEnds) -> LowerEnds,
    change: &impl Fn(u32, u64) -> Change,
    changes: &mut Vec<Change>,
) {
    let lower_ends = below(branch, above);
    let size = branch.own_bytes();
    if size > 0 {
        changes.push(lower_ends.mark(change(branch.index(), size)));
    }
    for child in branch.children() {
        add_unmatched(child, lower_ends, below, change, changes);
    }
}

#[derive(Debug)]
struct Side<'p> {
    profile: &'p Profile,
    plain: Plain<'p>,
    /// The parent of each branch, computed when the first path is needed.
    parents: OnceLock<Vec<u32>>,
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

    /// Returns the total, and whether it is only a lower end.
    fn total(&self) -> Figure {
        Figure {
            bytes: Some(self.total_bytes()),
            is_lower_end: self.root().subtree().any(|branch| missing_values(branch).is_some()),
            is_lower_bound: Known::of(self.root()).is_lower_bound,
        }
    }

    fn figure(&self, index: Option<u32>, is_lower_end: bool) -> Figure {
        let known = index.map(|index| Known::own(self.plain.at(index)));
        let is_lower_bound = is_lower_end || known.is_some_and(|known| known.is_lower_bound);
        Figure { bytes: known.map(|known| known.bytes), is_lower_end, is_lower_bound }
    }

    fn is_exact(&self) -> bool {
        self.profile.is_exact()
    }

    fn warnings(&self, units: Units) -> Option<String> {
        warnings(self.profile, units)
    }

    fn path(&self, index: u32, root: &'p str) -> Path<'p> {
        let parents = self.parents.get_or_init(|| parents(self.root()));
        let mut frames = Vec::new();
        let mut index = index;
        while index > 0 {
            frames.push(self.plain.name(self.plain.at(index)));
            index = parents[index as usize];
        }
        frames.push(root);
        frames.reverse();
        Path::of(frames)
    }
}

fn parents(root: Branch<'_>) -> Vec<u32> {
    let mut ancestors: Vec<Branch<'_>> = Vec::new();
    let parents = root.subtree().map(|branch| {
        while ancestors.last().is_some_and(|ancestor| ancestor.end() <= branch.index()) {
            ancestors.pop();
        }
        let parent = ancestors.last().map_or(0, |ancestor| ancestor.index());
        ancestors.push(branch);
        parent
    });
    parents.collect()
}
