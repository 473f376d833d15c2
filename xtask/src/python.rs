//! `cargo xtask python`: builds the Python package and the example's module, and runs their tests
//! with two versions of Python, and with a free-threaded one.

use crate::tools::has;
use crate::{Failure, workspace};
use std::process::Command;

pub(crate) fn run(oldest: bool, skip_if_missing: bool) -> Result<(), Failure> {
    if skip_if_missing && !has("python3") {
        println!("skipped: python3 is missing");
        return Ok(());
    }
    let mut check = Command::new("python3");
    check.arg("-u").arg(workspace().join("memprof-python/check.py"));
    check.args(oldest.then_some("--oldest")).args(skip_if_missing.then_some("--skip-if-missing"));
    if check.env("CARGO", env!("CARGO")).status()?.success() {
        Ok(())
    } else {
        Err("the Python package failed a check".into())
    }
}
