//! The report: where a value's bytes are, what their purpose is, and what to change, on one screen.
//!
//! | question | item |
//! |---|---|
//! | Where are the bytes, and what should change? | [`Report`], from [`Profile::report`](crate::Profile::report) |
//! | How much is data, and how much is overhead? | [`Statistics`] |
//! | What do handles share, and what could they share? | [`SharingAnalysis`] |
//! | How severe is a finding, and what is its evidence? | [`Recommendation`], [`Severity`] |
//! | How is a rule added, or its limit changed? | [`Advisor`], [`Rule`], [`Thresholds`] |

mod markdown;
mod text;

pub use crate::advice::{Advisor, Recommendation, Rule, Severity, Thresholds};
pub use crate::sharing_analysis::SharingAnalysis;
pub use crate::statistics::Statistics;

#[cfg(test)]
mod tests;

use crate::Profile;
use crate::text::counted;
use crate::tree::Origin;
use crate::views::Units;
use crate::views::limited_origin;

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

/// A branch directly below the root, with its statistics.
#[derive(Clone, Debug)]
struct Component {
    name: String,
    statistics: Statistics,
}

/// The headings of a component's columns after its name.
const FIGURES: [&str; 5] = ["total", "data", "metadata", "auxiliary", "spare"];

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
        let component = |branch: crate::tree::Branch<'_>| Component {
            name: branch.name().to_owned(),
            statistics: Statistics::of(branch),
        };
        let mut components: Vec<Component> = plain.root().children().map(component).collect();
        components.sort_by_key(|component| core::cmp::Reverse(component.statistics.total()));
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

    /// Returns the text after the name in the first line: the total, the value's own bytes and the
    /// number of allocations. Unknown figures are left out.
    fn heading(&self) -> String {
        let mut parts = vec![self.units.show(self.statistics.total()).to_string()];
        if let Some(shallow) = self.profile.shallow_bytes() {
            parts.push(format!("{} inline", self.units.show(shallow)));
        }
        if self.profile.origin() == Origin::Values {
            parts.push(counted(self.statistics.allocations, "allocation"));
        }
        parts.join(", ")
    }

    /// Returns a component's figures for the table; `?` for each figure that the origin lacks.
    fn figures(&self, statistics: &Statistics) -> [String; FIGURES.len()] {
        let &Statistics { data, metadata, auxiliary, spare, .. } = statistics;
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
        [show(statistics.total()), known(data), known(metadata), known(auxiliary), spare]
    }

    /// Returns the rows of the summary: a label, its bytes and notes.
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

    /// Returns the lines below the summary: devices and sharing.
    fn facts(&self) -> Vec<(&'static str, String)> {
        let mut facts = Vec::new();
        let devices = self.profile.devices();
        if devices.iter().any(|&(device, _)| device != crate::tree::Device::Cpu) {
            let show =
                |&(device, bytes): &(_, u64)| format!("{} on {device}", self.units.show(bytes));
            facts.push(("devices", devices.iter().map(show).collect::<Vec<_>>().join(", ")));
        }
        let sharing = self.profile.sharing();
        if sharing.allocations > 0 || sharing.duplicates > 0 {
            let lines = sharing.lines(self.units);
            facts.extend(lines.into_iter().map(|line| ("sharing", line)));
        }
        facts
    }
}

/// A row of the summary.
struct Row {
    label: &'static str,
    bytes: u64,
    notes: Vec<String>,
}
