//! Measurements that are benchmarks of the workspace, which print their own tables.

use super::Measured;
use crate::Failure;
use std::process::Stdio;

/// A benchmark with its own harness. It fails if a figure misses its bar.
pub(super) struct Bench {
    arguments: &'static [&'static str],
    /// The text at which the stored part of the output starts.
    starts_at: &'static str,
    /// A text that only the output of a complete run contains.
    complete: &'static str,
}

pub(super) const TABLE: Bench = Bench {
    // The default members have the features of `cargo bench`, so nothing is compiled twice.
    arguments: &["--bench", "comparison", "--", "--no-criterion", "--details", "--check"],
    starts_at: "Last-level cache",
    complete: "\nBars:",
};

pub(super) const POLITENESS: Bench = Bench {
    arguments: &["--package", "memprof-session-benches", "--bench", "politeness"],
    starts_at: "",
    complete: "| no session |",
};

impl Bench {
    pub(super) fn run(&self) -> Result<Measured, Failure> {
        let mut cargo = crate::cargo();
        let run = cargo.arg("bench").args(self.arguments).stderr(Stdio::inherit()).output()?;
        let printed = String::from_utf8(run.stdout)?;
        let start = printed.find(self.starts_at).unwrap_or(0);
        let printed = printed[start..].to_owned();
        if !printed.contains(self.complete) {
            return Err("the table was not printed".into());
        }
        let missed = (!run.status.success()).then(|| "a bar was missed".to_owned());
        Ok(Measured { printed, missed })
    }
}
