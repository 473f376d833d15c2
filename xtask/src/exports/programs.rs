//! The programs that read exports, which are installed if possible, and memprof's own command.

use crate::tools::{apt_install, succeeds};
use crate::{Failure, target};
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The smallest size of a picture in bytes; a smaller one is blank.
const MIN_PICTURE_BYTES: u64 = 4096;

/// Runs a program. Returns its output, or an error if the program fails.
pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        // Some compilers print errors to standard output.
        let text = [&output.stdout[..], &output.stderr].concat();
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&text)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// Runs the command `memprof` with these arguments. Returns its output.
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

/// Returns a Python with these packages, in an environment of their own. Two packages may require
/// different versions of a third one.
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

/// Returns the absolute path of the browser, which its drivers need. Tries to install it on Debian.
pub(crate) fn chromium() -> Result<PathBuf, Failure> {
    let path = || ["chromium", "chromium-browser", "google-chrome"].into_iter().find_map(found);
    if let Some(path) = path() {
        return Ok(path);
    }
    apt_install(&["chromium", "fonts-liberation"]);
    path().ok_or_else(|| "Chromium is missing and could not be installed".into())
}

/// Returns the path of the command with this name.
fn found(name: &str) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    std::env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Returns Go, which includes `go tool pprof`. Tries to install it on Debian.
pub(crate) fn go() -> Result<&'static str, Failure> {
    let is_there = || succeeds(Command::new("go").arg("version"));
    if !is_there() {
        apt_install(&["golang-go"]);
    }
    if is_there() { Ok("go") } else { Err("Go is missing and could not be installed".into()) }
}

/// Renders a file in a browser and writes a screenshot to `picture`. `size` is the window's size,
/// such as `1200,400`. Returns an error if the screenshot is blank.
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
    if fs::metadata(picture)?.len() < MIN_PICTURE_BYTES {
        return Err(format!("{} is blank", picture.display()).into());
    }
    Ok(())
}
