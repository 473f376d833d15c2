//! `cargo xtask page`: the checks of the page's scripts and their bundle, by npm.

use crate::tools::{has, output};
use crate::{Failure, workspace};
use std::fs;
use std::process::Command;

#[derive(Clone, Copy, Debug)]
pub(crate) struct Choices {
    /// `true` to change no file, and to fail if the bundle or the format differs.
    pub(crate) check: bool,
    pub(crate) skip_if_missing: bool,
}

pub(crate) fn run(choices: Choices) -> Result<(), Failure> {
    let mut npm = match npm() {
        Err(error) if choices.skip_if_missing => {
            println!("skipped: {error}");
            return Ok(());
        }
        npm => npm?,
    };
    let script = if choices.check { "check" } else { "build" };
    let status = npm.args(["run", "--silent", script]).status()?;
    if status.success() { Ok(()) } else { Err("a check of the page's scripts failed".into()) }
}

/// Installs the packages of the page's scripts if their list has changed, and returns npm.
pub(crate) fn npm() -> Result<Command, Failure> {
    if !has("npm") {
        return Err("npm is missing; the page's scripts need Node 20 or newer".into());
    }
    let folder = workspace().join("memprof-export/web");
    let npm = || {
        let mut npm = Command::new("npm");
        npm.current_dir(&folder);
        npm
    };
    let written = |file| fs::metadata(folder.join(file))?.modified();
    let wanted = written("package-lock.json")?;
    // npm writes this list last.
    if written("node_modules/.package-lock.json").is_ok_and(|installed| installed >= wanted) {
        return Ok(npm());
    }
    let quiet = ["--ignore-scripts", "--loglevel=error", "--no-audit", "--no-fund"];
    output(npm().arg("ci").args(quiet))
        .map_err(|error| format!("npm could not install the packages: {error}"))?;
    Ok(npm())
}
