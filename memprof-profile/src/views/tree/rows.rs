//! The rows of a tree before they are aligned.

use crate::text::Shown;
use crate::text::{Grouped, Percent, Units};
use crate::tree::Branch;
use crate::views::marks::Marks;
use crate::views::notes::Notes;
use crate::views::tree::Tree;
use crate::views::tree::choice::{Choice, Chooser, Entry};

/// One row, with separate columns.
#[derive(Debug)]
pub(crate) struct Row {
    /// The lines of the tree before the name.
    pub(crate) lead: String,
    pub(crate) name: String,
    pub(crate) amount: String,
    pub(crate) share: String,
    pub(crate) notes: Notes,
}

/// The rows of one tree while they are built.
pub(crate) struct Rows {
    chooser: Chooser,
    units: Units,
    total: u64,
    done: Vec<Row>,
}

/// The position of a row: the text before it, the text before the rows below it, and the levels
/// left.
struct Place {
    lead: String,
    below: String,
    levels: usize,
}

impl Place {
    fn child(&self, is_last: bool) -> Self {
        let (turn, pass) = if is_last { ("└─ ", "   ") } else { ("├─ ", "│  ") };
        Self {
            lead: format!("{}{turn}", self.below),
            below: format!("{}{pass}", self.below),
            levels: self.levels.saturating_sub(1),
        }
    }
}

impl Rows {
    pub(crate) fn of(tree: &Tree<'_>, root: Branch<'_>) -> Vec<Row> {
        let (chooser, units) = (Chooser::new(tree), tree.units);
        let mut rows = Self { chooser, units, total: root.total_bytes(), done: Vec::new() };
        let place = Place { lead: String::new(), below: String::new(), levels: tree.depth };
        rows.branch(root, &place);
        rows.done
    }

    fn branch(&mut self, branch: Branch<'_>, place: &Place) {
        let choice = match place.levels {
            0 => Choice::default(),
            _ => self.chooser.choose(branch),
        };
        self.row(place, branch.name(), branch.total_bytes(), self.notes(branch, &choice));
        let (shown, more) = (choice.shown.len(), !choice.hidden.is_empty());
        if shown == 0 {
            return;
        }
        for (index, entry) in choice.shown.iter().enumerate() {
            let place = place.child(index + 1 == shown && !more);
            match *entry {
                Entry::Branch(child) => self.branch(child, &place),
                Entry::Own(part) => {
                    let notes = self.doubts(core::slice::from_ref(entry), part.bytes);
                    self.row(&place, part.name, part.bytes, notes);
                }
            }
        }
        if more {
            self.more(branch.total_bytes(), &choice, &place.child(true));
        }
    }

    fn notes(&self, branch: Branch<'_>, choice: &Choice<'_>) -> Notes {
        let mut marks = Marks::default();
        if choice.shown.is_empty() {
            // No lines are drawn below, so this line has the marks of everything below.
            marks.add_tree(branch);
        } else {
            marks.add_opaque(branch);
        }
        let notes = Notes::counted(branch);
        if choice.has_own() {
            return notes.doubts(&marks, branch.total_bytes(), self.units);
        }
        if !choice.shown.is_empty() {
            marks.add_estimates(branch);
        }
        notes.spare(branch, self.chooser.floor(), self.units).doubts(
            &marks,
            branch.total_bytes(),
            self.units,
        )
    }

    /// Adds the row of all lines that are left out, with the bytes that remain of the branch.
    fn more(&mut self, bytes: u64, choice: &Choice<'_>, place: &Place) {
        let shown: u64 = choice.shown.iter().map(Entry::bytes).sum();
        let name = format!("…{} more", Grouped(choice.hidden.len() as u64));
        let notes = self.doubts(&choice.hidden, bytes - shown);
        self.row(place, &name, bytes - shown, notes);
    }

    fn doubts(&self, entries: &[Entry<'_>], bytes: u64) -> Notes {
        let mut marks = Marks::default();
        for entry in entries {
            entry.add_marks(&mut marks);
        }
        Notes::default().doubts(&marks, bytes, self.units)
    }

    fn row(&mut self, place: &Place, name: &str, bytes: u64, notes: Notes) {
        self.done.push(Row {
            lead: place.lead.clone(),
            name: Shown(name).to_string(),
            amount: self.units.show(bytes).to_string(),
            share: Percent { part: bytes, whole: self.total }.to_string(),
            notes,
        });
    }
}
