//! `cargo xtask week`: 120,960 snapshots under a fast clock, and the memory and files they take.

use crate::{Failure, workspace};
use std::process::{Command, Stdio};

const TEST: &str = "a_week_keeps_bounded_memory_and_files";

pub(crate) fn run() -> Result<(), Failure> {
    let run = Command::new(env!("CARGO"))
        .args(["test", "--quiet", "--profile", "bench", "--package", "memprof-session"])
        .args(["--features", "heap", "--lib", "--", "--ignored", "--nocapture", TEST])
        .current_dir(workspace())
        .stderr(Stdio::inherit())
        .output()?;
    let printed = String::from_utf8(run.stdout)?;
    let figures: Vec<_> = printed.lines().filter(|line| line.contains(": ")).collect();
    if !run.status.success() || figures.len() < 5 {
        return Err(format!("a week takes too much:\n{printed}").into());
    }
    for figure in figures {
        println!("{figure}");
    }
    Ok(())
}
