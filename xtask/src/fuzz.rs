//! `cargo xtask fuzz [SECONDS] [TARGET…]`: each parser under libFuzzer and the address sanitizer.

use crate::{Failure, target, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The fuzz targets; each has a corpus of its name.
const TARGETS: [&str; 5] = ["folded", "profile_json", "report", "timeline", "gpu_trace"];

/// Ten minutes for each target.
const SECONDS: u32 = 600;

/// An input that takes longer, or more memory, is a failure.
const LIMITS: [&str; 3] = ["-timeout=20", "-rss_limit_mb=2048", "-max_len=65536"];

pub(crate) fn run() -> Result<(), Failure> {
    let mut wanted: Vec<String> = std::env::args().skip(2).collect();
    let seconds = wanted.first().and_then(|first| first.parse().ok());
    if seconds.is_some() {
        wanted.remove(0);
    }
    if let Some(unknown) = wanted.iter().find(|name| !TARGETS.contains(&name.as_str())) {
        return Err(format!("`{unknown}` is not a target; expected one of {TARGETS:?}").into());
    }
    let tools = cargo_fuzz()?;
    for name in TARGETS {
        if wanted.is_empty() || wanted.iter().any(|one| one == name) {
            fuzz(&tools, name, seconds.unwrap_or(SECONDS))?;
        }
    }
    Ok(())
}

/// Runs a target from its corpus. What it finds new stays below `target/`.
fn fuzz(tools: &Path, name: &str, seconds: u32) -> Result<(), Failure> {
    let found = target("fuzz").join(name);
    fs::create_dir_all(&found)?;
    let path = std::env::var("PATH").unwrap_or_default();
    let mut command = Command::new("cargo");
    command
        .current_dir(workspace())
        .env("PATH", format!("{}:{path}", tools.display()))
        // Nightly's cargo, and not that of the toolchain that runs this.
        .env_remove("RUSTUP_TOOLCHAIN")
        .env_remove("CARGO")
        .args(["+nightly", "fuzz", "run", name])
        .arg(found.canonicalize()?)
        .arg(workspace().join("fuzz/corpus").join(name).canonicalize()?)
        .arg("--")
        .arg(format!("-max_total_time={seconds}"))
        .args(LIMITS);
    if !command.status()?.success() {
        return Err(format!("{name}: see the input below fuzz/artifacts/{name}").into());
    }
    println!("{name}: {seconds} s, nothing found; {} inputs kept", fs::read_dir(found)?.count());
    Ok(())
}

/// The folder with `cargo-fuzz`, which is installed below `target/` if it is missing.
fn cargo_fuzz() -> Result<PathBuf, Failure> {
    let root = target("fuzz-tools");
    let tools = root.join("bin");
    if !tools.join("cargo-fuzz").exists() {
        let mut install = Command::new(env!("CARGO"));
        install.args(["install", "cargo-fuzz", "--locked", "--root"]).arg(&root);
        if !install.status()?.success() {
            return Err("cargo-fuzz cannot be installed".into());
        }
    }
    Ok(tools.canonicalize()?)
}
