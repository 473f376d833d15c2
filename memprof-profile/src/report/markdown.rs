//! The Markdown form of a report, for a pull request.

use crate::report::Report;
use crate::report::{Component, FIGURES};
use crate::text::{Code, Percent, Shown};
use crate::views::footer;
use core::fmt::Write;

impl Report<'_> {
    /// Returns the report as Markdown. It has a table of the bytes by purpose, a table of the
    /// components if the report is detailed, and a list of the recommendations. Names are written
    /// as code, so nothing in them acts as markup, a link or a mention.
    pub fn to_markdown(&self) -> String {
        let statistics = &self.statistics;
        let total = statistics.total();
        let show = |bytes| self.units.show(bytes);
        let name = Code(Shown(self.profile.root().name()));
        let mut text = format!("### {name}: {}\n\n", self.heading());
        text += "| | bytes | share | |\n|---|---:|---:|---|\n";
        for row in self.summary() {
            let share = Percent { part: row.bytes, whole: total };
            let notes = row.notes.join(", ");
            let _ = writeln!(text, "| {} | {} | {share} | {notes} |", row.label, show(row.bytes));
        }
        for (label, fact) in self.facts() {
            let _ = write!(text, "\n- {label}: {}", escaped(&fact));
        }
        if let Some(components) = &self.components {
            let _ = write!(text, "\n\n| component | {} |\n|---|", FIGURES.join(" | "));
            let _ = writeln!(text, "{}", "---:|".repeat(FIGURES.len()));
            for Component { name, statistics } in components {
                let figures = self.figures(statistics).join(" | ");
                let _ = writeln!(text, "| {} | {figures} |", Code(Shown(name)));
            }
        }
        for found in &self.advice {
            let line = found.line(|path| Code(Shown(path)).to_string(), escaped);
            let _ = write!(text, "\n- **{}** {line}", found.severity());
        }
        let footer = footer(self.profile, self.units).join(" · ");
        let _ = writeln!(text, "\n\n{}", escaped(&footer));
        text
    }
}

/// Escapes a text so that it contains no Markdown or HTML syntax.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for char in Shown(text).to_string().chars() {
        if matches!(
            char,
            '|' | '`' | '*' | '_' | '[' | ']' | '<' | '>' | '&' | '\\' | '#' | '~' | '$'
        ) {
            escaped.push('\\');
        }
        escaped.push(char);
    }
    escaped
}
