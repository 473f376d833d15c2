//! All measurements as Markdown.

use crate::bench::{Comparison, Timing};
use crate::environment::Environment;
use crate::fit::{Fit, Point, Term};
use crate::measure::MeasureError;
use crate::phases::{Phase, Split};
use core::error::Error;
use core::fmt;
use criterion::measurement::{Measurement, WallTime};
use memprof::tree::Device;
use memprof::views::Grouped;

/// Rows with the build and the device. Its `Display` is Markdown.
#[derive(Debug, Default)]
pub struct Report {
    /// The build and the device.
    pub environment: Environment,
    /// The operations, in the order of their measurement.
    pub rows: Vec<Row>,
    /// Operations that were not measured.
    pub skipped: Vec<Skipped>,
    /// Operations that failed.
    pub failed: Vec<Failed>,
}

/// An operation that failed at one size.
#[derive(Debug)]
pub struct Failed {
    /// The device of the operands.
    pub device: Device,
    /// The type of the elements.
    pub dtype: &'static str,
    /// The number of elements.
    pub elements: usize,
    /// The error, which names the operation.
    pub error: MeasureError,
}

/// An operation at one size.
#[derive(Debug)]
pub struct Row {
    /// The device of the operands.
    pub device: Device,
    /// The name of the operation.
    pub operation: String,
    /// The type of the elements.
    pub dtype: &'static str,
    /// The number of elements.
    pub elements: usize,
    /// The times of the operation.
    pub comparison: Comparison,
    /// The host's time in the wrapper; `None` if it has no phases.
    pub split: Option<Split>,
}

/// Operations that were not measured.
#[derive(Debug)]
pub struct Skipped {
    /// The device.
    pub device: Device,
    /// The operations.
    pub operations: &'static str,
    /// The reason.
    pub reason: String,
}

/// An operation at all its sizes, by one clock.
struct Series<'r> {
    name: String,
    clock: &'static str,
    timings: Vec<(usize, Timing)>,
    smallest: &'r Row,
}

impl Row {
    fn name(&self) -> String {
        format!("{} | {} | {}", self.device, self.operation, self.dtype)
    }

    fn timings(&self) -> impl Iterator<Item = (&'static str, Timing)> {
        let stream = self.comparison.stream.map(|timing| ("stream", timing));
        [("host", self.comparison.host)].into_iter().chain(stream)
    }
}

impl Report {
    /// Adds operations that were not measured.
    pub fn skip(&mut self, device: Device, operations: &'static str, reason: impl Into<String>) {
        self.skipped.push(Skipped { device, operations, reason: reason.into() });
    }

    fn series(&self) -> Vec<Series<'_>> {
        let mut all: Vec<Series<'_>> = Vec::new();
        for row in &self.rows {
            for (clock, timing) in row.timings() {
                let at = (row.elements, timing);
                let name = row.name();
                match all.iter_mut().find(|one| one.name == name && one.clock == clock) {
                    Some(series) => series.timings.push(at),
                    None => all.push(Series { name, clock, timings: vec![at], smallest: row }),
                }
            }
        }
        all
    }
}

impl Series<'_> {
    #[expect(clippy::cast_precision_loss, reason = "sizes are far below 2 to the power of 53")]
    fn fit(&self) -> Option<Fit> {
        let point = |(elements, timing): &(usize, Timing)| Point {
            elements: *elements as f64,
            time: timing.extra(),
            noise: timing.noise(),
        };
        Fit::new(&self.timings.iter().map(point).collect::<Vec<_>>())
    }

    /// Describes the fitted line in words.
    fn finding(&self, fit: &Fit) -> String {
        if self.timings.iter().all(|(_, timing)| timing.verdict() == "same") {
            return "no cost above the noise".to_owned();
        }
        if fit.is_poor() {
            return "no line fits the sizes".to_owned();
        }
        let mut costs = Vec::new();
        if fit.fixed.is_significant() {
            let share = self.largest_share().filter(|_| self.clock == "host");
            let share = share.map_or_else(String::new, |(phase, share)| {
                format!(", {:.0} % of it in {}", 100.0 * share, phase.name())
            });
            costs.push(format!("{} per call{share}", time(fit.fixed.value)));
        }
        if fit.per_element.is_significant() {
            costs.push(format!("{} per element", time(fit.per_element.value)));
        }
        if costs.is_empty() { "no cost above the noise".to_owned() } else { costs.join("; ") }
    }

    /// Returns the phase that takes the most time at the smallest size, and its share. The raw
    /// operation is left out.
    fn largest_share(&self) -> Option<(Phase, f64)> {
        let split = self.smallest.split?;
        let own = Phase::ALL.into_iter().filter(|phase| *phase != Phase::Dispatch);
        let own = own.filter_map(|phase| Some((phase, split.phase(phase)?)));
        let sum: f64 = own.clone().map(|(_, time)| time).sum();
        let (phase, most) = own.max_by(|one, other| one.1.total_cmp(&other.1))?;
        (sum > 0.0).then(|| (phase, most / sum))
    }
}

impl fmt::Display for Report {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "| | |\n|:--|:--|")?;
        for (name, value) in self.environment.lines() {
            writeln!(out, "| {name} | {value} |")?;
        }
        if !self.rows.is_empty() {
            self.times(out)?;
            self.lines(out)?;
            self.phases(out)?;
        }
        if !self.skipped.is_empty() {
            writeln!(out, "\n| device | operation | skipped |\n|:--|:--|:--|")?;
            for Skipped { device, operations, reason } in &self.skipped {
                writeln!(out, "| {device} | {operations} | {reason} |")?;
            }
        }
        if !self.failed.is_empty() {
            writeln!(out, "\n| device | dtype | elements | failed |\n|:--|:--|--:|:--|")?;
            for Failed { device, dtype, elements, error } in &self.failed {
                let error = with_causes(error);
                writeln!(out, "| {device} | {dtype} | {} | {error} |", Grouped(*elements as u64))?;
            }
        }
        Ok(())
    }
}

impl Report {
    fn times(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "\nRaw and wrapped, per call:\n")?;
        if self.rows.iter().any(|row| row.comparison.stream.is_some()) {
            writeln!(
                out,
                "The rows `stream` have the time between two events in the stream. If a kernel takes \
                 less time than its submission, that is the time of the submission.\n"
            )?;
        }
        writeln!(
            out,
            "| device | operation | dtype | elements | time | raw | wrapped | extra | ratio | noise \
             | verdict |"
        )?;
        writeln!(out, "|:--|:--|:--|--:|:--|--:|--:|--:|--:|--:|:--|")?;
        for row in &self.rows {
            for (clock, timing) in row.timings() {
                writeln!(
                    out,
                    "| {} | {} | {clock} | {} | {} | {} | {:.3} | ±{} | {} |",
                    row.name(),
                    Grouped(row.elements as u64),
                    time(timing.base()),
                    time(timing.wrapped.value),
                    time(timing.extra()),
                    timing.wrapped.value / timing.base(),
                    time(timing.noise()),
                    timing.verdict(),
                )?;
            }
        }
        Ok(())
    }

    fn lines(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "\nThe time that the wrapper adds, as a line through the sizes:\n")?;
        writeln!(
            out,
            "| device | operation | dtype | time | per call | per element | residual | finding |"
        )?;
        writeln!(out, "|:--|:--|:--|:--|--:|--:|--:|:--|")?;
        for series in self.series() {
            let Some(fit) = series.fit() else { continue };
            let term = |term: Term| format!("{} ± {}", time(term.value), time(term.error));
            let residual = fit
                .residual
                .map_or_else(|| "unknown".to_owned(), |residual| format!("{residual:.1} noises"));
            writeln!(
                out,
                "| {} | {} | {} | {} | {residual} | {} |",
                series.name,
                series.clock,
                term(fit.fixed),
                term(fit.per_element),
                series.finding(&fit),
            )?;
        }
        Ok(())
    }

    fn phases(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(out, "\nThe host's time in the wrapped operation, per call:\n")?;
        let names = Phase::ALL.map(Phase::name).join(" | ");
        writeln!(out, "| device | operation | dtype | elements | {names} |")?;
        writeln!(out, "|:--|:--|:--|--:|--:|--:|--:|--:|")?;
        for row in &self.rows {
            let Some(split) = row.split else { continue };
            let phases = Phase::ALL.map(|phase| split.phase(phase).map_or(String::new(), time));
            let elements = Grouped(row.elements as u64);
            writeln!(out, "| {} | {elements} | {} |", row.name(), phases.join(" | "))?;
        }
        Ok(())
    }
}

/// Returns the text of an error and of its causes.
pub fn with_causes(error: &(dyn Error + 'static)) -> String {
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(error) = cause {
        text = format!("{text}: {error}");
        cause = error.source();
    }
    text
}

/// Formats nanoseconds in a unit that fits.
fn time(nanoseconds: f64) -> String {
    let sign = if nanoseconds < 0.0 { "−" } else { "" };
    // Values below a ten-thousandth of a picosecond are rounding errors of 0.
    if nanoseconds.abs() < 1e-7 {
        return "0 ns".to_owned();
    }
    format!("{sign}{}", WallTime.formatter().format_value(nanoseconds.abs()).trim())
}

#[cfg(test)]
mod tests {
    use super::{Report, Row, time};
    use crate::bench::{Comparison, Estimate, Timing};
    use memprof::tree::Device;

    #[test]
    fn a_report_has_rows_of_clocks_lines_of_series_and_skipped_series() {
        let timing = |raw: f64, extra: f64| {
            let around = |value| Estimate { value, low: value - 1.0, high: value + 1.0 };
            Timing { raw: around(raw), wrapped: around(raw + extra), repeated: around(raw) }
        };
        let mut report = Report::default();
        for elements in [1000, 20_000, 400_000] {
            report.rows.push(Row {
                device: Device::Cuda(0),
                operation: "add".to_owned(),
                dtype: "f32",
                elements,
                comparison: Comparison {
                    host: timing(4000.0, 200.0),
                    stream: Some(timing(2000.0, 0.0)),
                },
                split: None,
            });
        }
        report.skip(Device::Cpu, "candle", "this build lacks it");
        let text = report.to_string();
        for line in [
            "| cuda:0 | add | f32 | 1,000 | host | 4.0000 µs | 4.2000 µs | 200.00 ns | 1.050 | \
             ±2.0000 ns | slower |",
            "| cuda:0 | add | f32 | 1,000 | stream | 2.0000 µs | 2.0000 µs | 0 ns | 1.000 | \
             ±2.0000 ns | same |",
            "| cpu | candle | this build lacks it |",
        ] {
            assert!(text.contains(line), "{line} in {text}");
        }
        let lines: Vec<&str> = text.lines().filter(|line| line.contains("noises")).collect();
        assert!(lines[0].ends_with("| 200.00 ns per call |"), "{text}");
        assert!(lines[1].ends_with("| no cost above the noise |"), "{text}");
    }

    #[test]
    fn times_have_a_sign_and_a_unit() {
        assert_eq!([time(0.0), time(-2500.0)], ["0 ns", "−2.5000 µs"]);
    }
}
