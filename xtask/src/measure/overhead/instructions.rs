//! Instructions per pair: the difference between two runs that repeat the work a different number
//! of times.

use super::programs::Programs;
use super::sides::{COUNTERS, GUARD, INNER, LINKED, SIDES, Side, WORKLOADS, Workload};
use super::valgrind;
use crate::Failure;
use std::process::Command;

/// Instructions per pair, or the reason why the side has none.
pub(super) type Cell = Result<f64, String>;

/// The cells of all workloads.
pub(super) type Row = [Cell; WORKLOADS.len()];

/// The counts of all sides.
pub(super) struct Counted {
    /// The rows of the sides.
    pub(super) rows: [Row; SIDES.len()],
    /// The rows of the first sides, built with link-time optimisation.
    pub(super) linked: [Row; LINKED.len()],
    /// The rows of other allocators, alone and inside memprof's.
    pub(super) inner: [[Row; INNER[0].len()]; INNER.len()],
    /// The number of pairs in one repetition of each workload.
    pub(super) pairs: [f64; WORKLOADS.len()],
    /// The instructions to enter and leave one operation.
    pub(super) guard: Cell,
}

impl Counted {
    pub(super) fn count(programs: &Programs, linked: &Programs) -> Result<Self, Failure> {
        let mut pairs = [0.0; WORKLOADS.len()];
        for (pairs, workload) in pairs.iter_mut().zip(&WORKLOADS) {
            *pairs = pairs_per_time(programs, workload)?;
        }
        let rows = each(&SIDES, |side| row(programs, side, pairs))?;
        let linked = each(&LINKED, |side| row(linked, side, pairs))?;
        let inner = each(&INNER, |sides| each(sides, |side| row(programs, side, pairs)))?;
        let guard = per_time(programs, &SIDES[COUNTERS], &GUARD)?;
        Ok(Self { rows, linked, inner, pairs, guard })
    }

    /// Returns the instructions per pair that a side needs above another, on each workload.
    pub(super) fn above(&self, side: usize, baseline: usize) -> Row {
        above(&self.rows[side], &self.rows[baseline])
    }
}

pub(super) fn above(row: &Row, baseline: &Row) -> Row {
    std::array::from_fn(|workload| Ok(row[workload].clone()? - baseline[workload].clone()?))
}

/// Applies `count` to each element, in order. Returns the first error, if any.
fn each<T, U, const N: usize>(
    all: &[T; N],
    mut count: impl FnMut(&T) -> Result<U, Failure>,
) -> Result<[U; N], Failure> {
    let counted = all.iter().map(&mut count).collect::<Result<Vec<_>, _>>()?;
    Ok(counted.try_into().unwrap_or_else(|_| unreachable!("one for each")))
}

fn row(programs: &Programs, side: &Side, pairs: [f64; WORKLOADS.len()]) -> Result<Row, Failure> {
    eprintln!("{}: {} …", side.program, side.name);
    let mut row = [const { Ok(0.0) }; WORKLOADS.len()];
    for (cell, (workload, pairs)) in row.iter_mut().zip(WORKLOADS.iter().zip(pairs)) {
        *cell = per_time(programs, side, workload)?.map(|per_time| per_time / pairs);
    }
    Ok(row)
}

/// Returns the number of pairs in one repetition, from the program that counts them. A pair is any
/// two calls of the allocator.
#[allow(clippy::cast_precision_loss, reason = "millions of calls")]
fn pairs_per_time(programs: &Programs, workload: &Workload) -> Result<f64, Failure> {
    let times = workload.times[1];
    let run = Command::new(programs.path("counting"))
        .args([workload.name, &times.to_string()])
        .output()?;
    let calls: u64 = String::from_utf8(run.stdout)?.trim().parse()?;
    Ok(calls as f64 / 2.0 / times as f64)
}

#[allow(clippy::cast_precision_loss, reason = "2^53 instructions take a month under valgrind")]
fn per_time(programs: &Programs, side: &Side, workload: &Workload) -> Result<Cell, Failure> {
    let times = workload.times.map(|times| times.div_ceil(side.slower));
    let times = [times[0], times[1].max(times[0] + 1)];
    let mut instructions = [0; 2];
    for (instructions, times) in instructions.iter_mut().zip(times) {
        let times = times.to_string();
        let arguments = [workload.name, &times].into_iter().chain(side.level);
        match valgrind::instructions(&programs.path(side.program), arguments)? {
            Ok(counted) => *instructions = counted,
            Err(reason) => return Ok(Err(reason)),
        }
    }
    let [few, many] = instructions;
    Ok(Ok((many as f64 - few as f64) / (times[1] - times[0]) as f64))
}
