//! Estimates of many values of a class, and the sum of their results.

use crate::classes::Class;
use crate::random::Random;
use core::fmt;
use memprof::large::Budget;
use memprof::{MemoryProfile, Profile};
use std::collections::BTreeSet;
use std::time::{Duration, Instant};

/// The results of the estimates of one class.
#[derive(Default)]
pub(crate) struct Trial {
    is_benign: bool,
    values: u64,
    /// The number of values that were visited completely.
    complete: u64,
    /// The number of values whose interval has no upper end.
    unknown: u64,
    /// The number of values whose interval has both ends and contains the truth.
    covered: u64,
    /// The number of values whose lower end is at most the truth.
    covered_below: u64,
    /// The distances of lower ends from the truth, as shares of the truth.
    distances: Vec<f64>,
    /// The widths of the intervals with both ends, as shares of the truth.
    widths: Vec<f64>,
    times: Vec<Duration>,
    /// The sum of the distances of estimates from the truth, as shares of the truth.
    error: f64,
    branches: u64,
    covered_branches: u64,
}

/// The figures of one class.
pub(crate) struct Figures {
    name: &'static str,
    is_benign: bool,
    trial: Trial,
}

/// Estimates `count` values of a class.
pub(crate) fn figures_of(class: &Class, count: u64) -> Figures {
    let mut trial = Trial { is_benign: class.benign, ..Trial::default() };
    for number in 0..count {
        (class.run)(&mut Random::new(number), &mut trial);
    }
    Figures { name: class.name, is_benign: class.benign, trial }
}

impl Trial {
    /// Estimates a value with a random budget, and compares the estimate with the truth.
    pub(crate) fn estimate<T: MemoryProfile>(&mut self, value: &T, random: &mut Random) {
        let truth = Profile::named("value", value);
        let (total, owned) = (truth.total_bytes(), truth.total_bytes() - size_of::<T>() as u64);
        let mut budget = Budget::elements(1 << random.within(9, 13)).seed(random.next());
        // The budget's limit is the live heap of a process, which contains other values too. Some
        // processes do not count their heap.
        if self.is_benign || !random.one_in(5) {
            budget = budget.at_most(owned * random.within(10, 30) as u64 / 10);
        }
        let began = Instant::now();
        let estimate = Profile::estimate_named("value", value, budget);
        self.times.push(began.elapsed());
        self.values += 1;
        let interval = estimate.total();
        self.complete += u64::from(estimate.is_exact());
        self.covered_below += u64::from(interval.low <= total);
        self.unknown += u64::from(interval.high.is_none());
        self.covered += u64::from(interval.high.is_some() && interval.contains(total));
        let share = |bytes: u64| bytes as f64 / total as f64;
        self.distances.push(share(total.saturating_sub(interval.low)));
        self.widths.extend(interval.high.map(|high| share(high - interval.low)));
        self.error += share(total.abs_diff(estimate.profile().total_bytes()));
        for path in branches(&truth) {
            if let Some(interval) = estimate.interval_at(&path) {
                let bytes = truth.bytes_at(&path).expect("it is in the tree");
                self.branches += 1;
                self.covered_branches += u64::from(interval.contains(bytes));
            }
        }
    }
}

/// Returns the paths of all branches below the root, in the plain form.
pub(crate) fn branches(profile: &Profile) -> BTreeSet<String> {
    let folded = profile.to_folded();
    let paths = folded.lines().filter_map(|line| line.rsplit_once(' '));
    let paths = paths.filter_map(|(path, _)| path.split_once(';')).map(|(_root, path)| path);
    let ends = |path: &str| -> Vec<usize> {
        path.match_indices(';').map(|(end, _)| end).chain([path.len()]).collect()
    };
    paths.flat_map(|path| ends(path).into_iter().map(|end| path[..end].to_owned())).collect()
}

impl Figures {
    pub(crate) const HEAD: &str = "class | values | covered | unknown | lower end covered | branches covered | lower end below the truth, mean and median | width, median | error of the estimate | complete | time, median";

    /// Asserts that enough intervals contain the truth, and that enough benign values have an
    /// interval.
    pub(crate) fn expect(&self, min_covered: f64, max_unknown: f64) {
        let trial = &self.trial;
        let share = |part: u64| part as f64 / trial.values as f64;
        assert!(share(trial.covered + trial.unknown) >= min_covered, "{self}");
        assert!(share(trial.covered_below) >= min_covered, "{self}");
        assert!(!self.is_benign || share(trial.unknown) <= max_unknown, "{self}");
        let branches = trial.covered_branches as f64 / trial.branches.max(1) as f64;
        assert!(trial.branches == 0 || branches >= min_covered, "{self}");
    }
}

impl fmt::Display for Figures {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, is_benign, trial } = self;
        let kind = if *is_benign { "benign" } else { "adversarial" };
        let percent = |part: f64, whole: u64| 100.0 * part / whole.max(1) as f64;
        let known = trial.values - trial.unknown;
        let times: Vec<f64> = trial.times.iter().map(Duration::as_secs_f64).collect();
        write!(
            out,
            "{kind}, {name} | {} | {:.2} % of {known} | {:.1} % | {:.2} % | {:.2} % of {} | {:.1} %, {:.1} % | {:.1} % | {:.1} % | {:.1} % | {:.2} ms",
            trial.values,
            percent(trial.covered as f64, known),
            percent(trial.unknown as f64, trial.values),
            percent(trial.covered_below as f64, trial.values),
            percent(trial.covered_branches as f64, trial.branches),
            trial.branches,
            percent(trial.distances.iter().sum(), trial.values),
            100.0 * median(&trial.distances),
            100.0 * median(&trial.widths),
            percent(trial.error, trial.values),
            percent(trial.complete as f64, trial.values),
            1e3 * median(&times),
        )
    }
}

/// Returns the median, or 0 if there are no numbers.
fn median(numbers: &[f64]) -> f64 {
    let mut numbers = numbers.to_vec();
    numbers.sort_unstable_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or_default()
}
