//! The text form of a report, for a terminal.

use crate::advice::Severity;
use crate::report::Report;
use crate::report::{Component, FIGURES};
use crate::text::{Percent, Shown, Style, StyledText, columns, shortened};
use crate::views::{footer, footer_style, wrapped};
use core::fmt;

/// The maximum number of components with their own line; the last line adds up the rest.
const MAX_COMPONENTS: usize = 20;

/// The columns of a component's name.
const NAME_WIDTH: usize = 28;

/// The columns before the texts after labels.
const LABEL_WIDTH: usize = 13;

impl fmt::Display for Report<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.styled().fmt(out)
    }
}

impl Report<'_> {
    /// Returns the text with the styles of its parts.
    pub fn styled(&self) -> StyledText {
        let mut text = StyledText::default();
        let mut line = |line: &str| {
            text.push(Style::Plain, line);
            text.push(Style::Plain, "\n");
        };
        let total = self.statistics.total();
        let name = shortened(&Shown(self.profile.root().name()).to_string(), self.width / 2);
        line(&format!("{name}: {}", self.heading()));
        let rows = self.summary();
        let amount = |bytes| self.units.show(bytes).to_string();
        let max_width =
            rows.iter().map(|row| columns(&amount(row.bytes))).max().unwrap_or_default();
        for row in rows {
            let (amount, share) = (amount(row.bytes), Percent { part: row.bytes, whole: total });
            let figures = format!("  {:<11}{amount:>max_width$}  {share:>7}", row.label);
            line(&with_notes(&figures, &row.notes.join(", ")));
        }
        for (label, fact) in self.facts() {
            line(&format!("  {label:<11}{}", hanging(&fact, self.width)));
        }
        for row in self.components.iter().flat_map(|components| self.component_rows(components)) {
            line(&row);
        }
        for found in &self.advice {
            let severity = found.severity();
            text.push(Style::Plain, "  ");
            text.push(style(severity), severity.as_str());
            let padding = LABEL_WIDTH - 2 - columns(severity.as_str());
            let advice = hanging(&found.to_string(), self.width);
            text.push(Style::Plain, &format!("{:padding$}{advice}\n", ""));
        }
        let footer = wrapped(&footer(self.profile, self.units), self.width);
        text.push(footer_style(self.profile), &footer);
        text
    }

    fn component_rows(&self, components: &[Component]) -> Vec<String> {
        let (shown, rest) = components.split_at(components.len().min(MAX_COMPONENTS));
        let mut lines: Vec<(String, Component)> = shown
            .iter()
            .map(|component| (Shown(&component.name).to_string(), component.clone()))
            .collect();
        if let Some((first, others)) = rest.split_first() {
            let mut sum = first.clone();
            for other in others {
                sum.statistics += other.statistics;
            }
            lines.push((format!("…{} more", rest.len()), sum));
        }
        let row = |name: &str, figures: Vec<String>| {
            let name = shortened(name, NAME_WIDTH - 1);
            let padding = NAME_WIDTH - columns(&name);
            format!("  {name}{:padding$}{}", "", figures.concat())
        };
        let heading = FIGURES.iter().map(|figure| format!("{figure:>11}")).collect();
        let mut rows = vec![row("component", heading)];
        for (name, Component { statistics, .. }) in lines {
            let figures = self.figures(&statistics);
            let figures = figures.iter().map(|figure| format!("{figure:>11}")).collect();
            rows.push(row(&name, figures));
        }
        rows
    }
}

fn style(severity: Severity) -> Style {
    match severity {
        Severity::Critical => Style::Bad,
        Severity::Warning => Style::Warning,
        Severity::Good => Style::Good,
        Severity::Info => Style::Plain,
    }
}

fn with_notes(line: &str, notes: &str) -> String {
    if notes.is_empty() { line.to_owned() } else { format!("{line}   {notes}") }
}

/// Formats a text after a label, and indents the further lines of the text.
fn hanging(text: &str, width: usize) -> String {
    let indent = LABEL_WIDTH;
    let mut line = " ".repeat(indent);
    let mut lines = Vec::new();
    let mut words = text.split(' ').peekable();
    while let Some(word) = words.next() {
        let unit = words.next_if(|next| is_unit(next));
        let word = unit.map_or_else(|| word.to_owned(), |unit| format!("{word} {unit}"));
        // A word that is wider than the line, such as a path, is shortened in its middle.
        let word = shortened(&word, width - indent);
        let needed = columns(&line) + 1 + columns(&word);
        if needed > width && columns(&line) > indent {
            lines.push(core::mem::replace(&mut line, " ".repeat(indent)));
        }
        if columns(&line) > indent {
            line.push(' ');
        }
        line.push_str(&word);
    }
    lines.push(line);
    // The label is in place of the first line's indentation.
    lines.join("\n").split_off(indent)
}

/// Returns whether a word is the unit of the number before it.
fn is_unit(word: &str) -> bool {
    let word = word.trim_matches(['(', ')', ';', ',', ':']);
    matches!(word, "%" | "B") || word.len() <= 3 && word.ends_with('B')
}
