//! `cargo xtask units`: an array with a unit beside the raw vector, kept in `docs/performance.md`.

use crate::{Failure, table, workspace};
use std::process::{Command, Stdio};

pub(crate) fn run() -> Result<(), Failure> {
    let run = Command::new(env!("CARGO"))
        .args(["bench", "--package", "memprof-benches", "--bench", "units"])
        .current_dir(workspace())
        .stderr(Stdio::inherit())
        .output()?;
    let printed = String::from_utf8(run.stdout)?;
    if !run.status.success() || !printed.contains("| scale |") {
        return Err("the table was not printed".into());
    }
    print!("{printed}");
    table::keep("units", &printed)
}
