//! Rounds of all sides, each in another order, so that the machine's drift affects all sides.

use super::plan::Plan;
use super::programs::Programs;
use super::sides::{SIDES, Workload};
use crate::bootstrap::{Estimate, estimate};
use memprof_benches::xorshift::Xorshift;

/// The results of a workload.
#[derive(Debug)]
pub struct Column {
    /// The workload.
    pub name: &'static str,
    /// The time of the plain program for one repetition of the work.
    pub nanoseconds: f64,
    /// The ratio of each side to its baseline, or the reason why the program cannot do the work.
    pub ratios: [Result<Estimate, String>; SIDES.len()],
}

/// Measures a workload under all allocators.
///
/// # Errors
/// Returns the error of the plain program, or of another program whose first run succeeded.
pub fn measure(workload: &Workload, plan: Plan, programs: &Programs) -> Result<Column, String> {
    eprintln!("{} …", workload.name);
    let mut random = Xorshift::new(9);
    let mut order: [usize; SIDES.len()] = std::array::from_fn(|side| side);
    let trials = SIDES.map(|side| side.run(programs, workload, 1));
    let mut bases = Vec::new();
    let mut ratios = SIDES.map(|_| Vec::new());
    for round in 0..plan.rounds {
        random.shuffle(&mut order);
        let mut times = [None; SIDES.len()];
        for &index in &order {
            let side = SIDES[index];
            // The first side is the baseline, so it always runs, and its error ends the measurement.
            if (index == 0 || trials[index].is_ok()) && round % side.every == 0 {
                let work = (workload.times / plan.part / side.slower).max(1);
                times[index] = Some(side.run(programs, workload, work)? / count(work));
            }
        }
        let base = times[0].ok_or("the plain program runs in every round")?;
        bases.push(base);
        for (index, side) in SIDES.iter().enumerate() {
            let over = times[index].zip(times[side.baseline]);
            ratios[index].extend(over.map(|(time, base)| time / base));
        }
    }
    let mut trials = trials.into_iter();
    let ratios = ratios.map(|ratios| match trials.next() {
        Some(Err(why)) => Err(why),
        _ => Ok(estimate(&ratios)),
    });
    Ok(Column { name: workload.name, nanoseconds: estimate(&bases).median, ratios })
}

#[allow(clippy::cast_precision_loss, reason = "millions")]
fn count(times: usize) -> f64 {
    times as f64
}
