//! Checks that need only the compiler: types, lints, and the dependencies on a platform.

use super::{Outcome, Platform};
use crate::{Failure, target, workspace};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{fs, io};

/// Makes sure that the compiler has std for this platform. Uses rustup if that is possible.
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

/// The features that [`types`] checks, without candle, which compiles for minutes.
pub(super) const FEATURES: &str = "those of `memprof/full`, and of each supported crate but candle; \
    then `memprof-session` without `heap`";

/// Checks types and lints of every package, including tests.
pub(super) fn types(platform: &Platform) -> Result<Vec<Outcome>, Failure> {
    let every = ["--workspace", "--features", "memprof/full,memprof-third-party/all"];
    let excluded = platform.excluded.iter().flat_map(|package| ["--exclude", package]);
    let every: Vec<_> = every.into_iter().chain(excluded).collect();
    let name = match platform.excluded {
        [] => "all packages".to_owned(),
        excluded => format!("all packages but {}", excluded.join(" ")),
    };
    let session = ["--package", "memprof-session"];
    Ok(vec![
        lints(platform.target, &every, &name)?,
        lints(platform.target, &session, "memprof-session without heap")?,
    ])
}

fn lints(platform: &str, packages: &[&str], name: &str) -> Result<Outcome, Failure> {
    let mut cargo = cargo("clippy", platform, "platforms");
    cargo.arg("--all-targets").args(packages);
    // Nothing is linked, so the C code of dependencies need not be compiled.
    let underscored = platform.replace('-', "_");
    cargo.env(format!("CC_{underscored}"), "true");
    cargo.env(format!("AR_{underscored}"), archiver()?);
    let passed = cargo.args(["--", "-D", "warnings"]).status()?.success();
    Ok(if passed {
        Outcome::Passed(format!("types and lints of {name}"))
    } else {
        Outcome::Failed(format!("types and lints of {name}"))
    })
}

/// Returns a program that creates empty archives, because builds for Windows check that the
/// archives exist.
fn archiver() -> io::Result<PathBuf> {
    use std::os::unix::fs::PermissionsExt;
    const SCRIPT: &str =
        "#!/bin/sh\nfor word; do case $word in -out:*) : > \"${word#-out:}\";; esac; done\n";
    let folder = target("platforms");
    fs::create_dir_all(&folder)?;
    let path = folder.join("archiver");
    if fs::read_to_string(&path).is_ok_and(|now| now == SCRIPT) {
        return std::path::absolute(path);
    }
    fs::write(&path, SCRIPT)?;
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
    std::path::absolute(path)
}

/// Compares the packages that a user compiles on the platform with the promised ones.
pub(super) fn dependencies(platform: &str) -> Result<Outcome, Failure> {
    let mut fetch = crate::cargo();
    fetch.args(["fetch", "--locked", "--quiet"]);
    if !fetch.stdin(Stdio::null()).status()?.success() {
        return Ok(Outcome::Skipped("its packages could not be downloaded".to_owned()));
    }
    let mut test = crate::cargo();
    test.args(["test", "--locked", "--quiet", "--package", "memprof"]);
    test.args(["--test", "all", "floor::"]).env("MEMPROF_FLOOR_TARGET", platform);
    Ok(if test.status()?.success() {
        Outcome::Passed("brings in only the promised packages".to_owned())
    } else {
        Outcome::Failed("cargo test --test all floor".to_owned())
    })
}

/// Returns a cargo command for the platform, with its own target folder. In a common folder, checks
/// and tests would replace each other's results.
pub(super) fn cargo(command: &str, platform: &str, folder: &str) -> Command {
    let mut cargo = crate::cargo();
    cargo.args([command, "--locked", "--target", platform]);
    cargo.arg("--target-dir").arg(target(folder));
    cargo
}
