//! `memprof diff --runs`: the recordings of one folder compared with those of another.
//!
//! Memory differs from run to run, for example with the order of threads. So each figure is shown
//! as the median of its runs and their range, and a change as the smallest and the largest that any
//! two runs have. A change is marked if the ranges do not overlap and there are enough runs to rule
//! out chance: of all ways to split the runs into two groups, only two separate them completely.
//! This needs no assumption about how memory is distributed, unlike a t-test, and four runs each
//! are enough for it.
//!
//! A figure that a run does not know, for example because a root was locked, is not 0. With 0 in its
//! place, growth would be missed if it is a run after, and invented if it is a run before. So the change
//! is unknown, and a limit on it fails. A path is 0 only if the profile is complete and lacks it.

use super::{DiffArguments, Limit, NOT_VISITED};
use crate::failure::Failure;
use crate::input::{self, Part};
use crate::terminal::escaped;
use crate::{output, terminal};
use memprof_profile::Profile;
use memprof_profile::text::{self, Code, Grouped, Table, counted};
use memprof_profile::tree::Branch;
use memprof_profile::views::{Units, missing_values};
use memprof_recording::Recording;
use serde::Serialize;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

/// The largest probability at which a change may be chance and is still marked.
const CHANCE: f64 = 0.05;

pub(super) fn run(arguments: &DiffArguments) -> Result<(), Failure> {
    let before = highest_of_each_run(input::runs(&arguments.before)?);
    let after = highest_of_each_run(input::runs(&arguments.after)?);
    let comparison = Comparison::of(&before, &after);
    let units = arguments.printing.units.into();
    let violations = comparison.violations(&arguments.fail_if_grows, units);
    let text = if arguments.printing.json {
        terminal::json(&comparison)?
    } else if arguments.markdown {
        comparison.markdown(units, arguments.count)
    } else {
        let width = arguments.width.unwrap_or_else(terminal::width);
        comparison.lines(units, arguments.count, width)
    };
    let printed = output::print_text(&text);
    // The limits count even if the reader of the output has closed it.
    if violations.is_empty() { printed } else { Err(Failure::of_checks(violations)) }
}

#[derive(Debug, Serialize)]
struct Row {
    name: String,
    /// `true` for a figure of the whole run, `false` for a path.
    is_whole: bool,
    /// `None` if the figure is unknown in all these runs.
    before: Option<Range>,
    after: Option<Range>,
    /// The number of runs in which the figure is unknown or only a lower bound.
    unknown_runs: usize,
    /// The change from the median before to the median after; `None` if a run is unknown.
    change: Option<i128>,
    /// The smallest and the largest change that any two runs have; `None` if a run is unknown.
    change_interval: Option<[i128; 2]>,
    /// `true` if the ranges do not overlap and chance is ruled out.
    is_certain: bool,
}

impl Row {
    fn of(key: Key<'_>, before: &[Run], after: &[Run], chance: f64) -> Self {
        let runs = before.iter().chain(after);
        let unknown_runs = runs.filter(|run| !run.figure(key).is_known()).count();
        let [before, after] = [before, after].map(|runs| Range::of(key, runs));
        let known = before.zip(after).filter(|_| unknown_runs == 0);
        let less = |is: u64, was: u64| i128::from(is) - i128::from(was);
        let change_interval =
            known.map(|(before, after)| [less(after.min, before.max), less(after.max, before.min)]);
        let is_apart = change_interval.is_some_and(|[low, high]| low > 0 || high < 0);
        Self {
            name: key.name().into(),
            is_whole: key.is_whole(),
            before,
            after,
            unknown_runs,
            change: known.map(|(before, after)| less(after.median, before.median)),
            change_interval,
            is_certain: is_apart && chance <= CHANCE,
        }
    }

    /// Returns the name, which differs from those of the whole figures if this is a root.
    fn title(&self) -> String {
        let is_ambiguous = !self.is_whole && Key::named(&self.name).is_whole();
        if is_ambiguous { format!("{} (root)", self.name) } else { self.name.clone() }
    }

    /// Returns the distance of the medians, by which rows are sorted.
    fn distance(&self) -> u64 {
        let [before, after] =
            [self.before, self.after].map(|range| range.map_or(0, |range| range.median));
        before.abs_diff(after)
    }

    fn cells(&self, units: Units) -> [String; 4] {
        let signed = |value: i128| {
            if !self.is_count() {
                return text::change(value, units);
            }
            let sign = match value.signum() {
                0 => '±',
                1 => '+',
                _ => '−',
            };
            let count = u64::try_from(value.unsigned_abs()).unwrap_or(u64::MAX);
            format!("{sign}{}", Grouped(count))
        };
        let change = match (self.change, self.change_interval) {
            (Some(change), Some([low, high])) if low == high => signed(change),
            (Some(change), Some([low, high])) => {
                format!("{} ({} to {})", signed(change), signed(low), signed(high))
            }
            _ => format!("unknown in {}", counted(self.unknown_runs as u64, "run")),
        };
        let [before, after] = [self.before, self.after].map(|range| {
            range.map_or_else(|| "–".into(), |range| range.show(|value| self.show(value, units)))
        });
        [self.title(), before, after, change]
    }

    /// Returns `true` if the figure is a number of blocks, and not of bytes.
    fn is_count(&self) -> bool {
        self.is_whole && self.name == ALLOCATIONS
    }

    fn show(&self, value: u64, units: Units) -> String {
        if self.is_count() { Grouped(value).to_string() } else { units.show(value).to_string() }
    }
}

#[derive(Clone, Copy, Debug, Serialize)]
struct Range {
    min: u64,
    median: u64,
    max: u64,
    /// `true` if a run has only a lower bound.
    is_lower_end: bool,
}

impl Range {
    /// Returns the range of the visited bytes, or `None` if no run has any.
    fn of(key: Key<'_>, runs: &[Run]) -> Option<Self> {
        let figures = || runs.iter().map(|run| run.figure(key));
        let mut values: Vec<u64> = figures().filter_map(Figure::visited).collect();
        values.sort_unstable();
        let (min, max) = (*values.first()?, *values.last()?);
        let [lower, upper] = [(values.len() - 1) / 2, values.len() / 2].map(|index| values[index]);
        let median = lower + (upper - lower) / 2;
        let is_lower_end = figures().any(|figure| matches!(figure, Figure::AtLeast(_)));
        Some(Self { min, median, max, is_lower_end })
    }

    fn show(self, show: impl Fn(u64) -> String) -> String {
        let at_least = if self.is_lower_end { "≥ " } else { "" };
        let (min, median, max) = (show(self.min), show(self.median), show(self.max));
        if (&min, &max) == (&median, &median) {
            format!("{at_least}{median}")
        } else {
            format!("{at_least}{median} ({min} to {max})")
        }
    }
}

#[derive(Serialize)]
struct Comparison {
    runs_before: usize,
    runs_after: usize,
    /// The probability that runs without any change are separated completely.
    chance: f64,
    rows: Vec<Row>,
    /// All runs, for limits of paths that have no row.
    #[serde(skip)]
    runs: Vec<Run>,
}

impl Comparison {
    fn of(before: &[Recording], after: &[Recording]) -> Self {
        let runs: Vec<Run> = before.iter().chain(after).map(Run::of).collect();
        let chance = 2.0 / splits(before.len(), after.len());
        let (before, after) = runs.split_at(before.len());
        let row = |key| Row::of(key, before, after, chance);
        let paths: BTreeSet<&str> =
            runs.iter().flat_map(|run| run.paths.keys().map(String::as_str)).collect();
        let mut rows: Vec<Row> = paths.into_iter().map(|path| row(Key::Path(path))).collect();
        rows.sort_by_key(|row| Reverse(row.distance()));
        let whole = (0..WHOLE.len()).map(|index| row(Key::Whole(index)));
        rows.splice(0..0, whole.filter(|row| row.before.or(row.after).is_some()));
        Self { runs_before: before.len(), runs_after: after.len(), chance, rows, runs }
    }

    /// Returns all whole figures, and the paths that changed most or may have changed.
    fn shown(&self, count: usize) -> impl Iterator<Item = &Row> {
        let (whole, paths) = self.rows.split_at(self.rows.partition_point(|row| row.is_whole));
        whole.iter().chain(paths.iter().filter(|row| row.change != Some(0)).take(count))
    }

    fn markdown(&self, units: Units, count: usize) -> String {
        let mut text = text::head(&["change", "before", "after", "memory"]);
        for row in self.shown(count) {
            let [name, before, after, change] = row.cells(units);
            let change = if row.is_certain { format!("**{change}**") } else { change };
            text.push_str(&text::row(&[&change, &before, &after, &Code(name)]));
        }
        format!("{text}\n{}", self.footer("bold"))
    }

    fn lines(&self, units: Units, count: usize, width: usize) -> String {
        let mut table = Table::new(["memory", "before", "after", "change", ""], &[0]);
        for row in self.shown(count) {
            let [name, before, after, change] = row.cells(units);
            let mark = if row.is_certain { "*" } else { "" };
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
            "{runs}. A change is {marked} if the ranges do not overlap; by chance, this happens to \
             one of {one_in} rows."
        )
    }

    /// Returns a line for each limit that even the smallest change of any two runs exceeds, or whose
    /// change is unknown.
    fn violations(&self, limits: &[Limit], units: Units) -> Vec<String> {
        limits.iter().filter_map(|limit| self.violation(limit, units)).collect()
    }

    fn violation(&self, limit: &Limit, units: Units) -> Option<String> {
        let key = Key::named(limit.path.as_deref().unwrap_or(END));
        let name = escaped(key.name());
        let unknown_runs = self.runs.iter().filter(|run| !run.figure(key).is_known()).count();
        if unknown_runs > 0 {
            let reason = match key {
                Key::Whole(_) => {
                    "the heap was not counted; install memprof's allocator in each program"
                }
                Key::Path(_) => NOT_VISITED,
            };
            let runs = counted(self.runs.len() as u64, "run");
            return Some(format!(
                "{name} has unknown growth ({unknown_runs} of {runs}), because {reason}"
            ));
        }
        let row =
            self.rows.iter().find(|row| row.name == key.name() && row.is_whole == key.is_whole());
        let known = row.and_then(|row| Some((row, row.before?, row.after?)));
        let Some((row, before, after)) = known else {
            let names = self.rows.iter().take(12).map(|row| escaped(&row.title()));
            let names = names.collect::<Vec<_>>().join(", ");
            return Some(format!("no run has \"{name}\"; the runs have {names}"));
        };
        if limit.tolerance.allows_growth(before.max, after.min) {
            return None;
        }
        let [before, after] = [before.max, after.min].map(|value| row.show(value, units));
        let tolerance = limit.tolerance;
        Some(format!(
            "{name} grew in all runs, from at most {before} to at least {after}, which is more than \
             {tolerance} (`--fail-if-grows`)"
        ))
    }
}

/// A root and its fields. Deeper paths would fill a comment on a pull request.
const DEPTH: usize = 2;

/// `--fail-if-grows` accepts these names, even if a root has the same name.
const WHOLE: [&str; 4] = ["peak", END, "allocated", ALLOCATIONS];
const END: &str = "end";
const ALLOCATIONS: &str = "allocations";

/// Returns the process with the highest peak of each run, because one command may start several
/// processes with sessions. A recording that `memprof run` did not start is a run of its own.
fn highest_of_each_run(recordings: Vec<Recording>) -> Vec<Recording> {
    fn identifier(recording: &Recording) -> Option<&str> {
        recording.metadata.run.as_deref().filter(|run| !run.is_empty())
    }
    let mut runs: Vec<Recording> = Vec::new();
    for recording in recordings {
        let run = identifier(&recording);
        let same = runs.iter().position(|other| run.is_some() && identifier(other) == run);
        match same {
            Some(same) if runs[same].peak_bytes() < recording.peak_bytes() => {
                runs[same] = recording;
            }
            Some(_) => {}
            None => runs.push(recording),
        }
    }
    runs
}

#[derive(Clone, Copy)]
enum Figure {
    Known(u64),
    /// The visited bytes, if values that own more bytes may not have been visited.
    AtLeast(u64),
    Unknown,
}

impl Figure {
    fn is_known(self) -> bool {
        matches!(self, Self::Known(_))
    }

    fn visited(self) -> Option<u64> {
        match self {
            Self::Known(value) | Self::AtLeast(value) => Some(value),
            Self::Unknown => None,
        }
    }
}

#[derive(Clone, Copy)]
enum Key<'a> {
    Whole(usize),
    Path(&'a str),
}

impl<'a> Key<'a> {
    /// Returns what a limit names. The figures of the whole run win over roots with the same name.
    fn named(name: &'a str) -> Self {
        WHOLE.iter().position(|whole| *whole == name).map_or(Self::Path(name), Self::Whole)
    }

    fn name(self) -> &'a str {
        match self {
            Self::Whole(index) => WHOLE[index],
            Self::Path(path) => path,
        }
    }

    fn is_whole(self) -> bool {
        matches!(self, Self::Whole(_))
    }
}

struct Run {
    whole: [Option<u64>; WHOLE.len()],
    paths: BTreeMap<String, Figure>,
    /// The roots and sources that were not or not completely visited.
    unread: Vec<Part>,
    /// `false` if the profile may lack roots that are not in `unread`.
    has_all_roots: bool,
}

impl Run {
    fn of(recording: &Recording) -> Self {
        let mut run =
            Self { whole: [None; _], paths: BTreeMap::new(), unread: vec![], has_all_roots: false };
        let Some(end) = recording.snapshots.last() else { return run };
        let heap = end.heap;
        run.whole = [
            recording.peak_bytes(),
            heap.map(|heap| u64::try_from(heap.live_bytes).unwrap_or(0)),
            heap.map(|heap| heap.allocated_bytes),
            heap.map(|heap| heap.allocated_blocks),
        ];
        let Ok(profile) = end.profile(&recording.metadata.program) else { return run };
        run.unread = input::unread(end, None);
        run.has_all_roots = end.roots_not_listed.is_none();
        run.add_paths(&profile);
        run
    }

    fn add_paths(&mut self, profile: &Profile) {
        let roots = profile.root().children();
        let mut level: Vec<_> = roots.map(|root| (root.name().to_owned(), root, false)).collect();
        for _ in 0..DEPTH {
            let mut below = Vec::new();
            for (path, branch, is_open) in level {
                let bytes = branch.total_bytes();
                let is_lower_end =
                    is_open || self.may_lack(&path) || branch.subtree().any(lacks_values);
                let is_open = is_open || lacks_values(branch);
                let children = branch.children();
                below.extend(
                    children.map(|child| (format!("{path};{}", child.name()), child, is_open)),
                );
                let figure =
                    if is_lower_end { Figure::AtLeast(bytes) } else { Figure::Known(bytes) };
                self.paths.insert(path, figure);
            }
            level = below;
        }
    }

    fn figure(&self, key: Key<'_>) -> Figure {
        match key {
            Key::Whole(index) => self.whole[index].map_or(Figure::Unknown, Figure::Known),
            Key::Path(path) => self.at(path),
        }
    }

    /// Returns the bytes at a path. They are 0 if the profile is complete and has no such path.
    fn at(&self, path: &str) -> Figure {
        if let Some(figure) = self.paths.get(path) {
            return *figure;
        }
        let parent = path.rsplit_once(';').and_then(|(parent, _)| self.paths.get(parent));
        let is_complete = parent.map_or(self.has_all_roots, |parent| parent.is_known());
        if is_complete && !self.may_lack(path) { Figure::Known(0) } else { Figure::Unknown }
    }

    fn may_lack(&self, path: &str) -> bool {
        self.unread.iter().any(|part| part.may_add_to(path))
    }
}

fn lacks_values(branch: Branch<'_>) -> bool {
    missing_values(branch).is_some()
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
