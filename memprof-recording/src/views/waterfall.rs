//! The steps from the bytes that the roots own to the resident memory.

use crate::document::{ProcessMemory, Reconciliation};
use core::fmt;
use memprof_profile::text::{Table, percent, signed};
use memprof_profile::views::Units;
use serde::Serialize;

impl Reconciliation {
    /// Returns the steps from the bytes that the roots own to the resident memory, as text.
    ///
    /// Each step is one line with its share of the whole.
    pub fn waterfall(&self, process: &ProcessMemory, units: Units) -> impl fmt::Display + use<> {
        Waterfall { steps: self.steps(process), units }
    }

    /// Returns the steps of the [`waterfall`](Self::waterfall).
    pub fn steps(&self, process: &ProcessMemory) -> Vec<Step> {
        let live = i128::from(self.live_bytes);
        let roots = i128::from(self.roots_bytes);
        let profiler = self.profiler_bytes.map(i128::from);
        let rest = live - roots - profiler.unwrap_or(0);
        // The rest is negative if several roots report the same bytes as owned.
        let rest_is = if rest < 0 { "counted by several roots" } else { "unexplained" };
        let mut steps =
            vec![Step::new("", "the roots' values", roots), Step::new("+", rest_is, rest)];
        if let Some(profiler) = profiler {
            steps.push(Step::new("+", "the profiler's own", profiler));
        }
        steps.push(Step::new("=", "live heap", live));
        let Some(resident) = process.rss_bytes.map(i128::from) else { return steps };
        let files = process.rss_file_bytes.zip(process.rss_shared_bytes);
        let files = files.map(|(files, shared)| i128::from(files) + i128::from(shared));
        match process.rss_anonymous_bytes.map(i128::from).zip(files) {
            Some((anonymous, files)) => {
                let spare = anonymous - live;
                let spare_is = match spare {
                    ..0 => "never touched, or swapped out",
                    0.. => "the allocator's spare, stacks",
                };
                steps.push(Step::new("+", spare_is, spare));
                steps.push(Step::new("+", "code, libraries, mapped files", files));
                let other = resident - anonymous - files;
                // Linux counts pages per thread and adds up the counts with a delay.
                if other != 0 {
                    steps.push(Step::new("+", "not classified by the system", other));
                }
            }
            None => steps.push(Step::new(
                "+",
                "the rest: allocator's spare, stacks, code",
                resident - live,
            )),
        }
        steps.push(Step::new("=", "resident", resident));
        steps
    }
}

/// One step from the bytes that the roots own to the resident memory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Step {
    /// `+` for a part, `=` for a sum, nothing for the first step.
    pub sign: &'static str,
    /// The name of the bytes.
    pub what: &'static str,
    /// The bytes; negative if the step subtracts them.
    pub bytes: i128,
}

impl Step {
    const fn new(sign: &'static str, what: &'static str, bytes: i128) -> Self {
        Self { sign, what, bytes }
    }
}

struct Waterfall {
    steps: Vec<Step>,
    units: Units,
}

impl fmt::Display for Waterfall {
    #[expect(clippy::cast_precision_loss, reason = "a share is rounded")]
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let whole = self.steps.last().map(|step| step.bytes).filter(|&bytes| bytes > 0);
        let mut table = Table::new([""; 4], &[0, 3]);
        for &Step { sign, what, bytes } in &self.steps {
            // A negative part gets a minus instead of its plus.
            let (sign, bytes) =
                if bytes < 0 && sign == "+" { ("−", -bytes) } else { (sign, bytes) };
            let share = whole.map(|whole| percent(bytes as f64 / whole as f64).replace('-', "−"));
            let cells = [sign.to_owned(), signed(bytes, self.units), share.unwrap_or_default()];
            table.row(cells.into_iter().chain([what.to_owned()]));
        }
        out.write_str(&table.lines(usize::MAX).join("\n"))
    }
}

#[cfg(test)]
#[expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]
mod tests {
    use crate::document::{ProcessMemory, Reconciliation};
    use expect_test::{Expect, expect};
    use memprof_profile::views::Units;

    fn heap(roots: u64, live: i64, profiler: Option<i64>) -> Reconciliation {
        Reconciliation {
            live_bytes: live,
            profiler_bytes: profiler,
            roots_bytes: roots,
            roots_exact: true,
            explained: None,
            unexplained: None,
            claimed_twice: None,
        }
    }

    fn process(resident: Option<u64>, parts: Option<[u64; 2]>) -> ProcessMemory {
        ProcessMemory {
            rss_bytes: resident,
            rss_anonymous_bytes: parts.map(|parts| parts[0]),
            rss_file_bytes: parts.map(|parts| parts[1]),
            rss_shared_bytes: parts.map(|_| 0),
            ..ProcessMemory::default()
        }
    }

    fn check(heap: &Reconciliation, process: &ProcessMemory, expected: &Expect) {
        let shown = heap.waterfall(process, Units::Iec).to_string();
        expected.assert_eq(&format!("{shown}\n"));
    }

    #[test]
    fn each_step_adds_up_for_any_figures_of_the_system() {
        check(
            &heap(600, 1000, Some(100)),
            &process(Some(2000), Some([1500, 490])),
            &expect![[r#"
                 600 B   30.0 %  the roots' values
            +    300 B   15.0 %  unexplained
            +    100 B    5.0 %  the profiler's own
            =  1 000 B   50.0 %  live heap
            +    500 B   25.0 %  the allocator's spare, stacks
            +    490 B   24.5 %  code, libraries, mapped files
            +     10 B    0.5 %  not classified by the system
            =  2.0 KiB  100.0 %  resident
        "#]],
        );
        check(
            &heap(600, 1000, None),
            &process(Some(2000), None),
            &expect![[r#"
                 600 B   30.0 %  the roots' values
            +    400 B   20.0 %  unexplained
            =  1 000 B   50.0 %  live heap
            +  1 000 B   50.0 %  the rest: allocator's spare, stacks, code
            =  2.0 KiB  100.0 %  resident
        "#]],
        );
        check(
            &heap(600, 1000, None),
            &process(None, None),
            &expect![[r#"
                 600 B   60.0 %  the roots' values
            +    400 B   40.0 %  unexplained
            =  1 000 B  100.0 %  live heap
        "#]],
        );
        check(
            &heap(1300, 1000, None),
            &process(Some(900), Some([700, 200])),
            &expect![[r#"
               1.3 KiB  144.4 %  the roots' values
            −    300 B   33.3 %  counted by several roots
            =  1 000 B  111.1 %  live heap
            −    300 B   33.3 %  never touched, or swapped out
            +    200 B   22.2 %  code, libraries, mapped files
            =    900 B  100.0 %  resident
        "#]],
        );
        check(
            &heap(u64::MAX, i64::MIN, None),
            &process(Some(0), None),
            &expect![[r#"
                   16.0 EiB  the roots' values
                −  16.0 EiB  counted by several roots
                =  −8.0 EiB  live heap
                +   8.0 EiB  the rest: allocator's spare, stacks, code
                =       0 B  resident
            "#]],
        );
    }
}
