//! Lines for a terminal: their width in columns, texts shortened to a width, aligned tables, and
//! styles.
//!
//! The width of a text is an approximation: one column per character, none for combining marks, two
//! for the blocks of East Asian scripts and emoji. The parts of a joined emoji sequence are counted
//! separately, so the count for the sequence is too high.

use core::fmt;

const GAP: usize = 2;
const MIN_CELL_WIDTH: usize = 12;

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
    min_cell_width: usize,
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
        Self { sides, heading, rows, shortenable, min_cell_width: MIN_CELL_WIDTH }
    }

    /// Sets the minimum width of a cell that is shortened, even if the line is then too wide.
    /// Default: 12.
    #[must_use]
    pub fn min_cell(mut self, columns: usize) -> Self {
        self.min_cell_width = columns;
        self
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
            let reduction = over.min(widths[column].saturating_sub(self.min_cell_width));
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
            _ => lines.extend(joined_lines(part.split(' ').map(str::to_owned), " ", width)),
        }
    }
    lines
}

/// Joins texts by `between` on lines of at most `width` columns each. A wider text has a line of its
/// own.
pub(crate) fn joined_lines(
    texts: impl IntoIterator<Item = String>,
    between: &str,
    width: usize,
) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for text in texts {
        match lines.last_mut() {
            Some(line) if columns(line) + columns(between) + columns(&text) <= width => {
                line.push_str(between);
                line.push_str(&text);
            }
            _ => lines.push(text),
        }
    }
    lines
}

/// The ranges of characters that combine with the one before them.
const NARROW: [(u32, u32); 11] = [
    (0x0300, 0x036f),
    (0x0483, 0x0489),
    (0x0591, 0x05bd),
    (0x064b, 0x065f),
    (0x1ab0, 0x1aff),
    (0x1dc0, 0x1dff),
    (0x200c, 0x200d),
    (0x20d0, 0x20ff),
    (0xfe00, 0xfe0f),
    (0xfe20, 0xfe2f),
    (0xe0100, 0xe01ef),
];

/// The ranges of characters that take two columns.
const WIDE: [(u32, u32); 15] = [
    (0x1100, 0x115f),
    (0x231a, 0x231b),
    (0x23e9, 0x23ec),
    (0x2e80, 0x303e),
    (0x3041, 0x33ff),
    (0x3400, 0x4dbf),
    (0x4e00, 0xa4cf),
    (0xac00, 0xd7a3),
    (0xf900, 0xfaff),
    (0xfe30, 0xfe6f),
    (0xff00, 0xff60),
    (0xffe0, 0xffe6),
    (0x1f300, 0x1f64f),
    (0x1f680, 0x1faff),
    (0x20000, 0x3fffd),
];

/// Returns the width of `text` in columns.
pub fn columns(text: &str) -> usize {
    text.chars().map(columns_of).sum()
}

fn columns_of(char: char) -> usize {
    let within = |ranges: &[(u32, u32)]| {
        ranges.iter().any(|&(first, last)| (first..=last).contains(&u32::from(char)))
    };
    match char {
        ' '..='~' => 1,
        _ if within(&NARROW) => 0,
        _ if within(&WIDE) => 2,
        _ => 1,
    }
}

/// Returns `text` in at most `limit` columns; the middle of a longer text becomes `…`.
pub fn shortened(text: &str, limit: usize) -> String {
    if columns(text) <= limit {
        return text.to_owned();
    }
    let available = limit.saturating_sub(1);
    let head = fitting(text.chars(), available.div_ceil(2));
    let tail = fitting(text.chars().rev(), available / 2);
    let head: String = text.chars().take(head).collect();
    let tail: String = text.chars().skip(text.chars().count() - tail).collect();
    format!("{head}…{tail}")
}

/// Returns `text` in at most `limit` columns; the end of a longer text becomes `…`. Returns an
/// empty text if `limit` is 0.
pub fn cut(text: &str, limit: usize) -> String {
    if limit == 0 {
        return String::new();
    }
    if columns(text) <= limit {
        return text.to_owned();
    }
    let kept = fitting(text.chars(), limit.saturating_sub(1));
    let kept: String = text.chars().take(kept).collect();
    format!("{}…", kept.trim_end())
}

fn fitting(chars: impl Iterator<Item = char>, available: usize) -> usize {
    let mut used = 0;
    chars
        .take_while(|&char| {
            used += columns_of(char);
            used <= available
        })
        .count()
}

/// The style of a part of a text. A style never adds information that is not in the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Style {
    /// Without a style.
    Plain,
    /// Less important than the rest, such as the lines before the names of a tree.
    Faint,
    /// Good: exact figures, memory that shrank.
    Good,
    /// Needs attention: figures that are not exact, a warning.
    Warning,
    /// Bad: memory that grew, a critical problem.
    Bad,
}

/// Text with styled parts; `{}` writes it without the styles.
///
/// ```
/// use memprof_profile::Profile;
/// use memprof_profile::text::Style;
///
/// let profile = Profile::named("names", &vec![String::from("alpha")]);
/// let text = profile.tree().styled();
/// assert_eq!(text.to_string(), profile.to_string());
/// assert_eq!(text.parts().last(), Some((Style::Good, "exact · 2 allocations")));
/// ```
#[derive(Clone, Debug, Default)]
pub struct StyledText {
    text: String,
    /// The style of each part, and the position at which the part ends.
    ends: Vec<(Style, usize)>,
}

impl StyledText {
    /// Appends text with a style.
    pub fn push(&mut self, style: Style, text: &str) {
        if text.is_empty() {
            return;
        }
        self.text.push_str(text);
        let end = self.text.len();
        match self.ends.last_mut() {
            Some(last) if last.0 == style => last.1 = end,
            _ => self.ends.push((style, end)),
        }
    }

    /// Returns the parts in order. Neighbours differ in style.
    pub fn parts(&self) -> impl Iterator<Item = (Style, &str)> {
        let mut start = 0;
        self.ends.iter().map(move |&(style, end)| {
            let part = &self.text[start..end];
            start = end;
            (style, part)
        })
    }
}

impl fmt::Display for StyledText {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

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
        let parts = ["37.0 MiB ± 3.6 MiB", "9,472 blocks", "more"].map(str::to_owned);
        assert_eq!(filled(&parts, " ·", 80), ["37.0 MiB ± 3.6 MiB · 9,472 blocks · more"]);
        assert_eq!(filled(&parts, ";", 20), ["37.0 MiB ± 3.6 MiB;", "9,472 blocks; more"]);
        assert_eq!(filled(&parts, ";", 9)[..2], ["37.0 MiB", "± 3.6"]);
        assert!(filled(&[], ";", 9).is_empty());
    }

    #[test]
    fn wide_and_combining_characters_are_counted() {
        let cases = [
            ("", 0),
            ("values", 6),
            ("名前", 4),
            ("e\u{301}", 1),
            ("🚀", 2),
            ("─", 1),
            ("한글", 4),
        ];
        for (text, expected) in cases {
            assert_eq!(columns(text), expected, "{text}");
        }
    }

    #[test]
    fn long_texts_lose_their_middle_or_their_end() {
        let cases = [
            ("values", 6, "values", "values"),
            ("a_long_name_of_a_field", 11, "a_lon…field", "a_long_nam…"),
            ("名前名前名前", 8, "名前…前", "名前名…"),
            ("abc", 1, "…", "…"),
            ("abc", 0, "…", ""),
        ];
        for (text, limit, middle, end) in cases {
            assert_eq!(shortened(text, limit), middle, "{text} in {limit}");
            assert_eq!(cut(text, limit), end, "{text} in {limit}");
        }
    }

    #[test]
    fn neighbours_of_one_style_are_one_part() {
        let mut text = StyledText::default();
        for (style, part) in [
            (Style::Plain, "a"),
            (Style::Plain, "b "),
            (Style::Faint, ""),
            (Style::Bad, "é\n"),
            (Style::Plain, "c"),
        ] {
            text.push(style, part);
        }
        let parts: Vec<_> = text.parts().collect();
        assert_eq!(parts, [(Style::Plain, "ab "), (Style::Bad, "é\n"), (Style::Plain, "c")]);
        assert_eq!(text.to_string(), "ab é\nc");
    }
}
