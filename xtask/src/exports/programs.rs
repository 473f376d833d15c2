//! The programs that read what memprof wrote, installed where they may be; and memprof itself.

use crate::{Failure, target, workspace};
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
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&output.stderr)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

/// The command `memprof` with these arguments; what it prints.
pub(crate) fn memprof(arguments: &[&OsStr]) -> Result<String, Failure> {
    output(
        Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--package", "memprof-cli", "--"])
            .args(arguments)
            .current_dir(workspace()),
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

/// What a script prints that Node runs, which may import these packages.
pub(crate) fn node(
    packages: &[&str],
    script: &str,
    arguments: &[&OsStr],
) -> Result<String, Failure> {
    let folder = target("exports").join("node");
    fs::create_dir_all(&folder)?;
    let mut install = Command::new("npm");
    install.args(["install", "--silent", "--no-fund", "--no-audit", "--prefix"]).arg(&folder);
    output(install.args(packages))?;
    output(
        Command::new("node")
            .args(["--input-type=module", "--eval", script, "--"])
            .args(arguments)
            .current_dir(folder),
    )
}

/// The browser; on Debian it is installed if it may be.
pub(crate) fn chromium() -> Result<&'static str, Failure> {
    for name in ["chromium", "chromium-browser", "google-chrome"] {
        if Command::new(name).arg("--version").output().is_ok() {
            return Ok(name);
        }
    }
    install("chromium")?;
    Ok("chromium")
}

/// Go, which brings `go tool pprof`; on Debian it is installed if it may be.
pub(crate) fn go() -> Result<&'static str, Failure> {
    if Command::new("go").arg("version").output().is_err() {
        install("golang-go")?;
    }
    Ok("go")
}

fn install(package: &str) -> Result<(), Failure> {
    output(Command::new("apt-get").args(["update", "--quiet"]))?;
    output(Command::new("apt-get").args(["install", "--quiet", "--yes", package])).map(drop)
}

/// A picture of what a browser shows of a file, in a window of `size`: `1200,400`.
pub(crate) fn draw(chromium: &str, file: &Path, picture: &Path, size: &str) -> Result<(), Failure> {
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
