//! What needs the compiler alone: types, lints, and which packages a platform brings in.

use super::{Outcome, Platform};
use crate::{Failure, target, workspace};
use std::path::Path;
use std::process::{Command, Stdio};

/// Makes sure that the compiler has std for this platform, with rustup where it may.
pub(super) fn install(platform: &str) -> Result<(), String> {
    if has_std(platform) {
        return Ok(());
    }
    let mut rustup = Command::new("rustup");
    let rustup = rustup.args(["target", "add", platform]).current_dir(workspace());
    let output = rustup.output().map_err(|error| format!("rustup cannot be run: {error}"))?;
    if output.status.success() && has_std(platform) {
        return Ok(());
    }
    let text = String::from_utf8_lossy(&output.stderr);
    let last = text.lines().rfind(|line| !line.trim().is_empty()).unwrap_or("no reason given");
    Err(format!("rustup could not install std for it: {last}"))
}

fn has_std(platform: &str) -> bool {
    let mut rustc = Command::new("rustc");
    rustc.args(["--print", "target-libdir", "--target", platform]);
    let Ok(output) = rustc.current_dir(workspace()).output() else { return false };
    output.status.success() && Path::new(String::from_utf8_lossy(&output.stdout).trim()).is_dir()
}

/// Checks types and lints of every package, tests included.
pub(super) fn types(platform: &Platform) -> Result<Outcome, Failure> {
    let mut cargo = cargo("clippy", platform.target);
    cargo.args(["--workspace", "--all-targets"]);
    cargo.args(["--features", "memprof/full,memprof-third-party/all"]);
    cargo.args(platform.excluded.iter().flat_map(|package| ["--exclude", package]));
    // Nothing is linked, so C code of dependencies need not be compiled.
    let underscored = platform.target.replace('-', "_");
    cargo.env(format!("CC_{underscored}"), "true").env(format!("AR_{underscored}"), "true");
    let passed = cargo.args(["--", "-D", "warnings"]).status()?.success();
    Ok(if passed {
        Outcome::Passed(match platform.excluded {
            [] => "type-checked".to_owned(),
            excluded => format!("type-checked, without {}", excluded.join(" ")),
        })
    } else {
        Outcome::Failed("cargo clippy".to_owned())
    })
}

/// Compares the packages that a user compiles on the platform with the promised ones.
pub(super) fn dependencies(platform: &str) -> Result<Outcome, Failure> {
    let mut fetch = Command::new(env!("CARGO"));
    fetch.current_dir(workspace()).args(["fetch", "--locked", "--quiet"]);
    if !fetch.stdin(Stdio::null()).status()?.success() {
        return Ok(Outcome::Skipped("its packages could not be downloaded".to_owned()));
    }
    let mut test = Command::new(env!("CARGO"));
    test.current_dir(workspace()).args(["test", "--locked", "--quiet", "--package", "memprof"]);
    test.args(["--test", "all", "floor::"]).env("MEMPROF_FLOOR_TARGET", platform);
    Ok(if test.status()?.success() {
        Outcome::Passed("brings in only the promised packages".to_owned())
    } else {
        Outcome::Failed("cargo test --test all floor".to_owned())
    })
}

/// A command of cargo for the platform, in a folder of its own: what is checked and what is tested
/// would otherwise be compiled again and again.
pub(super) fn cargo(command: &str, platform: &str) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(workspace()).args([command, "--locked", "--target", platform]);
    cargo.arg("--target-dir").arg(target("platforms"));
    cargo
}
