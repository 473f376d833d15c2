//! Rounds of all sides, each in another order, so that the machine's drift affects all sides.

use crate::sides::{SIDES, Workload, can};
use memprof_benches::xorshift::Xorshift;
use memprof_heap_benches::bootstrap::{Estimate, estimate};

/// The length of a measurement.
#[derive(Clone, Copy)]
pub(crate) struct Plan {
    pub(crate) rounds: usize,
    /// The divisor of each workload's work.
    part: usize,
}

impl Plan {
    pub(crate) const FULL: Self = Self { rounds: 41, part: 1 };
    pub(crate) const SHORT: Self = Self { rounds: 1, part: 100 };
}

/// The results of a workload.
pub(crate) struct Column {
    pub(crate) name: &'static str,
    /// The time of the plain program for one repetition of the work.
    pub(crate) nanoseconds: f64,
    /// The ratio of each side to its baseline; `None` if the program cannot do the work.
    pub(crate) ratios: [Option<Estimate>; SIDES.len()],
}

pub(crate) fn measure(workload: &Workload, plan: Plan) -> Result<Column, String> {
    eprintln!("{} …", workload.name);
    let mut random = Xorshift::new(9);
    let mut order: [usize; SIDES.len()] = std::array::from_fn(|side| side);
    // The first side is the baseline, so it always runs. Its errors are reported below.
    let can: [bool; SIDES.len()] = std::array::from_fn(|side| side == 0 || can(side, workload));
    let mut bases = Vec::new();
    let mut ratios = SIDES.map(|_| Vec::new());
    for round in 0..plan.rounds {
        random.shuffle(&mut order);
        let mut times = [None; SIDES.len()];
        for &index in &order {
            let side = SIDES[index];
            if can[index] && round % side.every == 0 {
                let work = (workload.times / plan.part / side.slower).max(1);
                times[index] = Some(side.run(workload, work)? / count(work));
            }
        }
        let base = times[0].ok_or("the plain program runs in every round")?;
        bases.push(base);
        for (index, side) in SIDES.iter().enumerate() {
            let over = times[index].zip(times[side.baseline]);
            ratios[index].extend(over.map(|(time, base)| time / base));
        }
    }
    let ratios = ratios.map(|ratios| (!ratios.is_empty()).then(|| estimate(&ratios)));
    Ok(Column { name: workload.name, nanoseconds: estimate(&bases).median, ratios })
}

#[allow(clippy::cast_precision_loss, reason = "millions")]
fn count(times: usize) -> f64 {
    times as f64
}
