//! The text form of a comparison, a table for a terminal: change, before → after, growth, path.

use crate::text::Shown;
use crate::text::counted;
use crate::text::{Grouped, Units};
use crate::text::{Growth, Signed};
use crate::text::{Style, StyledText, columns, shortened};
use crate::views::diff::entry::{Change, Figure};
use crate::views::diff::{Diff, DiffEntry, DiffKind};
use crate::views::footer::wrapped;
use core::cmp::Ordering;
use core::fmt;

/// One row, with separate columns.
#[derive(Debug)]
pub(crate) struct Row {
    pub(crate) change: String,
    pub(crate) before: String,
    pub(crate) after: String,
    pub(crate) growth: String,
    pub(crate) name: String,
    /// The style of the change.
    style: Style,
}

/// The maximum number of columns of a root's name in the last line.
const MAX_NAME_WIDTH: usize = 24;

/// The text shown instead of bytes if a profile does not have the path.
const NO_PATH: &str = "–";

impl Row {
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
        let shown = |figure: Figure| {
            let bytes = units.show(figure.bytes());
            if figure.is_lower_end { format!("≥ {bytes}") } else { bytes.to_string() }
        };
        let (shown_before, shown_after) = (shown(before), shown(after));
        if is_unknown(before, after) {
            return Self {
                change: DiffKind::Unknown.to_string(),
                before: shown_before,
                after: shown_after,
                growth: String::new(),
                name,
                style: Style::Warning,
            };
        }
        // A lower end after the change makes growth at least this large, and a lower end before it
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

/// Returns whether the change between two figures has no known sign. Two equal figures may differ
/// in the values that were not visited.
pub(super) fn is_unknown(before: Figure, after: Figure) -> bool {
    let has_lower_end = before.is_lower_end || after.is_lower_end;
    let is_same = before.bytes() == after.bytes();
    if is_same { has_lower_end } else { DiffKind::of(before, after) == DiffKind::Unknown }
}

impl Diff<'_> {
    /// Returns the number of paths that are shown. If only one path would be left out, it is shown
    /// instead of `…1 more`.
    pub(super) fn shown(&self) -> usize {
        match self.changes.len().checked_sub(self.max_paths) {
            Some(1) if self.max_paths > 0 => self.changes.len(),
            Some(_) => self.max_paths,
            None => self.changes.len(),
        }
    }

    /// Returns a row for each of the first `count` paths.
    pub(super) fn rows(&self, count: usize) -> Vec<Row> {
        self.entries().take(count).map(|entry| Row::of(&entry, self.units)).collect()
    }

    /// Returns the row that adds up all paths after the first `shown`, if there are any.
    pub(super) fn more(&self, shown: usize) -> Option<Row> {
        let hidden = self.changes.get(shown..).filter(|hidden| !hidden.is_empty())?;
        let none = Figure { bytes: None, is_lower_end: false };
        let (mut before, mut after) = (none, none);
        for change in hidden {
            let figures = self.figures(change);
            (before, after) = (before.plus(figures.0), after.plus(figures.1));
        }
        let name = format!("…{} more", Grouped(hidden.len() as u64));
        Some(Row::sum(before, after, name, self.units))
    }

    /// Returns the row of the totals, unless it equals the only other row.
    pub(super) fn total(&self) -> Option<Row> {
        let (before, after) = (self.before.total(), self.after.total());
        let only = self.changes.len() == 1 && {
            let entry = self.entry(&self.changes[0]);
            entry.before == before && entry.after == after
        };
        (!only).then(|| Row::sum(before, after, "total".into(), self.units))
    }

    /// Returns the parts of the last line: the number of changed paths of each kind, and whether
    /// the profiles are exact.
    pub(super) fn footer(&self) -> Vec<String> {
        let mut parts = vec![self.counts()];
        parts.extend(self.exactness());
        if self.has_unknown() {
            parts.push("unknown: a walk did not visit all values".into());
        }
        let name = |name| shortened(&Shown(name).to_string(), MAX_NAME_WIDTH);
        let (before, after) = (name(self.before.name()), name(self.after.name()));
        if self.before.name() != self.after.name() {
            parts.push(format!("compared by structure: the root was {before}, is {after}"));
        }
        parts
    }

    /// Returns whether any printed change is unknown.
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
            let visited = if is_unknown(before, after) { " in the visited values" } else { "" };
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

/// The widths of the columns with figures.
struct Layout {
    change: usize,
    before: usize,
    after: usize,
    growth: usize,
}

impl Layout {
    fn of(rows: &[Row]) -> Self {
        let max_width = |column: fn(&Row) -> &String| {
            rows.iter().map(|row| columns(column(row))).max().unwrap_or_default()
        };
        Self {
            change: max_width(|row| &row.change),
            before: max_width(|row| &row.before),
            after: max_width(|row| &row.after),
            growth: max_width(|row| &row.growth),
        }
    }

    fn write(&self, row: &Row, width: usize, text: &mut StyledText) {
        let &Self { change, before, after, growth } = self;
        let Row { change: c, before: b, after: a, growth: g, name, style } = row;
        let padding = " ".repeat(change.saturating_sub(columns(c)));
        let figures = format!("  {b:>before$} → {a:>after$}  {g:>growth$}   ");
        let available = width.saturating_sub(change + columns(&figures)).max(width / 3);
        text.push(Style::Plain, &padding);
        text.push(*style, c);
        text.push(Style::Plain, &figures);
        text.push(Style::Plain, &shortened(name, available));
        text.push(Style::Plain, "\n");
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
            let layout = Layout::of(&rows);
            for row in &rows {
                layout.write(row, self.width, &mut text);
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
