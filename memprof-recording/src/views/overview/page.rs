//! Lines and sections of the overview.

use memprof_profile::text::{Table, current_folder, cut, filled};
use memprof_profile::views::Units;

/// The text of an overview, built line by line.
pub(super) struct Page {
    lines: Vec<String>,
    pub(super) width: usize,
    pub(super) units: Units,
    /// The folder to which the files of places are relative.
    pub(super) folder: Option<String>,
}

/// The width of the labels at the start of lines.
const LABEL: usize = 12;

impl Page {
    pub(super) fn new(width: usize, units: Units) -> Self {
        Self { lines: Vec::new(), width, units, folder: current_folder() }
    }

    /// Adds a line at the margin.
    pub(super) fn title(&mut self, text: &str) {
        self.lines.push(cut(text, self.width));
    }

    /// Adds the text of a label, in one or more lines.
    pub(super) fn labelled(&mut self, label: &str, parts: &[String]) {
        let lines = filled(parts, ";", self.width.saturating_sub(LABEL));
        for (index, line) in lines.iter().enumerate() {
            let label = if index == 0 { label } else { "" };
            self.lines.push(cut(&format!("{label:LABEL$}{line}"), self.width));
        }
    }

    /// Adds an empty line, the title and the table of a section; adds nothing for an empty table.
    pub(super) fn section(&mut self, title: &str, table: &Table) {
        if !table.is_empty() {
            self.heading(title);
            self.table(table);
        }
    }

    /// Adds a section without an empty line before it.
    pub(super) fn part_of_section(&mut self, title: &str, table: &Table) {
        if !table.is_empty() {
            self.lines.push(title.to_owned());
            self.table(table);
        }
    }

    /// Adds an empty line and the title of a section.
    pub(super) fn heading(&mut self, title: &str) {
        self.lines.push(String::new());
        self.lines.push(title.to_owned());
    }

    /// Adds the lines of a table, indented.
    pub(super) fn table(&mut self, table: &Table) {
        let lines = table.lines(self.width - 2);
        self.lines.extend(lines.into_iter().map(|line| cut(&format!("  {line}"), self.width)));
    }

    /// Adds a line to a section.
    pub(super) fn line(&mut self, text: &str) {
        self.parts(&[text.to_owned()]);
    }

    /// Adds a line of several parts.
    pub(super) fn parts(&mut self, parts: &[String]) {
        let lines = filled(parts, ";", self.width - 2);
        self.lines.extend(lines.into_iter().map(|line| cut(&format!("  {line}"), self.width)));
    }

    /// Returns the number of columns for a place on its own line, as [`uncut`](Self::uncut) writes
    /// it.
    pub(super) fn place_width(&self) -> usize {
        self.width - 6
    }

    /// Adds an empty line.
    pub(super) fn gap(&mut self) {
        self.lines.push(String::new());
    }

    /// Adds a table whose heading begins at the margin and whose rows are indented.
    pub(super) fn table_with_title(&mut self, table: Table) {
        let lines = table.indented(self.width);
        self.lines.extend(lines.into_iter().map(|line| cut(&line, self.width)));
    }

    /// Adds a table like [`table_with_title`](Self::table_with_title), with the notes of each row on
    /// lines below the row.
    pub(super) fn table_with_notes(&mut self, table: Table, notes: &[Vec<String>]) {
        for (index, line) in table.indented(self.width).iter().enumerate() {
            self.lines.push(cut(line, self.width));
            // The first line is the title.
            let notes = index.checked_sub(1).and_then(|index| notes.get(index));
            let lines = filled(notes.map_or(&[], Vec::as_slice), ",", self.width - 4);
            self.lines
                .extend(lines.into_iter().map(|line| cut(&format!("    {line}"), self.width)));
        }
    }

    /// Adds a line to a section without breaking it, so that it stays aligned with others.
    pub(super) fn preformatted(&mut self, line: &str) {
        self.lines.push(cut(&format!("  {line}"), self.width));
    }

    /// Adds the lines of a table whose column `column` has places. If the table would shorten a place
    /// in the middle, each place gets its own line below its row.
    pub(super) fn table_with_places(&mut self, mut table: Table, column: usize, places: &[String]) {
        if table.columns() + 2 <= self.width {
            self.table(&table);
            return;
        }
        table.drop_column(column);
        let has_title = table.lines(usize::MAX).len() > places.len();
        for (index, line) in table.lines(self.width - 2).iter().enumerate() {
            self.preformatted(line);
            let place = index.checked_sub(usize::from(has_title));
            if let Some(place) = place.and_then(|index| places.get(index)) {
                self.uncut(place);
            }
        }
    }

    /// Adds places that belong to the line above. A line that is too long is broken at the arrow,
    /// and files are never cut.
    pub(super) fn uncut(&mut self, places: &str) {
        if places.chars().count() + 4 <= self.width {
            self.lines.push(format!("    {places}"));
            return;
        }
        for (index, place) in places.split(" → ").enumerate() {
            let indent = if index == 0 { "    " } else { "    → " };
            self.lines.push(format!("{indent}{place}"));
        }
    }

    pub(super) fn text(&self) -> String {
        self.lines.join("\n")
    }
}
