//! A report as Markdown.

use super::Report;
use super::tables::Table;

impl Report {
    /// The report as Markdown: what it was measured with, its tables and its findings.
    pub fn to_markdown(&self) -> String {
        let mut text = String::from("| | |\n|:--|:--|\n");
        for (name, value) in self.environment.lines() {
            text.push_str(&line([name, &escaped(&value)]));
        }
        for table in self.tables() {
            text.push_str(&marked(&table));
        }
        text.push_str("\n**findings**\n\n");
        for finding in self.findings() {
            text.extend(["- ", &escaped(&finding), "\n"]);
        }
        text
    }
}

fn marked(table: &Table) -> String {
    let is_filled = |&column: &usize| table.rows.iter().any(|row| !row[column].is_empty());
    let filled: Vec<usize> = (0..table.heading.len()).filter(is_filled).collect();
    let mut text = format!("\n**{}**\n\n", table.title);
    text.push_str(&line(filled.iter().map(|&column| table.heading[column])));
    let side = |column: &usize| if table.words.contains(column) { ":--" } else { "--:" };
    let sides: Vec<&str> = filled.iter().map(side).collect();
    text.extend(["|", &sides.join("|"), "|\n"]);
    for row in &table.rows {
        let cells: Vec<String> = filled.iter().map(|&column| escaped(&row[column])).collect();
        text.push_str(&line(cells.iter().map(String::as_str)));
    }
    text
}

fn line<'c>(cells: impl IntoIterator<Item = &'c str>) -> String {
    format!("| {} |\n", cells.into_iter().collect::<Vec<_>>().join(" | "))
}

/// What would end a cell, or begin something else than text, is taken as it stands.
fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '\n' | '\r' => escaped.push(' '),
            '|' | '\\' | '`' | '*' | '_' | '<' | '[' | '&' => {
                escaped.push('\\');
                escaped.push(letter);
            }
            other => escaped.push(other),
        }
    }
    escaped
}
