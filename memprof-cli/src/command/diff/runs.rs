//! `memprof diff --runs`: the recordings of one folder compared with those of another.
//!
//! Memory differs from run to run, for example with the order of threads. So each figure is shown
//! as the median of its runs and their range, and a change as the smallest and the largest that any
//! two runs have. A change is marked if the ranges do not overlap and there are enough runs to rule
//! out chance: of all ways to split the runs into two groups, only two separate them completely.
//! This needs no assumption about how memory is distributed, unlike a t-test, and four runs each
//! are enough for it.

use crate::arguments::{DiffArguments, Limit};
use crate::escape::escaped;
use crate::failure::Failure;
use crate::input;
use crate::{json, output, terminal};
use memprof_profile::text::{self, Code, Grouped, Table, counted};
use memprof_profile::views::Units;
use memprof_recording::Recording;
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};

/// The levels of the tree that are compared: a root and its fields. Deeper paths would fill a
/// comment on a pull request.
const DEPTH: usize = 2;

/// The largest probability at which a change may be chance and is still marked.
const CHANCE: f64 = 0.05;

/// The figures of a whole run. Their names are accepted by `--fail-if-grows`.
const PEAK: &str = "peak";
const END: &str = "end";
const ALLOCATED: &str = "allocated";
const ALLOCATIONS: &str = "allocations";

pub(super) fn run(arguments: &DiffArguments) -> Result<(), Failure> {
    let before = input::runs(&arguments.before)?;
    let after = input::runs(&arguments.after)?;
    let comparison = Comparison::of(&before, &after);
    let units = arguments.printing.units.into();
    let violations = comparison.violations(&arguments.fail_if_grows, units);
    let printed = output::print(|out| {
        let text = if arguments.printing.json {
            json::text(&comparison)?
        } else if arguments.markdown {
            comparison.markdown(units, arguments.count)
        } else {
            let width = arguments.width.unwrap_or_else(terminal::width);
            comparison.lines(units, arguments.count, width)
        };
        Ok(writeln!(out, "{text}")?)
    });
    // The limits count even if the reader of the output has closed it.
    if violations.is_empty() { Ok(printed?) } else { Err(Failure::Check(violations)) }
}

/// Returns the figures of a run by name.
fn figures(recording: &Recording) -> BTreeMap<String, u64> {
    let mut figures = BTreeMap::new();
    let Some(end) = recording.snapshots.last() else { return figures };
    if let Some(heap) = end.heap {
        figures.insert(END.into(), u64::try_from(heap.live_bytes).unwrap_or(0));
        figures.insert(ALLOCATED.into(), heap.allocated_bytes);
        figures.insert(ALLOCATIONS.into(), heap.allocated_blocks);
    }
    figures.extend(recording.peak_bytes().map(|peak| (PEAK.into(), peak)));
    let Ok(profile) = end.profile(&recording.metadata.program) else { return figures };
    let mut level: Vec<_> =
        profile.root().children().map(|root| (vec![root.name()], root)).collect();
    for _ in 0..DEPTH {
        let paths = level.iter().map(|(path, branch)| (path.join(";"), branch.total_bytes()));
        figures.extend(paths);
        let below = level.iter().flat_map(|(path, branch)| {
            branch.children().map(|child| ([&path[..], &[child.name()]].concat(), child))
        });
        level = below.collect();
    }
    figures
}

/// A figure in the runs before and after.
#[derive(Debug, Serialize)]
struct Row {
    name: String,
    before: Range,
    after: Range,
    /// The change from the median before to the median after.
    change: i128,
    /// The smallest and the largest change that any two runs have.
    change_interval: [i128; 2],
    /// `true` if the ranges do not overlap and chance is ruled out.
    is_certain: bool,
}

/// The smallest, the median and the largest of some runs.
#[derive(Clone, Copy, Debug, Serialize)]
struct Range {
    min: u64,
    median: u64,
    max: u64,
}

impl Range {
    /// A run without the figure has 0 bytes of it, for example if a root was never added.
    fn of(name: &str, runs: &[BTreeMap<String, u64>]) -> Self {
        let mut values: Vec<u64> =
            runs.iter().map(|run| run.get(name).copied().unwrap_or(0)).collect();
        values.sort_unstable();
        Self { min: values[0], median: values[values.len() / 2], max: values[values.len() - 1] }
    }

    fn show(self, show: impl Fn(u64) -> String) -> String {
        let (min, median, max) = (show(self.min), show(self.median), show(self.max));
        if (&min, &max) == (&median, &median) {
            median
        } else {
            format!("{median} ({min} to {max})")
        }
    }
}

/// The runs of two folders.
#[derive(Debug, Serialize)]
struct Comparison {
    runs_before: usize,
    runs_after: usize,
    /// The probability that runs without any change are separated completely.
    chance: f64,
    rows: Vec<Row>,
}

impl Comparison {
    fn of(before: &[Recording], after: &[Recording]) -> Self {
        let [before, after] =
            [before, after].map(|runs| runs.iter().map(figures).collect::<Vec<_>>());
        let chance = 2.0 / splits(before.len(), after.len());
        // A figure of the whole process is compared only if every run has it: without it, it is
        // unknown, not 0.
        let is_whole = |name: &&str| before.iter().chain(&after).all(|run| run.contains_key(*name));
        let whole = [PEAK, END, ALLOCATED, ALLOCATIONS];
        let paths: BTreeSet<&str> =
            before.iter().chain(&after).flat_map(|run| run.keys().map(String::as_str)).collect();
        let row = |name: &str| {
            let (before, after) = (Range::of(name, &before), Range::of(name, &after));
            let less = |is: u64, was: u64| i128::from(is) - i128::from(was);
            let change_interval = [less(after.min, before.max), less(after.max, before.min)];
            let is_apart = change_interval[0] > 0 || change_interval[1] < 0;
            Row {
                name: name.into(),
                before,
                after,
                change: less(after.median, before.median),
                change_interval,
                is_certain: is_apart && chance <= CHANCE,
            }
        };
        let mut rows: Vec<Row> =
            paths.into_iter().filter(|path| !whole.contains(path)).map(row).collect();
        rows.sort_by_key(|row| core::cmp::Reverse(row.change.unsigned_abs()));
        rows.splice(0..0, whole.into_iter().filter(is_whole).map(row));
        Self { runs_before: before.len(), runs_after: after.len(), chance, rows }
    }

    /// Returns the cells of each row to print: all whole figures, and the paths that changed most.
    fn cells(&self, units: Units, count: usize) -> Vec<[String; 4]> {
        let mut left = count;
        let is_shown = |row: &&Row| {
            let is_whole = [PEAK, END, ALLOCATED, ALLOCATIONS].contains(&&*row.name);
            is_whole || row.change != 0 && left.checked_sub(1).map(|less| left = less).is_some()
        };
        let cells = |row: &Row| {
            let is_count = row.name == ALLOCATIONS;
            let show = |value: u64| {
                if is_count { Grouped(value).to_string() } else { units.show(value).to_string() }
            };
            let change = |value: i128| {
                if is_count { format!("{value:+}") } else { text::change(value, units) }
            };
            let [low, high] = row.change_interval.map(change);
            let change = change(row.change);
            let change = if low == high { change } else { format!("{change} ({low} to {high})") };
            [row.name.clone(), row.before.show(show), row.after.show(show), change]
        };
        self.rows.iter().filter(is_shown).map(cells).collect()
    }

    fn is_certain(&self, name: &str) -> bool {
        self.rows.iter().any(|row| row.name == name && row.is_certain)
    }

    fn markdown(&self, units: Units, count: usize) -> String {
        let mut text = text::head(&["change", "before", "after", "memory"]);
        for [name, before, after, change] in self.cells(units, count) {
            let is_certain = self.is_certain(&name);
            let change = if is_certain { format!("**{change}**") } else { change };
            text.push_str(&text::row(&[&change, &before, &after, &Code(name)]));
        }
        format!("{text}\n{}", self.footer("bold"))
    }

    fn lines(&self, units: Units, count: usize, width: usize) -> String {
        let mut table = Table::new(["memory", "before", "after", "change", ""], &[0]);
        for [name, before, after, change] in self.cells(units, count) {
            let mark = if self.is_certain(&name) { "*" } else { "" };
            table.row([escaped(&name), before, after, change, mark.into()]);
        }
        let lines = table.lines(width);
        format!("{}\n{}", lines.join("\n"), self.footer("marked `*`"))
    }

    /// States from how many runs the figures are, and what a mark means.
    fn footer(&self, marked: &str) -> String {
        let (before, after) = (self.runs_before as u64, self.runs_after as u64);
        let runs = format!("{} before, {after} after: median, and range", counted(before, "run"));
        if self.chance > CHANCE {
            return format!("{runs}. Too few runs to rule out chance: use at least 4 each.");
        }
        let one_in = (1.0 / self.chance).round();
        format!(
            "{runs}. A change is {marked} if no run before reaches a run after; by chance, this \
             happens in one of {one_in} comparisons."
        )
    }

    /// Returns a line for each limit that even the smallest change of any two runs exceeds.
    fn violations(&self, limits: &[Limit], units: Units) -> Vec<String> {
        let violation = |limit: &Limit| {
            let name = limit.path.as_deref().unwrap_or(END);
            let Some(row) = self.rows.iter().find(|row| row.name == name) else {
                let names = self.rows.iter().take(12).map(|row| escaped(&row.name));
                let names = names.collect::<Vec<_>>().join(", ");
                return Some(format!("no run has \"{}\"; the runs have {names}", escaped(name)));
            };
            if limit.tolerance.allows_growth(row.before.max, row.after.min) {
                return None;
            }
            let show = |value| match name {
                ALLOCATIONS => Grouped(value).to_string(),
                _ => units.show(value).to_string(),
            };
            let (before, after) = (show(row.before.max), show(row.after.min));
            let (name, tolerance) = (escaped(name), limit.tolerance);
            Some(format!(
                "{name} grew in all runs, from at most {before} to at least {after}, which is more than \
                 {tolerance} (`--fail-if-grows`)"
            ))
        };
        limits.iter().filter_map(violation).collect()
    }
}

/// Returns the number of ways to choose which of all runs are the first `before` ones.
#[expect(clippy::cast_precision_loss, reason = "a number of runs")]
fn splits(before: usize, after: usize) -> f64 {
    (1..=before).map(|chosen| (after + chosen) as f64 / chosen as f64).product()
}

#[cfg(test)]
mod tests {
    use super::splits;

    #[test]
    fn splits_are_binomial_coefficients() {
        let cases = [(1, 1, 2.0), (3, 3, 20.0), (4, 4, 70.0), (5, 5, 252.0), (2, 8, 45.0)];
        for (before, after, expected) in cases {
            assert!((splits(before, after) - expected).abs() < 1e-9, "{before} and {after}");
        }
    }
}
