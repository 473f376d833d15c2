//! Measurements of all sides of a value in turns, so that the machine's drift affects all sides.

use super::count;
use crate::options::Length;
use memprof::heap::{self, Level};
use memprof_benches::clock::cpu_time_of;
use memprof_benches::peers::{HAND, MEMPROF_TREE};
use memprof_benches::{Side, Subject, Workload};
use std::hint::black_box;
use std::time::Duration;

/// The duration of a call above which a side has [`Effort::slow_rounds`] rounds.
const SLOW: Duration = Duration::from_millis(500);
/// The duration of a call above which no warm-up call precedes a sample.
const COLD: Duration = Duration::from_millis(50);
/// The reason why a side of a large value has no figure.
const TOO_SLOW: &str = "takes seconds; `--long` measures it";

/// The number and the duration of the measurements.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Effort {
    /// The number of rounds of a side. It is odd, so that one round is the median.
    rounds: usize,
    /// The number of rounds of a side that takes longer than [`SLOW`]. If it is 0, the trial is the
    /// only sample.
    slow_rounds: usize,
    /// The approximate duration of a sample, which consists of repeated calls.
    sample: Duration,
    /// The maximum duration of a call. Slower sides are not measured.
    longest: Duration,
}

impl Effort {
    /// Returns the effort for a value. `is_large` is true for the second, larger size.
    pub(crate) fn of(length: Length, is_large: bool) -> Self {
        let effort = |rounds, slow_rounds, sample, longest| Self {
            rounds,
            slow_rounds,
            sample: Duration::from_millis(sample),
            longest: Duration::from_secs(longest),
        };
        match (length, is_large) {
            (Length::Test, _) => effort(1, 0, 1, 60),
            (Length::Usual, false) => effort(9, 0, 12, 60),
            (Length::Usual, true) => effort(5, 0, 12, 1),
            (Length::Long, _) => effort(15, 3, 40, 600),
        }
    }
}

/// A value with the results of each side.
pub(crate) struct Row {
    pub(crate) workload: Workload,
    /// The number of elements.
    pub(crate) size: usize,
    /// The exact bytes: those of the hand-written sum, which tests compare with an allocator.
    pub(crate) bytes: usize,
    /// The number of allocations that memprof's tree makes.
    pub(crate) requests: u64,
    pub(crate) cells: Vec<Cell>,
}

/// The result of one side for a value.
pub(crate) struct Cell {
    pub(crate) side: &'static str,
    /// The measurement, or the reason why this side cannot measure the value.
    pub(crate) outcome: Result<Measured, &'static str>,
}

/// The reported bytes and the time.
pub(crate) struct Measured {
    pub(crate) bytes: usize,
    /// The median CPU time.
    pub(crate) seconds: f64,
    /// The median of the ratios to the hand-written sum. Each ratio is within one round.
    pub(crate) ratio: f64,
}

impl Row {
    /// Returns the name of the value at its size.
    pub(crate) fn name(&self) -> String {
        format!("{}, {}", self.workload.name, count(self.size))
    }

    /// Returns a side's measurement, if it can measure the value.
    pub(crate) fn measured(&self, side: &str) -> Option<&Measured> {
        let cell = self.cells.iter().find(|cell| cell.side == side)?;
        cell.outcome.as_ref().ok()
    }

    /// Returns the ratio of a side's time to the time of the hand-written sum.
    pub(crate) fn ratio(&self, side: &str) -> Option<f64> {
        self.measured(side).map(|measured| measured.ratio)
    }
}

/// Measures a value by every side. A side is left out if its time for a smaller value shows that it
/// would be too slow.
pub(crate) fn measure(
    workload: Workload,
    size: usize,
    subject: &Subject,
    smaller: Option<&Row>,
    effort: Effort,
) -> Row {
    let tree = subject.side(MEMPROF_TREE);
    let requests =
        heap::measure(|| tree.measure()).map_or(0, |(_, measured)| measured.allocated_blocks);
    heap::set_level(Level::Off);
    let expected = |side: &Side| {
        let smaller = smaller?;
        let growth = (size / smaller.size.max(1)) as u32;
        Some(Duration::from_secs_f64(smaller.measured(side.name)?.seconds) * growth)
    };
    let plan = |side| Plan::of(side, expected(side), effort);
    let plans: Vec<_> = subject.sides.iter().map(plan).collect();
    let mut samples = interleave(&plans, effort);
    for (plan, times) in plans.iter().zip(&mut samples) {
        if plan.bytes.is_ok() && times.is_empty() {
            times.push(plan.trial.as_secs_f64());
        }
    }
    let hand = &samples[0];
    let cells: Vec<_> =
        plans.iter().zip(&samples).map(|(plan, times)| plan.cell(times, hand)).collect();
    let bytes = subject.side(HAND).measure().unwrap_or(0);
    Row { workload, size, bytes, requests, cells }
}

/// The number of calls of a side per sample, from one trial call.
struct Plan<'a> {
    side: &'a Side,
    bytes: Result<usize, &'static str>,
    calls: u32,
    rounds: usize,
    /// The time of the trial call.
    trial: Duration,
    /// `true` if a call precedes each sample, to bring the caches into the state that calls of this
    /// side leave.
    warms_up: bool,
}

impl<'a> Plan<'a> {
    fn of(side: &'a Side, expected: Option<Duration>, effort: Effort) -> Self {
        let (bytes, trial) = (Err(TOO_SLOW), Duration::ZERO);
        let mut plan = Self { side, bytes, calls: 0, rounds: 0, trial, warms_up: true };
        if expected.is_some_and(|expected| expected > effort.longest) {
            return plan;
        }
        let mut trial = cpu_time_of(1, || plan.bytes = side.measure());
        if plan.bytes.is_err() {
            return plan;
        }
        if trial < COLD {
            // The first call was slower, because it filled the caches.
            trial = cpu_time_of(1, || plan.bytes = side.measure());
        }
        let once = trial.max(Duration::from_nanos(20));
        let calls = effort.sample.div_duration_f64(once).ceil().clamp(1.0, 100_000.0);
        #[allow(clippy::cast_sign_loss, reason = "clamped to at least 1")]
        let calls = calls as u32;
        let rounds = if once > SLOW { effort.slow_rounds } else { effort.rounds };
        Self { calls, rounds, trial, warms_up: once < COLD, ..plan }
    }

    /// Takes one sample.
    fn time(&self) -> f64 {
        if self.warms_up {
            let _ = black_box(self.side.measure());
        }
        cpu_time_of(self.calls, || {
            let _ = black_box(self.side.measure());
        })
        .as_secs_f64()
    }

    fn cell(&self, times: &[f64], hand: &[f64]) -> Cell {
        let outcome = self.bytes.map(|bytes| Measured {
            bytes,
            seconds: median(times.iter().copied()),
            ratio: median(times.iter().zip(hand).map(|(time, hand)| time / hand.max(1e-9))),
        });
        Cell { side: self.side.name, outcome }
    }
}

/// Returns the times of each plan. Each round of all plans ends before the next round begins.
///
/// Each round starts one side later, so that no side always runs after the same other side.
fn interleave(plans: &[Plan<'_>], effort: Effort) -> Vec<Vec<f64>> {
    let mut samples = vec![Vec::new(); plans.len()];
    for round in 0..effort.rounds {
        for turn in 0..plans.len() {
            let index = (turn + round) % plans.len();
            if round < plans[index].rounds {
                samples[index].push(plans[index].time());
            }
        }
    }
    samples
}

fn median(values: impl Iterator<Item = f64>) -> f64 {
    let mut values: Vec<_> = values.collect();
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
