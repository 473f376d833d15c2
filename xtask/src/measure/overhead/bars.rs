//! The bars: the promised cost of memprof's allocator, and whether this run met them.

use super::instructions::{Cell, Counted};
use super::same_code::Comparison;
use super::sides::{COUNTERS, FORWARDING, OFF, PLAIN, SAMPLED, SIDES, WORKLOADS};

/// The maximum number of instructions per pair that a side may need above a baseline, on every
/// workload.
struct Bar {
    side: usize,
    baseline: usize,
    max: f64,
}

const BARS: [Bar; 3] = [
    Bar { side: OFF, baseline: FORWARDING, max: 4.0 },
    Bar { side: COUNTERS, baseline: PLAIN, max: 18.0 },
    Bar { side: SAMPLED, baseline: PLAIN, max: 60.0 },
];

/// The bar for entering and leaving an operation.
const GUARD: f64 = 60.0;

/// The verdict on a bar. A bar that could not be measured is not met.
pub(super) struct Verdict {
    pub(super) outcome: Outcome,
    pub(super) line: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    Met,
    Missed,
    NotMeasured,
}

impl Verdict {
    pub(super) fn is_met(&self) -> bool {
        self.outcome == Outcome::Met
    }

    fn of(subject: &str, cell: &Cell, unit: &str, max: f64) -> Self {
        match cell {
            Ok(count) => {
                // The count is rounded as in the output: 18.0 meets a bar of at most 18.
                let is_met = (count * 10.0).round() / 10.0 <= max;
                let outcome = if is_met { Outcome::Met } else { Outcome::Missed };
                Self { outcome, line: format!("{subject}: {count:.1} {unit}, at most {max}") }
            }
            Err(reason) => {
                Self { outcome: Outcome::NotMeasured, line: format!("{subject}: {reason}") }
            }
        }
    }
}

/// Returns the verdicts on all bars of instructions.
pub(super) fn judge(counted: &Counted) -> Vec<Verdict> {
    let mut verdicts: Vec<_> = BARS.iter().flat_map(|bar| on_workloads(bar, counted)).collect();
    verdicts.push(Verdict::of(
        "an operation entered and left",
        &counted.guard,
        "instructions",
        GUARD,
    ));
    verdicts
}

/// Returns the verdict on one bar: without its feature, the allocator must be a minimal wrapper.
pub(super) fn same_code(comparison: &Comparison) -> Verdict {
    let subject = "without the feature, the code of the forwarding wrapper";
    match comparison {
        Ok(instructions) => Verdict {
            outcome: Outcome::Met,
            line: format!("{subject}: all {instructions} instructions"),
        },
        Err(difference) => {
            Verdict { outcome: Outcome::Missed, line: format!("{subject}: {difference}") }
        }
    }
}

fn on_workloads(bar: &Bar, counted: &Counted) -> Vec<Verdict> {
    let unit = format!("instructions per pair over the {}", SIDES[bar.baseline].name);
    WORKLOADS
        .iter()
        .zip(counted.above(bar.side, bar.baseline))
        .map(|(workload, cell)| {
            let subject = format!("{}, {}", SIDES[bar.side].name, workload.name);
            Verdict::of(&subject, &cell, &unit, bar.max)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{Outcome, judge, same_code};
    use crate::measure::overhead::instructions::Counted;
    use crate::measure::overhead::sides::{COUNTERS, FORWARDING, OFF, SAMPLED};

    fn counted() -> Counted {
        let mut rows = std::array::from_fn(|_| [const { Ok(100.0) }; 4]);
        rows[FORWARDING] = [const { Ok(98.0) }; 4];
        rows[OFF] = [Ok(102.0), Ok(102.04), Ok(102.1), Err("no level".to_owned())];
        rows[COUNTERS] = [Ok(118.0), Ok(119.0), Ok(90.0), Ok(118.04)];
        rows[SAMPLED] = [Ok(160.0), Ok(160.0), Ok(160.0), Ok(161.0)];
        let inner = std::array::from_fn(|_| [const { [const { Ok(9.0) }; 4] }; 4]);
        let linked = std::array::from_fn(|_| [const { Ok(9.0) }; 4]);
        Counted { rows, linked, inner, pairs: [1.0; 4], guard: Ok(60.0) }
    }

    #[test]
    fn each_level_is_judged_by_its_own_baseline() {
        use Outcome::{Met, Missed, NotMeasured};
        let verdicts = judge(&counted());
        let outcomes: Vec<_> = verdicts.iter().map(|verdict| verdict.outcome).collect();
        let off = [Met, Met, Missed, NotMeasured];
        let counters = [Met, Missed, Met, Met];
        let sampled = [Met, Met, Met, Missed];
        assert_eq!(outcomes, [&off[..], &counters, &sampled, &[Met]].concat());
        assert_eq!(
            verdicts[0].line,
            "memprof, off, pairs: 4.0 instructions per pair over the forwarding wrapper, at most 4"
        );
    }

    #[test]
    fn a_bar_that_is_not_measured_is_not_met() {
        let mut counted = counted();
        counted.guard = Err("no workload is called guard".into());
        let verdicts = judge(&counted);
        let guard = verdicts.last().expect("it is the last bar");
        assert!(!guard.is_met());
        assert_eq!(guard.line, "an operation entered and left: no workload is called guard");
    }

    #[test]
    fn different_code_misses_the_bar() {
        assert!(same_code(&Ok(80)).is_met());
        assert!(!same_code(&Err("one instruction more".into())).is_met());
    }
}
