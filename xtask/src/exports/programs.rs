//! The programs that read what memprof wrote, installed where they may be; and memprof itself.

use crate::tools::{apt_install, succeeds};
use crate::{Failure, target};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// A drawing of fewer bytes is blank.
const LEAST_PICTURE: u64 = 4096;

/// What a program prints, if it ends well.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        // Some compilers report what is wrong to standard output.
        let said = [&output.stdout[..], &output.stderr].concat();
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&said)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The command `memprof` with these arguments; what it prints.
pub(crate) fn memprof(arguments: &[&OsStr]) -> Result<String, Failure> {
    output(
        crate::cargo().args(["run", "--quiet", "--package", "memprof-cli", "--"]).args(arguments),
    )
}

/// Writes a file, or a snapshot of it, in another format.
pub(crate) fn export(file: &Path, format: &str, target: &Path) -> Result<(), Failure> {
    let to = ["export", "--to", format, "--force", "-o"].map(OsStr::new);
    memprof(&[&to[..], &[target.as_os_str(), file.as_os_str()]].concat()).map(drop)
}

/// A Python that has these packages, in an environment of their own: what one asks of a third, another
/// may not bear.
pub(crate) fn python(packages: &[&str]) -> Result<PathBuf, Failure> {
    let environment = target("exports").join("python").join(packages.join("+"));
    let python = environment.join("bin/python");
    if !python.exists() {
        fs::create_dir_all(&environment)?;
        output(Command::new("python3").args(["-m", "venv"]).arg(&environment))?;
    }
    let mut install = Command::new(&python);
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]);
    output(install.args(packages))?;
    Ok(python)
}

/// The browser's whole path, which those who drive it want; on Debian it is installed if it may be.
pub(crate) fn chromium() -> Result<PathBuf, Failure> {
    let path = || ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(found);
    if let Some(path) = path() {
        return Ok(path);
    }
    apt_install(&["chromium", "fonts-liberation"]);
    path().ok_or_else(|| "Chromium is missing and could not be installed".into())
}

/// Where the command of that name is.
fn found(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Go, which brings `go tool pprof`; on Debian it is installed if it may be.
pub(crate) fn go() -> Result<&'static str, Failure> {
    let is_there = || succeeds(Command::new("go").arg("version"));
    if !is_there() {
        apt_install(&["golang-go"]);
    }
    if is_there() { Ok("go") } else { Err("Go is missing and could not be installed".into()) }
}

/// A picture of what a browser shows of a file, in a window of `size`: `1200,400`.
pub(crate) fn draw(
    chromium: &Path,
    file: &Path,
    picture: &Path,
    size: &str,
) -> Result<(), Failure> {
    let _ = fs::remove_file(picture);
    output(
        Command::new(chromium)
            .args(["--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars"])
            .arg(format!("--window-size={size}"))
            .arg(format!("--screenshot={}", picture.display()))
            .arg(format!("file://{}", file.display())),
    )?;
    if fs::metadata(picture)?.len() < LEAST_PICTURE {
        return Err(format!("{} is blank", picture.display()).into());
    }
    Ok(())
}
