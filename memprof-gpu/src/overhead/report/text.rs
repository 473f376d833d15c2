//! A report as aligned text.

use super::Report;
use super::tables::Table;
use core::fmt;
use memprof_profile::text::{Shown, columns};

/// Between two columns.
const GAP: &str = "  ";

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (name, value) in self.environment.lines() {
            writeln!(out, "{name:<8}{}", Shown(&value))?;
        }
        for table in self.tables() {
            writeln!(out, "\n{}", table.title)?;
            for line in lines(&table) {
                writeln!(out, "  {line}")?;
            }
        }
        writeln!(out, "\nfindings")?;
        for finding in self.findings() {
            writeln!(out, "  {}", Shown(&finding))?;
        }
        Ok(())
    }
}

/// A cell without letters that move the cursor; nothing stays nothing.
fn on_screen(cell: &str) -> String {
    if cell.is_empty() { String::new() } else { Shown(cell).to_string() }
}

/// The heading and the rows; a column without content is left out.
fn lines(table: &Table) -> Vec<String> {
    let shown_row = |row: &Vec<String>| row.iter().map(|cell| on_screen(cell)).collect();
    let rows: Vec<Vec<String>> = table.rows.iter().map(shown_row).collect();
    let width = |column: usize| {
        let widest = rows.iter().map(|row| columns(&row[column])).max().unwrap_or(0);
        if widest == 0 { 0 } else { widest.max(columns(table.heading[column])) }
    };
    let widths: Vec<usize> = (0..table.heading.len()).map(width).collect();
    let heading = table.heading.iter().map(|&cell| cell.to_owned()).collect();
    let line = |row: &Vec<String>| {
        let filled = (0..row.len()).filter(|&column| widths[column] > 0);
        let cells: Vec<String> = filled
            .map(|column| {
                let cell = &row[column];
                let padding = " ".repeat(widths[column] - columns(cell));
                if table.words.contains(&column) {
                    format!("{cell}{padding}")
                } else {
                    format!("{padding}{cell}")
                }
            })
            .collect();
        cells.join(GAP).trim_end().to_owned()
    };
    [heading].iter().chain(&rows).map(line).collect()
}
