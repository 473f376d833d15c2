//! `cargo xtask politeness`: how long writers wait for a large root, kept in `docs/performance.md`.

use crate::{Failure, table, workspace};
use std::process::{Command, Stdio};

pub(crate) fn run() -> Result<(), Failure> {
    let run = Command::new(env!("CARGO"))
        .args(["bench", "--package", "memprof-session-benches", "--bench", "politeness", "--"])
        .args(std::env::args().skip(2))
        .current_dir(workspace())
        .stderr(Stdio::inherit())
        .output()?;
    let printed = String::from_utf8(run.stdout)?;
    if !run.status.success() || !printed.contains("| no session |") {
        return Err("the table was not printed".into());
    }
    print!("{printed}");
    table::keep("politeness", &printed)
}
