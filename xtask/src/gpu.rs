//! `cargo xtask gpu [FIGURES]`: the checks that need a GPU. They are built into a folder that also
//! works on machines without Rust, and they are run here too. Here they may be skipped. With a
//! folder of figures from another machine, the command stores that machine's trace for the tests.

use crate::{Failure, target};
use std::fs;
use std::path::Path;
use std::process::Command;

/// The programs to build: the arguments, the program, and its name in the folder.
const PROGRAMS: &[(&[&str], &str, &str)] = &[
    (&["--package", "memprof-cli", "--bin", "memprof"], "memprof", "memprof"),
    (
        &["--package", "memprof-pool", "--example", "cuda_check", "--features", "cuda,json"],
        "examples/cuda_check",
        "cuda_check",
    ),
    (&["--package", "memprof-wrapper-benches", "--bin", "wrapper"], "wrapper", "wrapper"),
];

/// The scripts that run the programs.
const SCRIPTS: &[(&str, &str)] = &[
    ("check.sh", include_str!("gpu/check.sh")),
    ("compare.py", include_str!("gpu/compare.py")),
    ("torch_trace.py", include_str!("gpu/torch_trace.py")),
];

/// The format in a trace's first line, as `memprof-pool/tests/resource/torch.rs` expects it.
const TRACE_FORMAT: &str = "torch allocator trace";

pub(crate) fn run(figures: Option<&Path>) -> Result<(), Failure> {
    if let Some(figures) = figures {
        let is_stored = store_trace(figures)?;
        return is_stored
            .then_some(())
            .ok_or_else(|| format!("{} has no torch.jsonl", figures.display()).into());
    }
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
    let checked = check(&folder);
    if !store_trace(&folder.join("figures"))? {
        println!("skipped: no trace of PyTorch was recorded, so the tests replay none");
    }
    checked
}

/// Copies the `PyTorch` trace to the path from which tests replay it. Returns `true` if there is a
/// trace.
fn store_trace(figures: &Path) -> Result<bool, Failure> {
    let recorded = figures.join("torch.jsonl");
    if !recorded.exists() {
        return Ok(false);
    }
    let trace = fs::read_to_string(&recorded)?;
    if !trace.lines().next().is_some_and(|head| head.contains(TRACE_FORMAT)) {
        return Err(format!("{} is not a `{TRACE_FORMAT}`", recorded.display()).into());
    }
    let data = crate::workspace().join("memprof-pool/tests/data");
    fs::create_dir_all(&data)?;
    fs::write(data.join("torch.jsonl"), trace)?;
    println!("wrote memprof-pool/tests/data/torch.jsonl; the test that replays it:");
    println!("cargo test --package memprof-pool --features json --test resource recorded_traces");
    Ok(true)
}

/// Runs the checks on this machine.
fn check(folder: &Path) -> Result<(), Failure> {
    let mut bash = Command::new("bash");
    bash.arg(folder.join("check.sh")).arg(folder.join("figures"));
    if bash.status()?.success() { Ok(()) } else { Err("a check failed".into()) }
}
