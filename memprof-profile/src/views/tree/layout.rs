//! The column widths of a tree, and the rows formatted with them.

use crate::text::{Style, StyledText, columns, shortened};
use crate::views::tree::rows::Row;

/// The widths of the columns.
#[derive(Debug)]
pub(crate) struct Layout {
    width: usize,
    name: usize,
    amount: usize,
    share: usize,
}

/// The minimum number of columns of a name, however deep the name is nested.
const MIN_NAME_WIDTH: usize = 8;

/// The spaces between the columns of figures.
const GAP: usize = 2;

/// The spaces before the notes.
const NOTES_GAP: usize = 3;

impl Layout {
    pub(crate) fn of(rows: &[Row], width: usize) -> Self {
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

    /// Adds the line of a row to `text`.
    pub(crate) fn write(&self, row: &Row, text: &mut StyledText) {
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
