//! `cargo xtask idle`: 10,000 snapshots of an idle program at each level, and what it holds meanwhile.

use crate::{Failure, workspace};
use std::process::{Command, Stdio};

const TEST: &str = "idle::ten_thousand_snapshots_leave_an_idle_program_as_it_is";

/// Lines that the test prints for the three levels.
const FIGURES: usize = 11;

pub(crate) fn run() -> Result<(), Failure> {
    let run = Command::new(env!("CARGO"))
        .args([
            "test",
            "--quiet",
            "--profile",
            "bench",
            "--package",
            "memprof",
            "--test",
            "session",
        ])
        .args(["--features", "full", "--", "--exact", "--ignored", "--nocapture", TEST])
        .current_dir(workspace())
        .stderr(Stdio::inherit())
        .output()?;
    let printed = String::from_utf8(run.stdout)?;
    let levels = ["off: ", "counters: ", "sampled: "];
    let is_figure = |line: &&str| levels.iter().any(|level| line.starts_with(level));
    let figures: Vec<_> = printed.lines().filter(is_figure).collect();
    for figure in &figures {
        println!("{figure}");
    }
    if !run.status.success() || figures.len() < FIGURES {
        return Err(format!("an idle program does not stay flat:\n{printed}").into());
    }
    Ok(())
}
