//! `cargo xtask gpu`: the checks that need a GPU. They are built into a folder that also works on
//! machines without Rust, and they are run here too. Here they may be skipped.

use crate::{Failure, target};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The programs to build: the arguments, the program, and its name in the folder.
const PROGRAMS: &[(&[&str], &str, &str)] = &[
    (&["--package", "memprof-cli", "--bin", "memprof"], "memprof", "memprof"),
    (
        &["--package", "memprof-pool", "--example", "cuda_check", "--features", "cuda"],
        "examples/cuda_check",
        "cuda_check",
    ),
    (&["--package", "memprof-wrapper-benches", "--bin", "wrapper"], "wrapper", "wrapper"),
];

/// The scripts that run the programs.
const SCRIPTS: &[(&str, &str)] =
    &[("check.sh", include_str!("gpu/check.sh")), ("compare.py", include_str!("gpu/compare.py"))];

pub(crate) fn run() -> Result<(), Failure> {
    let workspace = crate::workspace();
    let folder = workspace.join("target/gpu");
    fs::create_dir_all(&folder)?;
    for (arguments, built, name) in PROGRAMS {
        let mut cargo = crate::cargo();
        cargo.args(["build", "--locked", "--profile", "bench"]);
        // Symbols would add a few MB and are useless on another machine.
        cargo.args(*arguments).env("CARGO_PROFILE_BENCH_STRIP", "true");
        if !cargo.status()?.success() {
            return Err(format!("{name} does not build").into());
        }
        fs::copy(target("release").join(built), folder.join(name))?;
    }
    for (name, text) in SCRIPTS {
        fs::write(folder.join(name), text)?;
    }
    println!("built into {}", folder.display());
    check(&folder)
}

/// Runs the checks on this machine.
fn check(folder: &Path) -> Result<(), Failure> {
    let mut bash = Command::new("bash");
    bash.arg(folder.join("check.sh")).arg(folder.join("figures"));
    if bash.status()?.success() { Ok(()) } else { Err("a check failed".into()) }
}
