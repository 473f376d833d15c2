//! The rows of a tree before they are aligned.

use crate::text::Shown;
use crate::text::{Grouped, Percent, Units};
use crate::tree::Branch;
use crate::views::marks::Marks;
use crate::views::notes::Notes;
use crate::views::tree::selection::{Entry, Selection, Selector};
use crate::views::tree::{Intervals, Tree};

/// One row, with separate columns.
#[derive(Debug)]
pub(crate) struct Row {
    /// The branch lines before the name, such as `│ ├─ `.
    pub(crate) lead: String,
    pub(crate) name: String,
    pub(crate) amount: String,
    pub(crate) share: String,
    pub(crate) notes: Notes,
}

/// The rows of one tree while they are built.
pub(crate) struct Rows<'p> {
    intervals: Option<&'p dyn Intervals>,
    is_detailed: bool,
    selector: Selector,
    units: Units,
    total: u64,
    done: Vec<Row>,
}

/// The position of a row: the text before the row, the text before the rows below it, and the
/// number of levels that remain.
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
    pub(crate) fn of(tree: &Tree<'p>, root: Branch<'_>) -> Vec<Row> {
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
        self.row(position, branch.name(), branch.total_bytes(), self.notes(branch, &selection));
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
                    self.row(&position, part.name, part.bytes, notes);
                }
            }
        }
        if more {
            self.more(branch.total_bytes(), &selection, &position.child(true));
        }
    }

    fn notes(&self, branch: Branch<'_>, selection: &Selection<'_>) -> Notes {
        let mut marks = Marks::default();
        if selection.shown.is_empty() {
            // No lines are drawn below, so this line has the marks of everything below.
            marks.add_tree(branch);
        } else {
            marks.add_opaque(branch);
        }
        let mut notes = Notes::counted(branch);
        if let Some(intervals) = self.intervals
            && let Some(interval) = intervals.of_line(branch, self.is_detailed, self.units)
        {
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
        let name = format!("…{} more", Grouped(selection.hidden.len() as u64));
        let notes = self.warnings(&selection.hidden, bytes - shown);
        self.row(position, &name, bytes - shown, notes);
    }

    fn warnings(&self, entries: &[Entry<'_>], bytes: u64) -> Notes {
        let mut marks = Marks::default();
        for entry in entries {
            entry.add_marks(&mut marks);
        }
        Notes::default().warnings(&marks, bytes, self.units)
    }

    fn row(&mut self, position: &RowPosition, name: &str, bytes: u64, notes: Notes) {
        self.done.push(Row {
            lead: position.lead.clone(),
            name: Shown(name).to_string(),
            amount: self.units.show(bytes).to_string(),
            share: Percent { part: bytes, whole: self.total }.to_string(),
            notes,
        });
    }
}
