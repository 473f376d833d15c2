//! The forms of a comparison: a table for a terminal (change, before → after, growth, path),
//! Markdown for pull requests, and JSON with a line for each path.

use crate::text::{
    self, Code, Grouped, Growth, Shown, Signed, Style, StyledText, Table, Units, counted, head,
    shortened,
};
use crate::views::diff::{Change, Diff, DiffEntry, DiffKind, Figure};
use crate::views::notes::{lower_bound, wrapped};
use core::cmp::Ordering;
use core::fmt::{self, Write as _};

#[derive(Debug)]
struct Row {
    change: String,
    before: String,
    after: String,
    growth: String,
    name: String,
    style: Style,
}

/// The maximum number of columns of a root's name in the last line.
const MAX_NAME_WIDTH: usize = 24;

/// The text shown instead of bytes if a profile does not have the path.
const NO_PATH: &str = "–";

impl Row {
    fn cells(&self) -> Vec<String> {
        let Self { change, before, after, growth, name, .. } = self;
        let before = format!("{before} →");
        vec![change.clone(), before, after.clone(), growth.clone(), name.clone()]
    }

    fn of(entry: &DiffEntry<'_>, units: Units) -> Self {
        let row = Self::sum(entry.before, entry.after, entry.path.to_string(), units);
        match entry.kind() {
            kind @ DiffKind::New => {
                Self { before: NO_PATH.into(), growth: kind.to_string(), ..row }
            }
            kind @ DiffKind::Gone => {
                Self { after: NO_PATH.into(), growth: kind.to_string(), ..row }
            }
            DiffKind::Unknown => {
                let shown = |figure: Figure, text| match figure.bytes {
                    Some(_) => text,
                    None => NO_PATH.into(),
                };
                let (before, after) =
                    (shown(entry.before, row.before), shown(entry.after, row.after));
                Self { before, after, ..row }
            }
            DiffKind::Grown | DiffKind::Shrunk => row,
        }
    }

    fn sum(before: Figure, after: Figure, name: String, units: Units) -> Self {
        let shown = |figure: Figure| lower_bound(figure.is_lower_bound, units.show(figure.bytes()));
        let (shown_before, shown_after) = (shown(before), shown(after));
        if before.differs_unknown(after) {
            return Self {
                change: DiffKind::Unknown.to_string(),
                before: shown_before,
                after: shown_after,
                growth: String::new(),
                name,
                style: Style::Warning,
            };
        }
        // A lower bound after the change makes growth at least this large, and a lower bound before it
        // makes shrinking at least this large.
        let at_least = match (before.is_lower_end, after.is_lower_end) {
            (_, true) => "≥ ",
            (true, false) => "≤ ",
            (false, false) => "",
        };
        let (before, after) = (before.bytes(), after.bytes());
        Self {
            change: format!("{at_least}{}", Signed { before, after, units }),
            before: shown_before,
            after: shown_after,
            growth: format!("{at_least}{}", Growth { before, after }),
            name,
            style: match after.cmp(&before) {
                Ordering::Greater => Style::Bad,
                Ordering::Less => Style::Good,
                Ordering::Equal => Style::Faint,
            },
        }
    }
}

impl Diff<'_> {
    /// If only one path would be left out, it is shown instead of `…1 more`.
    fn shown(&self) -> usize {
        match self.changes.len().checked_sub(self.max_paths) {
            Some(1) if self.max_paths > 0 => self.changes.len(),
            Some(_) => self.max_paths,
            None => self.changes.len(),
        }
    }

    fn rows(&self, count: usize) -> Vec<Row> {
        self.entries().take(count).map(|entry| Row::of(&entry, self.units)).collect()
    }

    /// Returns the row that adds up all paths after the first `shown`, if there are any.
    fn more(&self, shown: usize) -> Option<Row> {
        let hidden = self.changes.get(shown..).filter(|hidden| !hidden.is_empty())?;
        let (mut before, mut after) = (Figure::default(), Figure::default());
        for change in hidden {
            let figures = self.figures(change);
            (before, after) = (before.plus(figures.0), after.plus(figures.1));
        }
        let name = format!("…{} more", Grouped(hidden.len() as u64));
        Some(Row::sum(before, after, name, self.units))
    }

    /// Returns the row of the totals, unless it equals the only other row.
    fn total(&self) -> Option<Row> {
        let (before, after) = (self.before.total(), self.after.total());
        let only = self.changes.len() == 1 && {
            let entry = self.entry(&self.changes[0]);
            entry.before == before && entry.after == after
        };
        (!only).then(|| Row::sum(before, after, "total".into(), self.units))
    }

    fn footer(&self) -> Vec<String> {
        let mut parts = vec![self.counts()];
        parts.extend(self.exactness());
        if self.has_unknown() {
            parts.push("unknown: a walk did not visit all values".into());
        }
        let name = |name| shortened(&Shown(name).to_string(), MAX_NAME_WIDTH);
        let (before, after) = (name(self.before.name()), name(self.after.name()));
        if self.before.name() != self.after.name() {
            parts.push(format!("compared by structure: the root was {before} and is now {after}"));
        }
        parts
    }

    fn has_unknown(&self) -> bool {
        let is_unknown = |change: &Change| {
            let (before, after) = self.figures(change);
            DiffKind::of(before, after) == DiffKind::Unknown
        };
        !self.is_empty() && (self.known_change().is_none() || self.changes.iter().any(is_unknown))
    }

    fn counts(&self) -> String {
        if self.is_empty() {
            let (before, after) = (self.before.total(), self.after.total());
            let visited = if before.differs_unknown(after) { " in the visited values" } else { "" };
            return format!("no change{visited}: {}", self.units.show(self.after_bytes()));
        }
        let mut counts = [0_u64; DiffKind::ALL.len()];
        for change in &self.changes {
            let (before, after) = self.figures(change);
            counts[DiffKind::of(before, after) as usize] += 1;
        }
        let kinds = DiffKind::ALL.iter().zip(counts).filter(|&(_, count)| count > 0);
        let kinds: Vec<_> = kinds.collect();
        if let [(kind, count)] = kinds[..] {
            return format!("{} {kind}", counted(count, "path"));
        }
        let each = kinds.iter().map(|&(kind, count)| format!("{} {kind}", Grouped(count)));
        let each: Vec<_> = each.collect();
        format!("{} changed: {}", counted(self.changes.len() as u64, "path"), each.join(", "))
    }

    fn exactness(&self) -> Vec<String> {
        let [before, after] = [&self.before, &self.after].map(|side| side.warnings(self.units));
        match (before, after) {
            (None, None) => vec!["exact before and after".into()],
            (None, Some(after)) => vec![format!("exact before, not after: {after}")],
            (Some(before), None) => vec![format!("exact after, not before: {before}")],
            (Some(before), Some(after)) if before == after => {
                vec![format!("not exact before and after: {before}")]
            }
            (Some(before), Some(after)) => {
                vec![format!("not exact before: {before}"), format!("not exact after: {after}")]
            }
        }
    }
}

impl Diff<'_> {
    /// Returns the text with the styles of its parts.
    pub fn styled(&self) -> StyledText {
        let mut text = StyledText::default();
        if !self.is_empty() {
            let mut rows = self.rows(self.shown());
            rows.extend(self.more(rows.len()));
            rows.extend(self.total());
            let table = Table::of_rows(rows.iter().map(Row::cells).collect(), &[4]);
            let lines = table.min_cell(self.width / 3).lines(self.width);
            for (line, row) in lines.iter().zip(&rows) {
                // Only spaces are before the change, which is aligned to the right.
                let start = line.len() - line.trim_start().len();
                let (change, rest) = line[start..].split_at(row.change.len());
                text.push(Style::Plain, &line[..start]);
                text.push(row.style, change);
                text.push(Style::Plain, rest);
                text.push(Style::Plain, "\n");
            }
        }
        text.push(Style::Faint, &wrapped(&self.footer(), self.width));
        text
    }
}

/// Writes a line for each path, largest change first, then the totals and their exactness.
impl fmt::Display for Diff<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.styled().fmt(out)
    }
}

/// GitHub rejects comments above 65,536 characters.
const FOLDED: usize = 200;

impl Diff<'_> {
    /// Returns the comparison as Markdown: a table of the paths that [`widest`](Self::widest)
    /// allows, and a collapsed table of at most 200 more.
    ///
    /// Names are written as code, so nothing in them acts as markup, a link or a mention.
    pub fn to_markdown(&self) -> String {
        let mut text = String::new();
        if let Some(total) = self.total().filter(|_| !self.is_empty()) {
            let Row { change, before, after, growth, .. } = total;
            let growth = if growth.is_empty() { growth } else { format!(" ({growth})") };
            put(&mut text, format_args!("**{change}**{growth}: {before} → {after}\n\n"));
        }
        let shown = self.shown();
        let mut rows = self.rows(shown.saturating_add(FOLDED));
        let folded = rows.split_off(shown);
        if !rows.is_empty() {
            table(&mut text, &rows, None);
            text.push('\n');
        }
        if let Some(more) = self.more(rows.len()) {
            let Row { change, name, .. } = more;
            put(&mut text, format_args!("<details><summary>{name} ({change})</summary>\n\n"));
            table(&mut text, &folded, self.more(rows.len() + folded.len()).as_ref());
            text.push_str("\n</details>\n\n");
        }
        let footer = self.footer();
        put(&mut text, format_args!("{}\n", footer.join(" · ")));
        text
    }
}

fn table(text: &mut String, rows: &[Row], more: Option<&Row>) {
    text.push_str(&head(&["change", "before", "after", "growth", "path"]));
    let named = rows.iter().map(|row| (row, Code(&row.name).to_string()));
    let more = more.map(|row| (row, row.name.clone()));
    for (Row { change, before, after, growth, .. }, name) in named.chain(more) {
        text.push_str(&text::row(&[change, before, after, growth, &name]));
    }
}

fn put(text: &mut String, arguments: fmt::Arguments<'_>) {
    text.write_fmt(arguments).expect("writing to a string does not fail");
}

#[cfg(feature = "json")]
mod json {
    use super::super::{Diff, DiffKind, Side};
    use crate::views::json::write_safe;
    use serde::Serialize;
    use std::io::{self, BufWriter, Write};

    /// The value of the first key, which identifies the format.
    const FORMAT: &str = "memprof diff";

    /// Raised when keys change their meaning or a kind is added. New keys do not raise it.
    const VERSION: u64 = 1;

    #[derive(Serialize)]
    struct SideRecord<'d> {
        name: &'d str,
        bytes: u64,
        exact: bool,
        /// Left out if it is `false`.
        #[serde(skip_serializing_if = "core::ops::Not::not")]
        lower_end: bool,
    }

    #[derive(Serialize)]
    struct EntryRecord<'d> {
        kind: &'static str,
        /// `None` if the kind is unknown.
        change: Option<i128>,
        #[serde(skip_serializing_if = "Option::is_none")]
        before: Option<u64>,
        #[serde(skip_serializing_if = "Option::is_none")]
        after: Option<u64>,
        #[serde(skip_serializing_if = "core::ops::Not::not")]
        before_lower_end: bool,
        #[serde(skip_serializing_if = "core::ops::Not::not")]
        after_lower_end: bool,
        path: &'d [&'d str],
    }

    impl Diff<'_> {
        /// Returns JSON with a line for every path that changed. [`widest`](Self::widest) has no
        /// effect here. `docs/format.md` describes the format.
        ///
        /// ```
        /// use memprof::Profile;
        ///
        /// let (before, after) = (Profile::of(&vec![0_u8; 10]), Profile::of(&vec![0_u8; 12]));
        /// let json = after.diff(&before).to_json();
        /// assert!(json.contains(r#"{"kind":"grown","change":2,"before":34,"after":36,"path":["Vec"]}"#));
        /// ```
        #[expect(clippy::missing_panics_doc, reason = "writing to memory does not fail")]
        pub fn to_json(&self) -> String {
            let mut json = Vec::new();
            self.write(&mut json).expect("writing to memory does not fail");
            String::from_utf8(json).expect("serde_json writes UTF-8")
        }

        /// Writes the JSON of [`to_json`](Self::to_json) in parts, without holding all of it in memory.
        ///
        /// # Errors
        /// Returns an error if writing fails.
        pub fn write_json(&self, out: impl Write) -> io::Result<()> {
            let mut out = BufWriter::new(out);
            self.write(&mut out)?;
            out.flush()
        }

        fn write(&self, out: &mut impl Write) -> io::Result<()> {
            write!(out, "{{\"format\": \"{FORMAT}\", \"version\": {VERSION}, ")?;
            match self.known_change() {
                Some(change) => write!(out, "\"change\": {change},\n\"before\": ")?,
                None => write!(out, "\"change\": null,\n\"before\": ")?,
            }
            write_safe(&record(&self.before), out)?;
            out.write_all(b",\n\"after\": ")?;
            write_safe(&record(&self.after), out)?;
            out.write_all(b",\n\"entries\": [")?;
            self.write_lines(out)?;
            out.write_all(b"\n]}\n")
        }

        fn write_lines(&self, out: &mut impl Write) -> io::Result<()> {
            for (index, entry) in self.entries().enumerate() {
                out.write_all(if index == 0 { b"\n" } else { b",\n" })?;
                let record = EntryRecord {
                    kind: entry.kind().as_str(),
                    change: (entry.kind() != DiffKind::Unknown).then(|| entry.change()),
                    before: entry.before(),
                    after: entry.after(),
                    before_lower_end: entry.before.is_lower_end,
                    after_lower_end: entry.after.is_lower_end,
                    path: entry.path().frames(),
                };
                write_safe(&record, out)?;
            }
            Ok(())
        }
    }

    fn record<'d>(side: &Side<'d>) -> SideRecord<'d> {
        SideRecord {
            name: side.name(),
            bytes: side.total_bytes(),
            exact: side.is_exact(),
            lower_end: side.total().is_lower_end,
        }
    }
}
