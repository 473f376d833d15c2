//! `cargo xtask overhead-time`: time under each global allocator, kept in `docs/performance.md`.

use crate::{Failure, table, workspace};
use std::process::{Command, Stdio};

pub(crate) fn run() -> Result<(), Failure> {
    let run = Command::new(env!("CARGO"))
        .args([
            "bench",
            "--package",
            "memprof-heap-benches",
            "--bench",
            "wall",
            "--features",
            "inner",
        ])
        .current_dir(workspace())
        .stderr(Stdio::inherit())
        .output()?;
    let printed = String::from_utf8(run.stdout)?;
    if !run.status.success() || !printed.contains("| plain program |") {
        return Err("the table was not printed".into());
    }
    print!("{printed}");
    table::keep("overhead-time", &printed)
}
