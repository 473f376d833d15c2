//! `cargo xtask estimates`, `cargo xtask idle` and `cargo xtask week`: tests that `cargo test` ignores, and their figures.

use crate::{Failure, cargo};
use std::process::Stdio;

/// A test that takes minutes.
pub(crate) struct LongTest {
    /// The arguments that select the package and target.
    target: &'static [&'static str],
    name: &'static str,
    /// A line with a figure contains one of these texts.
    figure_marks: &'static [&'static str],
    /// The smallest number of lines with figures.
    figures: usize,
}

/// 10,000 snapshots of an idle program at each level.
pub(crate) const IDLE: LongTest = LongTest {
    target: &["--package", "memprof", "--test", "session", "--features", "full"],
    name: "idle::ten_thousand_snapshots_do_not_grow_an_idle_program",
    figure_marks: &["off: ", "counters: ", "sampled: "],
    figures: 11,
};

/// Estimates of 10,000 values of each class, and of 100 million texts.
pub(crate) const ESTIMATES: LongTest = LongTest {
    target: &["--package", "memprof", "--test", "estimates"],
    // All tests of the target that `cargo test` ignores.
    name: "",
    figure_marks: &["class | ", "adversarial, ", "benign, ", "time of "],
    figures: 27,
};

/// 120,960 snapshots under a fast clock.
pub(crate) const WEEK: LongTest = LongTest {
    target: &["--package", "memprof-session", "--features", "heap", "--lib"],
    name: "a_week_keeps_bounded_memory_and_files",
    figure_marks: &[": "],
    figures: 5,
};

impl LongTest {
    /// Runs the test and prints its figures.
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut test = cargo();
        test.args(["test", "--quiet", "--profile", "bench"]).args(self.target);
        test.args(["--", "--ignored", "--nocapture", self.name]);
        let run = test.stderr(Stdio::inherit()).output()?;
        let printed = String::from_utf8(run.stdout)?;
        let is_figure = |line: &&str| self.figure_marks.iter().any(|mark| line.contains(mark));
        let figures: Vec<_> = printed.lines().filter(is_figure).collect();
        if !run.status.success() || figures.len() < self.figures {
            return Err(format!("{} failed:\n{printed}", self.name).into());
        }
        println!("{}", figures.join("\n"));
        Ok(())
    }
}
