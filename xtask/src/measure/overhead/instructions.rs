//! Instructions per pair: two runs that differ in how often they do the work, and their difference.

use super::programs::Programs;
use super::sides::{COUNTERS, GUARD, INNER, LINKED, SIDES, Side, WORKLOADS, Workload};
use super::valgrind;
use crate::Failure;
use std::process::Command;

/// Instructions per pair, or why that side has none.
pub(super) type Cell = Result<f64, String>;

/// Of each workload.
pub(super) type Row = [Cell; WORKLOADS.len()];

/// What was counted.
pub(super) struct Counted {
    /// Of each side.
    pub(super) rows: [Row; SIDES.len()],
    /// Of the first sides, linked with link-time optimisation.
    pub(super) linked: [Row; LINKED.len()],
    /// Of other allocators, alone and in memprof's.
    pub(super) inner: [[Row; INNER[0].len()]; INNER.len()],
    /// Pairs that each workload does in one go.
    pub(super) pairs: [f64; WORKLOADS.len()],
    /// Of one enter and leave of an operation.
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

    /// How many instructions per pair a side has above another, on each workload.
    pub(super) fn above(&self, side: usize, baseline: usize) -> Row {
        above(&self.rows[side], &self.rows[baseline])
    }
}

pub(super) fn above(row: &Row, baseline: &Row) -> Row {
    std::array::from_fn(|workload| Ok(row[workload].clone()? - baseline[workload].clone()?))
}

/// What `count` makes of each, in order, or how it first fails.
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

/// A pair is two calls of the allocator, of whatever kind; asked of the program that counts them.
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
            Err(why) => return Ok(Err(why)),
        }
    }
    let [few, many] = instructions;
    Ok(Ok((many as f64 - few as f64) / (times[1] - times[0]) as f64))
}
