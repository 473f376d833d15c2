//! Measurements that are benchmarks of the workspace, which print their own tables.

use super::Measured;
use crate::Failure;
use std::process::Stdio;

/// A benchmark with its own harness.
pub(super) struct Bench {
    arguments: &'static [&'static str],
    /// A string that only the output of a complete run contains.
    expected_output: &'static str,
    /// The string at which the stored part of the output starts.
    starts_at: &'static str,
    /// `true` if a missed bar makes the benchmark fail.
    has_bars: bool,
}

pub(super) const TABLE: Bench = Bench {
    // The default members have the features of `cargo bench`, so nothing is compiled twice.
    arguments: &["--bench", "comparison"],
    expected_output: "\nBars:",
    // Lines of criterion come first.
    starts_at: "Last-level cache",
    has_bars: true,
};

pub(super) const SCALING: Bench = Bench {
    arguments: &["--package", "memprof-benches", "--bench", "scaling"],
    expected_output: "\nBars:",
    starts_at: "",
    has_bars: true,
};

pub(super) const UNITS: Bench = Bench {
    arguments: &["--package", "memprof-benches", "--bench", "units"],
    expected_output: "| scale |",
    starts_at: "",
    has_bars: false,
};

pub(super) const OVERHEAD_TIME: Bench = Bench {
    arguments: &["--package", "memprof-heap-benches", "--bench", "wall", "--features", "inner"],
    expected_output: "| plain program |",
    starts_at: "",
    has_bars: false,
};

pub(super) const POLITENESS: Bench = Bench {
    arguments: &["--package", "memprof-session-benches", "--bench", "politeness"],
    expected_output: "| no session |",
    starts_at: "",
    has_bars: false,
};

impl Bench {
    /// Runs the benchmark with additional arguments.
    pub(super) fn run(&self, more: &[&str]) -> Result<Measured, Failure> {
        let mut cargo = crate::cargo();
        cargo.arg("bench").args(self.arguments).arg("--").args(more);
        let run = cargo.stderr(Stdio::inherit()).output()?;
        let printed = String::from_utf8(run.stdout)?;
        if !printed.contains(self.expected_output) || !(run.status.success() || self.has_bars) {
            return Err("the table was not printed".into());
        }
        let start = printed.find(self.starts_at).unwrap_or(0);
        let printed = printed[start..].to_owned();
        let missed = (!run.status.success()).then(|| "a bar was missed".to_owned());
        Ok(Measured { printed, missed })
    }
}
