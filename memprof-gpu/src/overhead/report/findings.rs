//! What the figures say, in words.

use super::{Clock, Report, Series, words};
use crate::overhead::comparison::{Timing, Verdict};
use crate::overhead::fit::{Fit, FitError};
use crate::overhead::phases::Phase;
use crate::overhead::row::Outcome;
use memprof_profile::Grouped;

impl Report {
    /// What the figures say, in words: first of all rows, then of each operation, then what is
    /// missing.
    pub fn findings(&self) -> Vec<String> {
        let series = self.series();
        let mut findings = of_all(&series);
        findings.extend(series.iter().map(of_one));
        findings.extend(self.rows.iter().filter_map(|row| match &row.outcome {
            Outcome::Skipped { device, reason } => {
                Some(format!("{device}, {}: skipped, {reason}", row.operation))
            }
            Outcome::Measured(_) => None,
        }));
        if findings.is_empty() {
            findings.push("nothing was measured".to_owned());
        }
        findings
    }
}

fn of_all(series: &[Series<'_>]) -> Vec<String> {
    let mut findings = Vec::new();
    for clock in [Clock::Host, Clock::Device] {
        let ours = || series.iter().filter(move |series| series.clock == clock);
        let timings: Vec<&Timing> =
            ours().flat_map(|series| series.timings.iter().map(|(_, timing)| *timing)).collect();
        if timings.is_empty() {
            continue;
        }
        let count = |verdict: fn(Verdict) -> bool| {
            timings.iter().filter(|timing| verdict(timing.verdict)).count()
        };
        let unstable = timings.iter().filter(|timing| timing.is_stable() == Some(false)).count();
        let parts = [
            (count(|verdict| verdict == Verdict::Same), "show no difference above the noise"),
            (count(|verdict| verdict == Verdict::Slower), "are slower through the wrapper"),
            (count(|verdict| verdict == Verdict::Faster), "are faster"),
            (
                count(|verdict| matches!(verdict, Verdict::TooFew | Verdict::TooShort)),
                "can't be told",
            ),
            (unstable, "are unstable"),
        ];
        let parts = parts.iter().filter(|(count, _)| *count > 0);
        let parts: Vec<String> = parts.map(|(count, words)| format!("{count} {words}")).collect();
        findings.push(format!(
            "{} time, {} measurements: {}",
            clock.name(),
            timings.len(),
            parts.join(", ")
        ));
        findings.extend(
            ours().filter_map(worst_of).max_by(|one, other| one.0.total_cmp(&other.0)).map(
                |(ratio, elements, series)| {
                    format!(
                        "{} time, the worst: {} of {} elements at {} times the raw operation",
                        clock.name(),
                        name(series),
                        Grouped(elements),
                        words::ratio(ratio)
                    )
                },
            ),
        );
    }
    findings
}

fn worst_of<'s, 'r>(series: &'s Series<'r>) -> Option<(f64, u64, &'s Series<'r>)> {
    let slower = series.timings.iter().filter(|(_, timing)| timing.verdict == Verdict::Slower);
    slower
        .filter_map(|(elements, timing)| Some((timing.ratio?.value, *elements, series)))
        .max_by(|one, other| one.0.total_cmp(&other.0))
}

fn name(series: &Series<'_>) -> String {
    format!("{}, {} {}", series.device, series.operation, series.dtype)
}

fn of_one(series: &Series<'_>) -> String {
    let said = match series.fit() {
        Ok(fit) if fit.is_poor() => format!("no line fits the sizes; {}", of_sizes(series)),
        Ok(fit) => of_fit(series, &fit),
        Err(FitError::TooFewSizes { .. }) => of_sizes(series),
        Err(error) => error.to_string(),
    };
    format!("{}, {} time: {said}", name(series), series.clock.name())
}

/// Where there is no line, each size for itself.
fn of_sizes(series: &Series<'_>) -> String {
    let of = |(elements, timing): &(u64, &Timing)| {
        let extra = words::signed(timing.extra_ns.value);
        let amount = match timing.verdict {
            Verdict::Slower | Verdict::Faster => format!("{extra} a call, "),
            _ => String::new(),
        };
        format!("{amount}{} at {} elements", words::verdict(timing), Grouped(*elements))
    };
    let sizes: Vec<String> = series.timings.iter().map(of).collect();
    sizes.join("; ")
}

fn of_fit(series: &Series<'_>, fit: &Fit) -> String {
    let is_same = series.timings.iter().all(|(_, timing)| timing.verdict == Verdict::Same);
    let grows = series.grows(fit) && !is_same;
    let is_fixed = fit.fixed_ns.is_significant() && !is_same;
    let mut parts = Vec::new();
    if !is_fixed && !grows {
        parts.push("no cost above the noise".to_owned());
    } else if is_fixed {
        let share = largest_share(series);
        let share = share.map_or_else(String::new, |(phase, share)| {
            format!(", of which {} in {}", words::percent(share), many(phase))
        });
        parts.push(format!("fixed cost of {} a call{share}", words::time(fit.fixed_ns.value)));
    } else {
        parts.push("no fixed cost above the noise".to_owned());
    }
    if grows {
        parts.push(format!("{} per element", words::tiny(fit.per_element_ns.value)));
    } else if is_fixed {
        parts.push("no per-element cost above the noise".to_owned());
    }
    parts.join("; ")
}

/// Of the smallest size, where the wrapper's own time is told best.
fn largest_share(series: &Series<'_>) -> Option<(Phase, f64)> {
    let (_, split) = series.splits.iter().min_by_key(|(elements, _)| elements)?;
    split.largest_share()
}

fn many(phase: Phase) -> &'static str {
    match phase {
        Phase::Check => "checks",
        Phase::Conversion => "conversion",
        Phase::Construction => "construction",
        Phase::Dispatch => "dispatch",
    }
}
