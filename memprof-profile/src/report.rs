//! The report: where a value's bytes are, what their purpose is, and what to change, on one screen.
//!
//! | question | item |
//! |---|---|
//! | Where are the bytes, and what should change? | [`Report`], from [`Profile::report`](crate::Profile::report) |
//! | How much is data, and how much is overhead? | [`Statistics`] |
//! | What do handles share, and what could they share? | [`SharingAnalysis`] |
//! | How severe is a finding, and what is its evidence? | [`Recommendation`], [`Severity`] |
//! | How do I add a rule, or change its threshold? | [`Advisor`], [`Rule`], [`Thresholds`] |

pub use crate::advice::{Advisor, Recommendation, Rule, Severity, Thresholds};
pub use crate::statistics::{SharingAnalysis, Statistics};

use crate::Profile;
use crate::text::{
    Code, Grouped, Percent, Shown, Style, StyledText, Table, columns, counted, joined_lines,
    shortened,
};
use crate::tree::{Branch, Device, Origin};
use crate::views::{Known, Units, footer, footer_style, limited_origin, wrapped};
use core::fmt::{self, Write};
use memprof_core::tree::sort_by;

#[cfg(test)]
mod tests;

/// A report on one value or on several, returned by [`Profile::report`]. `{}` prints it.
#[derive(Clone, Debug)]
#[must_use]
pub struct Report<'p> {
    profile: &'p Profile,
    statistics: Statistics,
    advice: Vec<Recommendation>,
    components: Option<Vec<Component>>,
    units: Units,
    width: usize,
}

#[derive(Clone, Debug)]
struct Component {
    name: String,
    statistics: Statistics,
    is_lower_bound: bool,
}

const HEADING: [&str; 6] = ["component", "total", "data", "metadata", "auxiliary", "spare"];

const FIGURES: usize = HEADING.len() - 1;

/// # Reports
impl Profile {
    /// Returns a report with the findings of the rules that come with memprof.
    ///
    /// ```
    /// use memprof::Profile;
    ///
    /// let profile = Profile::named("numbers", &vec![0.0_f64; 1000]);
    /// println!("{}", profile.report().detailed());
    /// assert!(profile.report().to_string().starts_with("numbers: 7.8 KiB"));
    /// ```
    pub fn report(&self) -> Report<'_> {
        self.report_by(&Advisor::new())
    }

    /// Returns a report with the findings of an advisor's rules.
    pub fn report_by(&self, advisor: &Advisor<'_>) -> Report<'_> {
        Report {
            profile: self,
            statistics: self.statistics(),
            advice: advisor.advise(self),
            components: None,
            units: Units::Iec,
            width: 100,
        }
    }
}

impl Report<'_> {
    /// Adds a line for each component: each branch directly below the root, largest first.
    pub fn detailed(mut self) -> Self {
        let plain = self.profile.plain();
        let component = |branch: Branch<'_>| Component {
            name: branch.name().to_owned(),
            statistics: Statistics::of(branch),
            is_lower_bound: Known::of(branch).is_lower_bound,
        };
        let mut components: Vec<Component> = plain.root().children().map(component).collect();
        sort_by(&mut components, |a, b| b.statistics.total().cmp(&a.statistics.total()));
        self.components = Some(components);
        self
    }

    /// Sets the units of bytes. Default: [`Units::Iec`].
    pub fn units(mut self, units: Units) -> Self {
        self.units = units;
        self
    }

    /// Sets the number of columns after which lines break, at least 40. Default: 100.
    pub fn width(mut self, columns: usize) -> Self {
        self.width = columns.max(40);
        self
    }

    /// Returns what the rules found.
    pub fn recommendations(&self) -> &[Recommendation] {
        &self.advice
    }

    /// Returns the bytes by purpose: data, metadata, auxiliary or unknown.
    pub fn statistics(&self) -> Statistics {
        self.statistics
    }

    /// Returns the name and [`statistics`](Self::statistics) of each component, largest first. The
    /// iterator is empty unless [`detailed`](Self::detailed) was called.
    pub fn components(&self) -> impl ExactSizeIterator<Item = (&str, Statistics)> {
        let components = self.components.as_deref().unwrap_or_default();
        components.iter().map(|component| (component.name.as_str(), component.statistics))
    }

    /// Returns the text after the name in the first line, without unknown figures.
    fn heading(&self) -> String {
        let mut parts = vec![Known::of(self.profile.root()).show(self.units)];
        if let Some(shallow) = self.profile.shallow_bytes() {
            parts.push(format!("{} inline", self.units.show(shallow)));
        }
        if self.profile.origin() == Origin::Values {
            parts.push(counted(self.statistics.allocations, "allocation"));
        }
        parts.join(", ")
    }

    /// Returns a component's figures for the table; `?` for each figure that the origin lacks.
    fn figures(&self, component: &Component) -> [String; FIGURES] {
        let &Component { statistics, is_lower_bound, .. } = component;
        let Statistics { data, metadata, auxiliary, spare, .. } = statistics;
        let show = |bytes| match bytes {
            0 => "–".into(),
            bytes => self.units.show(bytes).to_string(),
        };
        let known = |bytes| match self.profile.origin() {
            Origin::Values => show(bytes),
            _ => "?".into(),
        };
        // Folded stacks can name `[spare]` frames. If they name none, the excess capacity is
        // unknown.
        let spare = if spare > 0 { show(spare) } else { known(spare) };
        let total = match statistics.total() {
            0 if !is_lower_bound => "–".into(),
            bytes => Known { bytes, is_lower_bound }.show(self.units),
        };
        [total, known(data), known(metadata), known(auxiliary), spare]
    }

    fn summary(&self) -> Vec<Row> {
        let statistics = &self.statistics;
        if let Some(origin) = limited_origin(self.profile.origin()) {
            let mut notes = vec![format!("{origin} do not record roles")];
            if statistics.spare > 0 {
                notes.push(format!("{} spare in total", self.units.show(statistics.spare)));
            }
            return vec![Row { label: "unknown", bytes: statistics.unknown, notes }];
        }
        let mut data = Vec::new();
        let mut metadata = Vec::new();
        match statistics.overhead_ratio() {
            // The row shows 0 bytes, so a note would repeat it.
            Some(0.0) => {}
            Some(..0.005) => metadata.push("less than 0.01 B for each byte of data".into()),
            Some(ratio) => metadata.push(format!("{ratio:.2} B for each byte of data")),
            None => data.push("none".into()),
        }
        if statistics.is_metadata_shared() {
            metadata.push(format!("{} of it shared", self.units.show(statistics.shared_metadata)));
        }
        if statistics.spare > 0 {
            metadata.push(format!("{} spare in total", self.units.show(statistics.spare)));
        }
        let mut rows = vec![
            Row { label: "data", bytes: statistics.data, notes: data },
            Row { label: "metadata", bytes: statistics.metadata, notes: metadata },
        ];
        if statistics.auxiliary > 0 {
            let without = self.units.show(statistics.total_without_auxiliary());
            let notes = vec![format!("{without} without it")];
            rows.push(Row { label: "auxiliary", bytes: statistics.auxiliary, notes });
        }
        rows
    }

    /// Returns the lines below the summary: devices, sharing, and who keeps shared memory alive.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = Vec::new();
        let devices = self.profile.devices();
        if devices.iter().any(|&(device, _)| device != Device::Cpu) {
            let show =
                |&(device, bytes): &(_, u64)| format!("{} on {device}", self.units.show(bytes));
            facts.push(("devices", devices.iter().map(show).collect::<Vec<_>>().join(", ")));
        }
        let sharing = self.profile.sharing();
        if sharing.allocations > 0 || sharing.duplicates > 0 {
            let lines = sharing.lines(self.units);
            facts.extend(lines.into_iter().map(|line| ("sharing", line)));
        }
        let holders = self.profile.holder_lines(self.units);
        let more = holders.len().saturating_sub(MAX_HOLDERS);
        facts.extend(holders.take(MAX_HOLDERS).map(|(_, line)| ("holders", line)));
        facts.extend((more > 0).then(|| ("holders", format!("…{} more", Grouped(more as u64)))));
        facts
    }
}

struct Row {
    label: &'static str,
    bytes: u64,
    notes: Vec<String>,
}

/// The maximum number of components with their own line; the last line adds up the rest.
const MAX_COMPONENTS: usize = 20;

/// The maximum number of lines on who keeps shared memory alive.
const MAX_HOLDERS: usize = 5;

const MAX_NAME_WIDTH: usize = 27;

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
        let cells = |row: &Row| {
            let share = Percent { part: row.bytes, whole: total };
            vec![
                format!("{:<9}", row.label),
                amount(row.bytes),
                format!("{share:>7}"),
                row.notes.join(", "),
            ]
        };
        let table = Table::of_rows(rows.iter().map(cells).collect(), &[0, 3]);
        table.lines(usize::MAX).iter().for_each(|row| line(&format!("  {row}")));
        for (label, fact) in self.facts() {
            line(&format!("  {label:<11}{}", hanging(&fact, self.width)));
        }
        for row in self.components.iter().flat_map(|components| self.component_rows(components)) {
            line(&format!("  {row}"));
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
        let mut table = Table::new(HEADING, &[0]);
        let mut row = |name: &str, component: &Component| {
            let name = shortened(name, MAX_NAME_WIDTH);
            table.row([name].into_iter().chain(self.figures(component)));
        };
        for component in shown {
            row(&Shown(&component.name).to_string(), component);
        }
        if let Some((first, others)) = rest.split_first() {
            let mut sum = first.clone();
            for other in others {
                sum.statistics += other.statistics;
                sum.is_lower_bound |= other.is_lower_bound;
            }
            row(&format!("…{} more", Grouped(rest.len() as u64)), &sum);
        }
        table.lines(usize::MAX)
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

/// Formats a text after a label, and indents the further lines of the text.
fn hanging(text: &str, width: usize) -> String {
    let width = width - LABEL_WIDTH;
    let mut words = text.split(' ').peekable();
    let words = core::iter::from_fn(|| {
        let word = words.next()?;
        let unit = words.next_if(|next| is_unit(next));
        let word = unit.map_or_else(|| word.to_owned(), |unit| format!("{word} {unit}"));
        // A word that is wider than the line, such as a path, is shortened in its middle.
        Some(shortened(&word, width))
    });
    joined_lines(words, " ", width).join(&format!("\n{:LABEL_WIDTH$}", ""))
}

fn is_unit(word: &str) -> bool {
    let word = word.trim_matches(['(', ')', ';', ',', ':']);
    matches!(word, "%" | "B") || word.len() <= 3 && word.ends_with('B')
}

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
            let rules = "---:|".repeat(FIGURES);
            let _ = writeln!(text, "\n\n| {} |\n|---|{rules}", HEADING.join(" | "));
            for component in components {
                let figures = self.figures(component).join(" | ");
                let _ = writeln!(text, "| {} | {figures} |", Code(Shown(&component.name)));
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
