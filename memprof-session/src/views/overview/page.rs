//! Lines and sections of a page.

use memprof_profile::Units;
use memprof_profile::text::cut;
use memprof_profile::text::{Table, filled};

/// A page being written.
pub(super) struct Page {
    lines: Vec<String>,
    pub(super) width: usize,
    pub(super) units: Units,
}

/// How wide the labels of lines are.
const LABEL: usize = 12;

impl Page {
    pub(super) fn new(width: usize, units: Units) -> Self {
        Self { lines: Vec::new(), width, units }
    }

    /// A line at the margin.
    pub(super) fn title(&mut self, text: &str) {
        self.lines.push(cut(text, self.width));
    }

    /// What a label says; as many lines as it takes.
    pub(super) fn labelled(&mut self, label: &str, parts: &[String]) {
        let lines = filled(parts, ";", self.width.saturating_sub(LABEL));
        for (index, line) in lines.iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            self.lines.push(cut(&format!("{label:LABEL$}{line}"), self.width));
        }
    }

    /// A section: its title after an empty line, and its table, unless that is empty.
    pub(super) fn section(&mut self, title: &str, table: &Table) {
        if !table.is_empty() {
            self.heading(title);
            self.table(table);
        }
    }

    /// A section that follows the one before without a gap.
    pub(super) fn part_of_section(&mut self, title: &str, table: &Table) {
        if !table.is_empty() {
            self.lines.push(title.to_owned());
            self.table(table);
        }
    }

    /// The title of a section.
    pub(super) fn heading(&mut self, title: &str) {
        self.lines.push(String::new());
        self.lines.push(title.to_owned());
    }

    /// The lines of a table, indented.
    pub(super) fn table(&mut self, table: &Table) {
        let lines = table.lines(self.width - 2);
        self.lines.extend(lines.into_iter().map(|line| cut(&format!("  {line}"), self.width)));
    }

    /// A line of a section.
    pub(super) fn line(&mut self, text: &str) {
        self.parts(&[text.to_owned()]);
    }

    /// A line of several parts.
    pub(super) fn parts(&mut self, parts: &[String]) {
        let lines = filled(parts, ";", self.width - 2);
        self.lines.extend(lines.into_iter().map(|line| cut(&format!("  {line}"), self.width)));
    }

    /// An empty line.
    pub(super) fn gap(&mut self) {
        self.lines.push(String::new());
    }

    /// A table whose heading begins at the margin, its rows indented.
    pub(super) fn table_with_title(&mut self, table: Table) {
        let lines = table.indented(self.width);
        self.lines.extend(lines.into_iter().map(|line| cut(&line, self.width)));
    }

    /// A line of a section that is aligned with others.
    pub(super) fn preformatted(&mut self, line: &str) {
        self.lines.push(cut(&format!("  {line}"), self.width));
    }

    pub(super) fn text(&self) -> String {
        self.lines.join("\n")
    }
}
