//! The text form of a report, for a terminal.

use crate::report::Report;
use crate::report::{Component, FIGURES};
use crate::text::{Percent, Shown, columns, shortened};
use crate::views::{footer, wrapped};
use core::fmt;

/// The maximum number of components with their own line; the last line adds up the rest.
const MAX_COMPONENTS: usize = 20;

/// The columns of a component's name.
const NAME_WIDTH: usize = 28;

impl fmt::Display for Report<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let total = self.statistics.total();
        let name = shortened(&Shown(self.profile.root().name()).to_string(), self.width / 2);
        writeln!(out, "{name}: {}", self.heading())?;
        let rows = self.summary();
        let amount = |bytes| self.units.show(bytes).to_string();
        let max_width =
            rows.iter().map(|row| columns(&amount(row.bytes))).max().unwrap_or_default();
        for row in rows {
            let (amount, share) = (amount(row.bytes), Percent { part: row.bytes, whole: total });
            let line = format!("  {:<11}{amount:>max_width$}  {share:>7}", row.label);
            writeln!(out, "{}", with_notes(&line, &row.notes.join(", ")))?;
        }
        for (label, fact) in self.facts() {
            writeln!(out, "{}", hanging(&format!("  {label:<11}"), &fact, 13, self.width))?;
        }
        if let Some(components) = &self.components {
            self.write_components(components, out)?;
        }
        for found in &self.advice {
            let severity = format!("  {:<11}", found.severity());
            writeln!(out, "{}", hanging(&severity, &found.to_string(), 13, self.width))?;
        }
        out.write_str(&wrapped(&footer(self.profile, self.units), self.width))
    }
}

impl Report<'_> {
    fn write_components(
        &self,
        components: &[Component],
        out: &mut fmt::Formatter<'_>,
    ) -> fmt::Result {
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
        write!(out, "  {:<NAME_WIDTH$}", "component")?;
        FIGURES.iter().try_for_each(|figure| write!(out, "{figure:>11}"))?;
        writeln!(out)?;
        for (name, Component { statistics, .. }) in lines {
            let name = shortened(&name, NAME_WIDTH - 1);
            let padding = NAME_WIDTH - columns(&name);
            write!(out, "  {name}{:padding$}", "")?;
            let figures = self.figures(&statistics);
            figures.iter().try_for_each(|figure| write!(out, "{figure:>11}"))?;
            writeln!(out)?;
        }
        Ok(())
    }
}

fn with_notes(line: &str, notes: &str) -> String {
    if notes.is_empty() { line.to_owned() } else { format!("{line}   {notes}") }
}

/// Formats a text after a label, and indents the further lines of the text.
fn hanging(label: &str, text: &str, indent: usize, width: usize) -> String {
    let mut line = label.to_owned();
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
    lines.join("\n")
}

/// Returns whether a word is the unit of the number before it.
fn is_unit(word: &str) -> bool {
    let word = word.trim_matches(['(', ')', ';', ',', ':']);
    matches!(word, "%" | "B") || word.len() <= 3 && word.ends_with('B')
}
