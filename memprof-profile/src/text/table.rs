//! Rows of cells, formatted as aligned lines.

use crate::text::{columns, shortened};

/// The spaces between two columns.
const GAP: usize = 2;
/// The minimum width of a cell that is shortened, even if the line is then too wide.
const MIN_CELL_WIDTH: usize = 12;

/// The side to which the cells of a column are aligned.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Side {
    Left,
    Right,
}

/// Rows of cells. A column is left out if it is empty in every row below the heading.
///
/// ```
/// use memprof_profile::text::Table;
///
/// let mut table = Table::new(["name", "bytes"], &[0]);
/// table.row(["values".to_owned(), "1.0 KiB".to_owned()]);
/// assert_eq!(table.lines(80), ["name      bytes", "values  1.0 KiB"]);
/// ```
#[derive(Debug)]
pub struct Table {
    sides: Vec<Side>,
    heading: Vec<String>,
    rows: Vec<Vec<String>>,
    /// The columns whose cells are shortened in the middle if a line is too long. The last one is
    /// shortened first.
    shortenable: Vec<usize>,
}

impl Table {
    /// Returns a table with this heading. The columns in `left` hold text and are shortened if
    /// needed.
    pub fn new<const N: usize>(heading: [&str; N], left: &[usize]) -> Self {
        Self::with(heading.map(str::to_owned).into(), Vec::new(), left)
    }

    /// Returns a table of these rows without a heading; `left` is as in [`new`](Self::new).
    ///
    /// Each row must have the same number of cells.
    pub fn of_rows(rows: Vec<Vec<String>>, left: &[usize]) -> Self {
        let columns = rows.first().map_or(0, Vec::len);
        Self::with(vec![String::new(); columns], rows, left)
    }

    fn with(heading: Vec<String>, rows: Vec<Vec<String>>, left: &[usize]) -> Self {
        let side = |column| if left.contains(&column) { Side::Left } else { Side::Right };
        let sides: Vec<Side> = (0..heading.len()).map(side).collect();
        let shortenable = left.iter().copied().filter(|&column| column < sides.len()).collect();
        Self { sides, heading, rows, shortenable }
    }

    /// Adds a row. The row must have one cell for each column of the table.
    pub fn row(&mut self, cells: impl IntoIterator<Item = String>) {
        let cells: Vec<String> = cells.into_iter().collect();
        debug_assert_eq!(cells.len(), self.sides.len());
        self.rows.push(cells);
    }

    /// Returns whether the table has no rows.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Leaves a column out.
    pub fn drop_column(&mut self, column: usize) {
        self.heading[column].clear();
        self.rows.iter_mut().for_each(|row| row[column].clear());
    }

    /// Returns whether any row has text in a column.
    pub fn is_filled(&self, column: usize) -> bool {
        self.rows.iter().any(|row| !row[column].is_empty())
    }

    /// Returns the number of columns by which a column is wider than `min`, or 0.
    pub fn yields(&self, column: usize, min: usize) -> usize {
        self.widths()[column].saturating_sub(min)
    }

    /// Returns the width of the widest line if no cell is shortened.
    pub fn columns(&self) -> usize {
        let widths = self.widths();
        let filled = widths.iter().filter(|&&width| width > 0).count();
        widths.iter().sum::<usize>() + GAP * filled.saturating_sub(1)
    }

    /// Returns the lines: the heading if it is not empty, and the rows. Cells are shortened to keep
    /// lines within `width` columns, as far as that is possible.
    ///
    /// # Panics
    /// Panics if a row has fewer cells than the table has columns.
    pub fn lines(&self, width: usize) -> Vec<String> {
        let mut widths = self.widths();
        let mut over = self.columns().saturating_sub(width);
        for &column in self.shortenable.iter().rev() {
            let reduction = over.min(widths[column].saturating_sub(MIN_CELL_WIDTH));
            widths[column] -= reduction;
            over -= reduction;
        }
        let heading = self.heading.iter().any(|cell| !cell.is_empty()).then_some(&self.heading);
        heading.into_iter().chain(&self.rows).map(|row| self.line(row, &widths)).collect()
    }

    /// Returns the same lines, with the rows indented below the heading.
    pub fn indented(mut self, width: usize) -> Vec<String> {
        self.rows.iter_mut().for_each(|row| row[0].insert_str(0, "  "));
        self.lines(width)
    }

    fn line(&self, row: &[String], widths: &[usize]) -> String {
        let mut line = String::new();
        for ((cell, &width), side) in row.iter().zip(widths).zip(&self.sides) {
            if width == 0 {
                continue;
            }
            if !line.is_empty() {
                line.push_str(&" ".repeat(GAP));
            }
            let cell = shortened(cell, width);
            let padding = " ".repeat(width.saturating_sub(columns(&cell)));
            match side {
                Side::Left => line.extend([cell.as_str(), &padding]),
                Side::Right => line.extend([padding.as_str(), &cell]),
            }
        }
        line.truncate(line.trim_end().len());
        line
    }

    fn widths(&self) -> Vec<usize> {
        let width = |column: usize| {
            let max_width = self.rows.iter().map(|row| columns(&row[column])).max().unwrap_or(0);
            if max_width == 0 { 0 } else { max_width.max(columns(&self.heading[column])) }
        };
        (0..self.sides.len()).map(width).collect()
    }
}

/// Joins parts by `between` on lines of at most `width` columns each. A part that is wider breaks
/// between its words.
pub fn filled(parts: &[String], between: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for (index, part) in parts.iter().enumerate() {
        let is_last = index + 1 == parts.len();
        let end = if is_last { "" } else { between.trim_end() };
        let part = format!("{part}{end}");
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(&part) <= width => {
                line.push(' ');
                line.push_str(&part);
            }
            _ => lines.extend(wrapped(&part, width)),
        }
    }
    lines
}

/// Wraps words to lines of at most `width` columns each.
fn wrapped(text: &str, width: usize) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split(' ') {
        match lines.last_mut() {
            Some(line) if columns(line) + 1 + columns(word) <= width => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::{Table, filled};

    #[test]
    fn empty_columns_are_left_out_and_text_is_shortened() {
        let mut table = Table::new(["name", "bytes", "unknown", "note"], &[0, 3]);
        table.row(["short", "5 B", "", "said of it"].map(str::to_owned));
        table.row(["名前 of something long", "1.0 KiB", "", ""].map(str::to_owned));
        let lines = table.lines(100);
        assert_eq!(
            lines,
            [
                "name                      bytes  note",
                "short                       5 B  said of it",
                "名前 of something long  1.0 KiB",
            ]
        );
        assert_eq!(table.columns(), 43);
        assert_eq!(table.lines(35)[2], "名前 of…g long  1.0 KiB");
        assert!(table.lines(1)[2].ends_with("  1.0 KiB"), "figures stay whole");
    }

    #[test]
    fn parts_are_kept_together_where_they_fit() {
        let parts = ["37.0 MiB ± 3.6 MiB", "9 472 blocks", "more"].map(str::to_owned);
        assert_eq!(filled(&parts, " ·", 80), ["37.0 MiB ± 3.6 MiB · 9 472 blocks · more"]);
        assert_eq!(filled(&parts, ";", 20), ["37.0 MiB ± 3.6 MiB;", "9 472 blocks; more"]);
        assert_eq!(filled(&parts, ";", 9)[..2], ["37.0 MiB", "± 3.6"]);
        assert!(filled(&[], ";", 9).is_empty());
    }
}
