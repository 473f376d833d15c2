//! Measurements of all sides of a value in turns, so that the machine's drift affects all sides.

use memprof_benches::clock::cpu_time_of;
use memprof_benches::counting::requested_by;
use memprof_benches::peers::MEMPROF_TREE;
use memprof_benches::{Side, Workload};
use std::hint::black_box;
use std::time::Duration;

/// The rounds of a side. The number is odd, so that one is the median.
const ROUNDS: usize = 9;
/// The rounds of a side that takes longer than [`SLOW`].
const SLOW_ROUNDS: usize = 3;
const SLOW: Duration = Duration::from_millis(500);
/// The approximate duration of a sample, which repeats the side's call.
const SAMPLE: Duration = Duration::from_millis(20);

/// A value with the results of each side.
pub(crate) struct Row {
    pub(crate) workload: Workload,
    /// The bytes requested for the value, and its own bytes.
    pub(crate) bytes: usize,
    /// The allocations that memprof's tree makes.
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
    /// The median over the rounds of the ratio to the hand-written sum in the same round.
    pub(crate) ratio: f64,
}

impl Row {
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

/// Builds a value and measures it by every side.
pub(crate) fn measure(workload: Workload, size: usize) -> Row {
    eprintln!("{} …", workload.name);
    let subject = (workload.build)(size);
    let tree = subject.side(MEMPROF_TREE);
    let (_, requested) = requested_by(|| tree.measure());
    let plans: Vec<_> = subject.sides.iter().map(Plan::of).collect();
    let samples = interleave(&plans);
    let hand = &samples[0];
    let cells = plans.iter().zip(&samples).map(|(plan, times)| plan.cell(times, hand)).collect();
    Row { workload, bytes: subject.bytes, requests: requested.requests, cells }
}

/// The number of calls of a side per sample, from one trial call.
struct Plan<'a> {
    side: &'a Side,
    bytes: Result<usize, &'static str>,
    calls: u32,
    rounds: usize,
}

impl<'a> Plan<'a> {
    fn of(side: &'a Side) -> Self {
        let mut bytes = side.measure();
        if bytes.is_err() {
            return Self { side, bytes, calls: 0, rounds: 0 };
        }
        let once = cpu_time_of(1, || bytes = side.measure()).max(Duration::from_nanos(20));
        let calls = SAMPLE.div_duration_f64(once).ceil().clamp(1.0, 100_000.0);
        #[allow(clippy::cast_sign_loss, reason = "clamped to at least 1")]
        let calls = calls as u32;
        let rounds = if once > SLOW { SLOW_ROUNDS } else { ROUNDS };
        Self { side, bytes, calls, rounds }
    }

    /// Takes one sample. A call before it leaves the caches in the same state as the side's own
    /// calls.
    fn time(&self) -> f64 {
        let _ = black_box(self.side.measure());
        cpu_time_of(self.calls, || {
            let _ = black_box(self.side.measure());
        })
        .as_secs_f64()
    }

    fn cell(&self, times: &[f64], hand: &[f64]) -> Cell {
        let ratios = times.iter().zip(hand).map(|(time, hand)| time / hand.max(1e-9));
        let outcome = self.bytes.map(|bytes| Measured {
            bytes,
            seconds: median(times.iter().copied()),
            ratio: median(ratios),
        });
        Cell { side: self.side.name, outcome }
    }
}

/// Returns the times of each plan. Each round of all plans ends before the next round begins.
///
/// Each round starts one side later, so that no side always runs after the same other side.
fn interleave(plans: &[Plan<'_>]) -> Vec<Vec<f64>> {
    let mut samples = vec![Vec::new(); plans.len()];
    for round in 0..ROUNDS {
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
