//! The report for a pull request.

use crate::Report;
use crate::views::{Percent, Shown, counted, verdict};
use core::fmt::Write;

impl Report<'_> {
    /// The report as Markdown: a table of what the bytes serve, one of the components if it is
    /// detailed, and the recommendations as a list.
    pub fn to_markdown(&self) -> String {
        let statistics = &self.statistics;
        let total = statistics.total();
        let show = |bytes| self.units.show(bytes);
        let name = escaped(self.profile.root().name());
        let allocations = counted(statistics.allocations, "allocation");
        let mut text = format!("### {name}: {}, {allocations}\n\n", show(total));
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
            text += "\n\n| component | total | data | metadata | auxiliary | spare |\n";
            text += "|---|---:|---:|---:|---:|---:|\n";
            for component in components {
                let statistics = &component.statistics;
                let _ = writeln!(
                    text,
                    "| {} | {} | {} | {} | {} | {} |",
                    escaped(&component.name),
                    show(statistics.total()),
                    show(statistics.data),
                    show(statistics.metadata),
                    show(statistics.auxiliary),
                    show(statistics.spare),
                );
            }
        }
        for found in &self.advice {
            let _ = write!(text, "\n- **{}** {}", found.severity(), escaped(&found.to_string()));
        }
        let verdict = verdict(self.profile, self.units).join(" · ");
        let _ = writeln!(text, "\n\n{}", escaped(&verdict));
        text
    }
}

/// A text in which Markdown and HTML see nothing of theirs.
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
