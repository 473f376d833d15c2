//! The crates that users of some features compile, and the seconds for this.

use crate::{Failure, cost, target};
use std::collections::BTreeSet;
use std::fmt::Write;
use std::fs;
use std::path::Path;

/// Users, each with the features that they turn on.
const USERS: [(&str, &str); 3] =
    [("derive only", "derive"), ("`heap`", "derive,heap"), ("`full`", "full")];

/// Returns a table of the users, with seconds if `compile` is set.
pub(super) fn table(root: &Path, compile: bool) -> Result<String, Failure> {
    let mut table =
        String::from("| user of | crates | seconds | CPU seconds |\n|---|---:|---:|---:|\n");
    for (name, features) in USERS {
        let crates = crates(root, features)?;
        let seconds = if compile { build(root, features)? } else { "– | –".to_owned() };
        let _ = writeln!(table, "| {name} | {crates} | {seconds} |");
    }
    if compile {
        table.push_str("\nSeconds are those of one clean `cargo build` in the profile `dev`.\n");
    }
    Ok(table)
}

/// Returns the number of packages that cargo builds on this platform, including memprof's own.
fn crates(root: &Path, features: &str) -> Result<usize, Failure> {
    let mut cargo = crate::cargo();
    cargo.current_dir(root).args(["tree", "--locked", "--quiet", "--package", "memprof"]);
    cargo.args(["--no-default-features", "--features", features]);
    cargo.args(["--edges", "normal,build", "--prefix", "none", "--no-dedupe", "--format", "{p}"]);
    let output = cargo.output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let text = String::from_utf8(output.stdout)?;
    Ok(text.lines().collect::<BTreeSet<_>>().len())
}

/// Builds the facade into an empty folder. Returns the last columns of the table.
fn build(root: &Path, features: &str) -> Result<String, Failure> {
    let folder = std::path::absolute(target("shape"))?;
    if folder.exists() {
        fs::remove_dir_all(&folder)?;
    }
    let mut cargo = crate::cargo();
    cargo.current_dir(root).args(["build", "--locked", "--quiet", "--package", "memprof"]);
    cargo.args(["--lib", "--no-default-features", "--features", features, "--target-dir"]);
    let cost = cost::of(cargo.arg(&folder))?;
    fs::remove_dir_all(&folder)?;
    Ok(format!("{:.1} | {:.1}", cost.seconds, cost.cpu_seconds))
}
