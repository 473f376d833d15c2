//! `cargo xtask gpu`: what only a GPU can show, built into a folder that needs no Rust where it is run,
//! and run here, where it may have to skip.

use crate::{Failure, target};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What is built: the arguments, the program and what it is called in the folder.
const PROGRAMS: &[(&[&str], &str, &str)] = &[
    (&["--package", "memprof-cli", "--bin", "memprof"], "memprof", "memprof"),
    (
        &["--package", "memprof-gpu", "--example", "cuda_check", "--features", "cuda,json"],
        "examples/cuda_check",
        "cuda_check",
    ),
    (&["--package", "memprof-wrapper-benches", "--bin", "wrapper"], "wrapper", "wrapper"),
];

/// What runs them.
const SCRIPTS: &[(&str, &str)] = &[
    ("check.sh", include_str!("gpu/check.sh")),
    ("compare.py", include_str!("gpu/compare.py")),
    ("torch_trace.py", include_str!("gpu/torch_trace.py")),
];

pub(crate) fn run() -> Result<(), Failure> {
    let workspace = crate::workspace();
    let folder = workspace.join("target/gpu");
    fs::create_dir_all(&folder)?;
    for (arguments, built, name) in PROGRAMS {
        let mut cargo = Command::new(env!("CARGO"));
        cargo.current_dir(&workspace).args(["build", "--locked", "--profile", "bench"]);
        // What a few MB more of names are worth on another machine is nothing.
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
