//! Node's packages, and the programs that drive a browser by them.

use super::programs::{chromium, output};
use crate::{Failure, target};
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::process::Command;

/// What drives the browser.
const DRIVER: &str = "playwright-core@1.65.1";

/// Where packages are, after these were installed and the driver.
pub(super) fn packages(packages: &[&str]) -> Result<PathBuf, Failure> {
    let folder = target("exports").join("node");
    fs::create_dir_all(&folder)?;
    let mut install = Command::new("npm");
    install.args(["install", "--no-audit", "--no-fund", "--silent", DRIVER]).args(packages);
    output(install.current_dir(&folder))?;
    Ok(folder.canonicalize()?.join("node_modules"))
}

/// What a program prints that is given the driver, the browser and these arguments.
pub(super) fn drive(script: &str, arguments: &[&OsStr]) -> Result<String, Failure> {
    let driver = packages(&[])?.join("playwright-core");
    let browser = output(Command::new("which").arg(chromium()?))?;
    output(
        Command::new("node")
            .args(["-e", script, "--"])
            .args([driver.as_os_str(), browser.trim().as_ref()])
            .args(arguments),
    )
}
