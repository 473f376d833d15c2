//! The profile as a tree for a terminal: aligned, largest first, with few notes.
//!
//! Three steps: [`Selector`] selects the lines below each branch and adds up the others, [`Rows`]
//! fills the columns of each line, [`Layout`] aligns them and shortens names and notes to the width.
//! [`on_screen`] tries settings until the tree fits a number of lines.

use crate::Profile;
use crate::text::{Grouped, Percent, Shown, Style, StyledText, Units, columns, cut, shortened};
use crate::tree::Branch;
use crate::views::notes::{Known, Marks, Notes, Part, footer, footer_style, parts, wrapped};
use core::cmp::Reverse;
use core::fmt;
use core::panic::RefUnwindSafe;
use memprof_core::tree::{BranchId, sort_by};
use std::collections::BinaryHeap;

/// A profile as a tree with its settings, returned by [`Profile::tree`]. `{}` draws it.
///
/// Lines that are left out are added up in one line (`…12 more`), so the lines below a branch add
/// up to its bytes. The last line shows whether the bytes are exact.
///
/// ```
/// use memprof::views::Units;
/// use memprof::Profile;
///
/// let profile = Profile::named("names", &vec![String::from("alpha"), String::from("beta")]);
/// assert_eq!(
///     profile.tree().units(Units::Bytes).to_string(),
///     "names  81 B  100.0 %   2 values, 3 allocations\nexact · 3 allocations"
/// );
/// ```
#[derive(Clone, Copy, Debug)]
#[must_use]
pub struct Tree<'p> {
    profile: &'p Profile,
    depth: usize,
    width: usize,
    min_share: f64,
    max_lines: Option<usize>,
    units: Units,
    detailed: bool,
    intervals: Option<&'p dyn Intervals>,
}

/// The intervals that a tree prints beside the bytes of its lines.
pub(crate) trait Intervals: fmt::Debug + Sync + RefUnwindSafe {
    /// Returns the interval of a line of the tree. `is_detailed` is true if the tree keeps its
    /// bracketed frames. Returns `None` if the bytes of the line are not an estimate.
    fn of_line(&self, line: Branch<'_>, is_detailed: bool, units: Units) -> Option<String>;

    /// Replaces the footer's statement about exactness; empty if the profile is exact.
    fn footer(&self, units: Units) -> Vec<String>;

    /// If `false`, only the values that were visited are counted.
    fn estimates_counts(&self) -> bool;
}

const MIN_SHARE: f64 = 1.0;

const MIN_WIDTH: usize = 40;

/// # Tree as text
impl Profile {
    /// Returns the profile as a tree, to print it with other settings than those of `{}`.
    pub fn tree(&self) -> Tree<'_> {
        Tree {
            profile: self,
            depth: usize::MAX,
            width: 100,
            min_share: MIN_SHARE,
            max_lines: None,
            units: Units::Iec,
            detailed: false,
            intervals: None,
        }
    }
}

/// Draws the [`tree`](Profile::tree) with its default settings.
impl fmt::Display for Profile {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.tree().fmt(out)
    }
}

impl<'p> Tree<'p> {
    pub(crate) fn with_intervals(mut self, intervals: &'p dyn Intervals) -> Self {
        self.intervals = Some(intervals);
        self
    }

    /// Sets the number of levels below the root. Default: all.
    pub fn depth(mut self, levels: usize) -> Self {
        self.depth = levels;
        self
    }

    /// Sets the number of columns of a line, at least 40. Default: 100. Longer names are shortened
    /// in the middle, and longer notes at the end. Only levels that are nested too deep to be
    /// indented exceed the width.
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(MIN_WIDTH);
        self
    }

    /// Leaves out lines smaller than this percentage of the total. Default: 1; 0 keeps all lines.
    ///
    /// If at most 64 lines are directly below the root, such as a struct's fields, they are kept
    /// even if they are smaller. This exception does not apply if the percentage is more than 1 or
    /// [`widest`](Self::widest) is set.
    pub fn min_share(mut self, percent: f64) -> Self {
        self.min_share = percent;
        self
    }

    /// Sets the maximum number of lines below each branch; the largest lines are drawn. Default:
    /// 12, plus each line with at least 5 percent of the total.
    pub fn widest(mut self, lines: usize) -> Self {
        self.max_lines = Some(lines);
        self
    }

    /// Sets the units of bytes. Default: [`Units::Iec`].
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Keeps the bracketed frames. Otherwise each is merged into the line that it describes.
    pub fn detailed(mut self) -> Self {
        self.detailed = true;
        self
    }

    /// Returns the text with the styles of its parts.
    pub fn styled(&self) -> StyledText {
        let mut text = StyledText::default();
        let lines = if self.detailed { self.profile.tree.detailed() } else { self.profile.plain() };
        let rows = Rows::of(self, lines.root());
        let layout = Layout::of(&rows, self.width);
        for row in &rows {
            layout.write(row, &mut text);
        }
        let mut parts = footer(self.profile, self.units);
        if let Some(intervals) = self.intervals {
            let estimated = intervals.footer(self.units);
            if !estimated.is_empty() {
                // The estimate replaces the first part, which describes exactness.
                let sums = parts.drain(1..).map(|sum| format!("about {sum}"));
                let sums: Vec<_> = sums.filter(|_| intervals.estimates_counts()).collect();
                parts = [estimated, sums].concat();
            }
        }
        text.push(footer_style(self.profile), &wrapped(&parts, self.width));
        text
    }
}

impl fmt::Display for Tree<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.styled().fmt(out)
    }
}

#[derive(Debug)]
struct Row {
    /// The branch lines before the name, such as `│ ├─ `.
    lead: String,
    name: String,
    amount: String,
    share: String,
    notes: Notes,
}

struct Rows<'p> {
    intervals: Option<&'p dyn Intervals>,
    is_detailed: bool,
    selector: Selector,
    units: Units,
    total: u64,
    done: Vec<Row>,
}

/// `lead` and `below` are the texts before the row and before the rows below it.
struct RowPosition {
    lead: String,
    below: String,
    levels: usize,
}

impl RowPosition {
    fn child(&self, is_last: bool) -> Self {
        let (corner, bar) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        Self {
            lead: format!("{}{corner}", self.below),
            below: format!("{}{bar}", self.below),
            levels: self.levels.saturating_sub(1),
        }
    }
}

impl<'p> Rows<'p> {
    fn of(tree: &Tree<'p>, root: Branch<'_>) -> Vec<Row> {
        let (selector, units) = (Selector::new(tree), tree.units);
        let (intervals, is_detailed) = (tree.intervals, tree.detailed);
        let (total, done) = (root.total_bytes(), Vec::new());
        let mut rows = Self { intervals, is_detailed, selector, units, total, done };
        let position =
            RowPosition { lead: String::new(), below: String::new(), levels: tree.depth };
        rows.branch(root, &position);
        rows.done
    }

    fn branch(&mut self, branch: Branch<'_>, position: &RowPosition) {
        let selection = match position.levels {
            0 => Selection::default(),
            _ => self.selector.select(branch),
        };
        let interval = self.interval(branch);
        let known = Known {
            is_lower_bound: interval.is_none() && Known::of(branch).is_lower_bound,
            bytes: branch.total_bytes(),
        };
        let notes = self.notes(branch, &selection, interval);
        self.row(position, branch.name(), known, notes);
        let (shown, more) = (selection.shown.len(), !selection.hidden.is_empty());
        if shown == 0 {
            return;
        }
        for (index, entry) in selection.shown.iter().enumerate() {
            let position = position.child(index + 1 == shown && !more);
            match *entry {
                Entry::Branch(child) => self.branch(child, &position),
                Entry::Own(part) => {
                    let notes = self.warnings(core::slice::from_ref(entry), part.bytes);
                    let known = Known { bytes: part.bytes, is_lower_bound: false };
                    self.row(&position, part.name, known, notes);
                }
            }
        }
        if more {
            self.more(branch.total_bytes(), &selection, &position.child(true));
        }
    }

    fn interval(&self, branch: Branch<'_>) -> Option<String> {
        self.intervals?.of_line(branch, self.is_detailed, self.units)
    }

    fn notes(
        &self,
        branch: Branch<'_>,
        selection: &Selection<'_>,
        interval: Option<String>,
    ) -> Notes {
        let mut marks = Marks::default();
        if selection.shown.is_empty() {
            // No lines are drawn below, so this line has the marks of everything below.
            marks.add_tree(branch);
        } else {
            marks.add_opaque(branch);
        }
        let mut notes = Notes::counted(branch);
        if let (Some(intervals), Some(interval)) = (self.intervals, interval) {
            // The interval replaces the note `estimated`.
            notes.add_warning(interval);
            notes = notes.spare(branch, self.selector.floor(), self.units);
            return if intervals.estimates_counts() { notes.estimated() } else { notes.unknown() };
        }
        if selection.has_own() {
            return notes.warnings(&marks, branch.total_bytes(), self.units);
        }
        if !selection.shown.is_empty() {
            marks.add_estimates(branch);
        }
        notes.spare(branch, self.selector.floor(), self.units).warnings(
            &marks,
            branch.total_bytes(),
            self.units,
        )
    }

    /// Adds the row of all lines that are left out, with the bytes that remain of the branch.
    fn more(&mut self, bytes: u64, selection: &Selection<'_>, position: &RowPosition) {
        let shown: u64 = selection.shown.iter().map(Entry::bytes).sum();
        let known = Known {
            bytes: bytes - shown,
            is_lower_bound: selection.hidden.iter().any(Entry::is_lower_bound),
        };
        let name = format!("…{} more", Grouped(selection.hidden.len() as u64));
        let notes = self.warnings(&selection.hidden, known.bytes);
        self.row(position, &name, known, notes);
    }

    fn warnings(&self, entries: &[Entry<'_>], bytes: u64) -> Notes {
        let mut marks = Marks::default();
        for entry in entries {
            entry.add_marks(&mut marks);
        }
        Notes::default().warnings(&marks, bytes, self.units)
    }

    fn row(&mut self, position: &RowPosition, name: &str, known: Known, notes: Notes) {
        self.done.push(Row {
            lead: position.lead.clone(),
            name: Shown(name).to_string(),
            amount: known.show(self.units),
            share: Percent { part: known.bytes, whole: self.total }.to_string(),
            notes,
        });
    }
}

/// The maximum number of lines below one branch by default.
const MAX_LINES: usize = 12;

/// The number of lines of a large branch that are drawn even if each is small.
const MAX_SMALL_LINES: usize = 3;

/// If at most this number of lines are below the root, all of them are drawn. A struct rarely has
/// more fields, but a map often has more entries.
const MAX_FIELDS: usize = 64;

/// A line with at least 1/`LARGE_FRACTION` of the total is large, and is never left out by default.
const LARGE_FRACTION: u64 = 20;

#[derive(Clone, Copy, Debug)]
enum Entry<'t> {
    Branch(Branch<'t>),
    Own(Part),
}

#[derive(Debug, Default)]
struct Selection<'t> {
    /// The lines that are drawn, largest first.
    shown: Vec<Entry<'t>>,
    hidden: Vec<Entry<'t>>,
}

impl Selection<'_> {
    /// Returns whether the branch's own bytes have separate lines.
    fn has_own(&self) -> bool {
        self.shown.iter().chain(&self.hidden).any(|entry| matches!(entry, Entry::Own(_)))
    }
}

impl Entry<'_> {
    fn bytes(&self) -> u64 {
        match self {
            Self::Branch(branch) => branch.total_bytes(),
            Self::Own(part) => part.bytes,
        }
    }

    fn name(&self) -> &str {
        match self {
            Self::Branch(branch) => branch.name(),
            Self::Own(part) => part.name,
        }
    }

    fn add_marks(&self, marks: &mut Marks) {
        match self {
            Self::Branch(branch) => marks.add_tree(*branch),
            Self::Own(part) => marks.add_estimate(part.estimated_bytes),
        }
    }

    fn is_lower_bound(&self) -> bool {
        matches!(self, Self::Branch(branch) if Known::of(*branch).is_lower_bound)
    }

    fn is_marked(&self) -> bool {
        match self {
            Self::Branch(branch) => branch.is_marked(),
            Self::Own(part) => part.estimated_bytes > 0,
        }
    }
}

/// The settings of the selection, computed once per tree.
#[derive(Clone, Copy, Debug)]
struct Selector {
    floor: u64,
    large: u64,
    max_lines: Option<usize>,
    detailed: bool,
    /// `true` if small lines directly below the root are drawn too.
    keeps_fields: bool,
}

impl Selector {
    fn new(tree: &Tree<'_>) -> Self {
        let total = tree.profile.total_bytes();
        Self {
            floor: share_of(total, tree.min_share),
            large: total / LARGE_FRACTION,
            max_lines: tree.max_lines,
            detailed: tree.detailed,
            keeps_fields: tree.max_lines.is_none() && tree.min_share <= MIN_SHARE,
        }
    }

    /// Returns the minimum number of spare bytes that get a note.
    fn floor(&self) -> u64 {
        self.floor
    }

    fn select<'t>(&self, branch: Branch<'t>) -> Selection<'t> {
        let mut entries = self.entries(branch);
        if self.keeps_fields && branch.id() == BranchId::ROOT && entries.len() <= MAX_FIELDS {
            sort(&mut entries);
            return Selection { shown: entries, hidden: Vec::new() };
        }
        let (mut entries, small) = self.apart(entries);
        sort(&mut entries);
        let mut selection = Selection::default();
        for entry in entries {
            let shown = self.is_shown(&entry, selection.shown.len());
            if shown { &mut selection.shown } else { &mut selection.hidden }.push(entry);
        }
        selection.hidden.extend(small);
        self.balance(selection, branch.total_bytes())
    }

    /// Splits entries into entries that may be drawn and entries that are too small in any case.
    /// Only a few of a million entries are drawn, so the others need not be sorted.
    fn apart<'t>(&self, entries: Vec<Entry<'t>>) -> (Vec<Entry<'t>>, Vec<Entry<'t>>) {
        // By default, a line after the first `MAX_LINES` is drawn only if it takes at least
        // 1/`LARGE_FRACTION` of the total, so at most `LARGE_FRACTION` such lines are drawn.
        let max_lines = self.max_lines.unwrap_or(MAX_LINES + LARGE_FRACTION as usize);
        let max_candidates = max_lines.max(MAX_SMALL_LINES).saturating_add(1);
        if entries.len() <= max_candidates {
            return (entries, Vec::new());
        }
        // `select_nth_unstable` would take 8 KB of each program that prints a tree.
        let mut largest = BinaryHeap::new();
        for bytes in entries.iter().map(Entry::bytes) {
            largest.push(Reverse(bytes));
            if largest.len() > max_candidates {
                largest.pop();
            }
        }
        let threshold = largest.peek().map_or(0, |smallest| smallest.0);
        entries.into_iter().partition(|entry| entry.bytes() >= threshold || entry.is_marked())
    }

    fn entries<'t>(&self, branch: Branch<'t>) -> Vec<Entry<'t>> {
        let branches = branch.children().map(Entry::Branch);
        let entries = branches.filter(|entry| entry.bytes() > 0 || entry.is_marked());
        let mut entries: Vec<_> = entries.collect();
        let parts = parts(branch);
        let apart = if self.detailed {
            !entries.is_empty() || parts.len() > 1
        } else {
            !entries.is_empty() && branch.own_bytes() >= self.floor
        };
        if apart {
            entries.extend(parts.into_iter().map(Entry::Own));
        }
        entries
    }

    fn is_shown(&self, entry: &Entry<'_>, before: usize) -> bool {
        let bytes = entry.bytes();
        match self.max_lines {
            Some(max_lines) => before < max_lines && (bytes >= self.floor || entry.is_marked()),
            None if before < MAX_LINES => bytes >= self.floor || entry.is_marked(),
            None => bytes > 0 && bytes >= self.large,
        }
    }

    /// Adds a single hidden line instead of `…1 more`, and adds some lines to a large branch that
    /// would have none. `max_lines` limits the number of lines in both cases.
    fn balance<'t>(&self, mut selection: Selection<'t>, bytes: u64) -> Selection<'t> {
        let limit = self.max_lines.unwrap_or(usize::MAX);
        if selection.shown.is_empty() && bytes > 0 && bytes >= self.large {
            let count = selection.hidden.len().min(MAX_SMALL_LINES).min(limit);
            selection.shown.extend(selection.hidden.drain(..count));
        }
        if selection.hidden.len() == 1 && (1..limit).contains(&selection.shown.len()) {
            selection.shown.append(&mut selection.hidden);
            sort(&mut selection.shown);
        }
        selection
    }
}

fn sort(entries: &mut [Entry<'_>]) {
    sort_by(entries, |a, b| b.bytes().cmp(&a.bytes()).then_with(|| a.name().cmp(b.name())));
}

/// Returns `percent` of `total`, rounded up to a whole byte.
#[expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    reason = "a threshold need not be exact; casts of floats saturate, and NaN becomes 0"
)]
fn share_of(total: u64, percent: f64) -> u64 {
    (total as f64 * (percent / 100.0)).ceil() as u64
}

#[derive(Debug)]
struct Layout {
    width: usize,
    name: usize,
    amount: usize,
    share: usize,
}

/// The minimum number of columns of a name, however deep the name is nested.
const MIN_NAME_WIDTH: usize = 8;

const GAP: usize = 2;

const NOTES_GAP: usize = 3;

impl Layout {
    fn of(rows: &[Row], width: usize) -> Self {
        let max_width =
            |column: fn(&Row) -> usize| rows.iter().map(column).max().unwrap_or_default();
        let amount = max_width(|row| columns(&row.amount));
        let share = max_width(|row| columns(&row.share));
        let name = max_width(|row| columns(&row.lead) + columns(&row.name));
        let min_name = max_width(|row| columns(&row.lead) + columns(&row.name).min(MIN_NAME_WIDTH));
        let notes = match max_width(|row| row.notes.columns()) {
            0 => 0,
            notes => NOTES_GAP + notes,
        };
        let available = width.saturating_sub(GAP + amount + GAP + share);
        // Names shrink to two fifths of the line to make space for notes. After that, notes are
        // cut.
        let name = name
            .min(available.saturating_sub(notes).max(width.saturating_mul(2) / 5))
            .min(available)
            .max(min_name);
        Self { width, name, amount, share }
    }

    fn write(&self, row: &Row, text: &mut StyledText) {
        let lead = columns(&row.lead);
        let available = self.name.saturating_sub(lead);
        let name = shortened(&row.name, available);
        let padding = available.saturating_sub(columns(&name)) + GAP;
        let (amount, share) = (self.amount, self.share);
        let figures = format!("{:>amount$}{:GAP$}{:>share$}", row.amount, "", row.share);
        let mut line = format!("{name}{:padding$}{figures}", "");
        let remaining = self.width.saturating_sub(lead + columns(&line) + NOTES_GAP);
        let notes = row.notes.within(remaining);
        if !notes.is_empty() {
            line.push_str("   ");
            line.push_str(&notes);
        }
        line.push('\n');
        text.push(Style::Faint, &row.lead);
        text.push(Style::Plain, &line);
    }
}

/// The settings to try: the minimum percentage of the total, the maximum number of lines below each
/// branch, and the maximum number of levels. Small parts are left out first, then deep levels.
const SETTINGS: [(f64, usize, usize); 9] = [
    (1.0, 12, usize::MAX),
    (2.0, 8, usize::MAX),
    (3.0, 6, usize::MAX),
    (5.0, 5, 6),
    (8.0, 4, 4),
    (8.0, 4, 3),
    (8.0, 3, 2),
    (1.0, 6, 1),
    (1.0, 0, 0),
];

/// Returns as much of the tree as fits into this number of lines and columns.
pub(crate) fn on_screen(profile: &Profile, lines: usize, width: usize) -> String {
    let draw = |(share, max_lines, depth)| {
        let tree = profile.tree().width(width).min_share(share).widest(max_lines).depth(depth);
        tree.to_string()
    };
    let fits = |text: &String| text.lines().count() <= lines;
    let tree = core::iter::once(profile.tree().width(width).to_string())
        .chain(SETTINGS.into_iter().map(draw))
        .find(fits)
        .unwrap_or_else(|| draw(SETTINGS[SETTINGS.len() - 1]));
    // Levels that are nested too deep to be indented exceed the width.
    let kept: Vec<String> = tree.lines().take(lines).map(|line| cut(line, width)).collect();
    kept.join("\n")
}
