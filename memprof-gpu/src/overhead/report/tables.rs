//! The tables of a report as cells, for text and for Markdown.

use super::{Clock, Report, words};
use crate::overhead::comparison::Timing;
use crate::overhead::fit::{Fit, Term};
use crate::overhead::phases::Phase;
use crate::overhead::row::{Outcome, Row};
use crate::overhead::split::Split;
use memprof_profile::Grouped;

/// Cells under a heading.
pub(super) struct Table {
    pub(super) title: &'static str,
    pub(super) heading: Vec<&'static str>,
    /// The columns that are words; the others are figures.
    pub(super) words: &'static [usize],
    pub(super) rows: Vec<Vec<String>>,
}

impl Report {
    /// The tables that have rows.
    pub(super) fn tables(&self) -> Vec<Table> {
        let tables = [self.measured(), self.fits(), self.splits(), self.skipped()];
        tables.into_iter().filter(|table| !table.rows.is_empty()).collect()
    }

    fn measured(&self) -> Table {
        let of_row = |row: &Row| -> Vec<Vec<String>> {
            let of = |clock: Clock| Some(line(row, clock, clock.of(row.comparison()?)?));
            [Clock::Host, Clock::Device].into_iter().filter_map(of).collect()
        };
        Table {
            title: "raw and wrapped, per call",
            heading: vec![
                "device",
                "operation",
                "dtype",
                "elements",
                "time",
                "raw",
                "wrapped",
                "extra",
                "ratio",
                "95 %",
                "noise",
                "verdict",
            ],
            words: &[0, 1, 2, 4, 11],
            rows: self.rows.iter().flat_map(of_row).collect(),
        }
    }

    fn fits(&self) -> Table {
        let series = self.series();
        let rows = series.iter().filter_map(|series| {
            let fit = series.fit().ok()?;
            let mut cells = vec![
                series.device.to_string(),
                series.operation.to_owned(),
                series.dtype.to_owned(),
                series.clock.name().to_owned(),
            ];
            cells.extend(line_of(&fit));
            Some(cells)
        });
        Table {
            title: "what the wrapper takes more, as a line through the sizes",
            heading: vec![
                "device",
                "operation",
                "dtype",
                "time",
                "per call",
                "per element",
                "residual",
                "points",
            ],
            words: &[0, 1, 2, 3],
            rows: rows.collect(),
        }
    }

    fn splits(&self) -> Table {
        let rows = self.rows.iter().filter_map(|row| {
            let (split, comparison) = (row.split.as_ref()?, row.comparison()?);
            let mut cells = named(row).to_vec();
            cells.extend(Phase::ALL.map(|phase| phase_of(split, phase)));
            cells.extend([words::time(comparison.host.raw_ns), words::time(split.resolution_ns)]);
            Some(cells)
        });
        Table {
            title: "the host's time within the wrapped operation, per call",
            heading: vec![
                "device",
                "operation",
                "dtype",
                "elements",
                "check",
                "conversion",
                "construction",
                "dispatch",
                "raw alone",
                "resolution",
            ],
            words: &[0, 1, 2],
            rows: rows.collect(),
        }
    }

    fn skipped(&self) -> Table {
        let rows = self.rows.iter().filter_map(|row| match &row.outcome {
            Outcome::Skipped { device, reason } => {
                let dtype = row.dtype.clone().unwrap_or_default();
                Some(vec![device.to_string(), row.operation.clone(), dtype, reason.clone()])
            }
            Outcome::Measured(_) => None,
        });
        Table {
            title: "skipped",
            heading: vec!["device", "operation", "dtype", "reason"],
            words: &[0, 1, 2, 3],
            rows: rows.collect(),
        }
    }
}

fn named(row: &Row) -> [String; 4] {
    let elements = row.elements.map(|elements| Grouped(elements).to_string());
    [
        row.device.to_string(),
        row.operation.clone(),
        row.dtype.clone().unwrap_or_default(),
        elements.unwrap_or_default(),
    ]
}

fn line(row: &Row, clock: Clock, timing: &Timing) -> Vec<String> {
    let unknown = || "unknown".to_owned();
    let ratio = timing.ratio.as_ref();
    let mut cells = named(row).to_vec();
    cells.extend([
        clock.name().to_owned(),
        words::time(timing.raw_ns),
        words::time(timing.wrapped_ns),
        words::signed(timing.extra_ns.value),
        ratio.map_or_else(unknown, |ratio| words::ratio(ratio.value)),
        words::interval(ratio),
        words::noise(timing),
        words::verdict(timing),
    ]);
    cells
}

fn line_of(fit: &Fit) -> [String; 4] {
    let term =
        |term: Term, of: fn(f64) -> String| format!("{} ± {}", of(term.value), of(term.error));
    let residual = fit.residual.map_or_else(
        || "unknown".to_owned(),
        |residual| {
            format!(
                "{} noises{}",
                words::digits(residual),
                if fit.is_poor() { ", poor" } else { "" }
            )
        },
    );
    [
        term(fit.fixed_ns, words::time),
        term(fit.per_element_ns, words::tiny),
        residual,
        fit.points.to_string(),
    ]
}

/// Nothing where the wrapper never entered the phase.
fn phase_of(split: &Split, phase: Phase) -> String {
    match split.of(phase) {
        Some(time) if time < split.resolution_ns => {
            format!("< {}", words::time(split.resolution_ns))
        }
        Some(time) => words::time(time),
        None => String::new(),
    }
}
