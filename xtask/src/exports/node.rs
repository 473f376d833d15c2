//! Packages of Node, and the scripts that need them.

use super::programs::{chromium, output};
use crate::{Failure, target, workspace};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package that drives the browser.
pub(crate) const DRIVER: &str = "playwright-core@1.65.1";

/// Installs packages in a folder, which is created if it is missing. Returns its absolute path.
pub(crate) fn packages(folder: &Path, names: &[&str]) -> Result<PathBuf, Failure> {
    fs::create_dir_all(folder)?;
    let mut install = Command::new("npm");
    install.args(["install", "--loglevel=error", "--no-audit", "--no-fund", "--prefix"]);
    output(install.arg(folder).args(names))?;
    Ok(folder.canonicalize()?)
}

/// Returns the folder of the packages that read exports.
pub(super) fn readers(names: &[&str]) -> Result<PathBuf, Failure> {
    packages(&target("exports").join("node"), names)
}

/// Runs a script of this folder with the folder of its packages and these arguments. Returns its
/// output.
pub(super) fn node(names: &[&str], script: &str, arguments: &[&OsStr]) -> Result<String, Failure> {
    let script = workspace().join("xtask/src/exports").join(script);
    output(Command::new("node").arg(script).arg(readers(names)?).args(arguments))
}

/// Runs a script that opens the browser, with the browser's path before the other arguments.
pub(super) fn drive(script: &str, arguments: &[&OsStr]) -> Result<String, Failure> {
    let chromium = chromium()?;
    node(&[DRIVER], script, &[&[chromium.as_os_str()], arguments].concat())
}
