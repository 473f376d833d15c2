//! Finds and installs the external programs that checks need.

use crate::{Failure, target, workspace};
use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// Runs a command without its output. Returns whether it could be run and succeeded.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

pub(crate) fn output(command: &mut Command) -> Result<String, Failure> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if !output.status.success() {
        // Some compilers print errors to standard output.
        let text = [&output.stdout[..], &output.stderr].concat();
        return Err(format!("{command:?}: {}", String::from_utf8_lossy(&text)).into());
    }
    Ok(String::from_utf8(output.stdout)?)
}

pub(crate) fn has(program: &str) -> bool {
    succeeds(Command::new(program).arg("--version"))
}

/// Returns whether a toolchain is there, after installing it if necessary.
pub(crate) fn has_toolchain(name: &str) -> bool {
    let install = ["toolchain", "install", name, "--profile", "minimal"];
    succeeds(Command::new("rustup").args(["run", name, "rustc", "-V"]))
        || succeeds(Command::new("rustup").args(install))
}

/// Tries to install Debian packages. Callers test whether the programs are there afterwards.
pub(crate) fn apt_install(packages: &[&str]) {
    let apt = |arguments: &[&str]| succeeds(Command::new("apt-get").args(arguments));
    apt(&["update", "--quiet"]);
    apt(&[&["install", "--quiet", "--yes", "--no-install-recommends"], packages].concat());
}

pub(crate) fn cargo_of(toolchain: &str) -> Command {
    let mut cargo = Command::new("rustup");
    cargo.current_dir(workspace()).args(["run", toolchain, "cargo"]);
    // Cargo sets these variables for this program, and they name another compiler.
    cargo.env_remove("RUSTC").env_remove("CARGO").env_remove("RUSTUP_TOOLCHAIN");
    cargo
}

/// Returns the cargo of a toolchain, which finds the subcommands in `tools`.
pub(crate) fn cargo_with(toolchain: &str, tools: &Path) -> Result<Command, Failure> {
    let path = env::var_os("PATH").unwrap_or_default();
    let path = env::join_paths([tools.to_owned()].into_iter().chain(env::split_paths(&path)))?;
    let mut cargo = cargo_of(toolchain);
    cargo.env("PATH", path);
    Ok(cargo)
}

/// Returns the folder with a subcommand of cargo, which is installed below `target/` if it is
/// missing. Without a version, the newest one is installed.
pub(crate) fn cargo_subcommand(name: &str, version: Option<&str>) -> Result<PathBuf, Failure> {
    let package = version.map_or(name.to_owned(), |version| format!("{name}@{version}"));
    // Each pinned version has a folder of its own, so a change of the pin installs the tool again.
    let root = target("tools").join(version.map_or("", |_| &package));
    let folder = root.join("bin");
    if !folder.join(name).exists() {
        let mut install = Command::new(env!("CARGO"));
        install.args(["install", &package, "--locked", "--root"]).arg(&root);
        if !install.status()?.success() {
            return Err(format!("{package} cannot be installed").into());
        }
    }
    Ok(folder.canonicalize()?)
}

/// Makes a virtual environment below `target/`, and returns its interpreter.
pub(crate) fn python_environment(name: &str, requirements: &str) -> Result<PathBuf, Failure> {
    let folder = std::path::absolute(target(name))?;
    let python = folder.join("bin/python");
    if !python.exists() {
        output(Command::new("python3").args(["-m", "venv"]).arg(&folder))?;
    }
    let mut install = Command::new(&python);
    install.args([
        "-m",
        "pip",
        "install",
        "--quiet",
        "--disable-pip-version-check",
        "--requirement",
    ]);
    output(install.arg(workspace().join(requirements)))?;
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

fn found(name: &str) -> Option<PathBuf> {
    let folders = env::var_os("PATH")?;
    env::split_paths(&folders).map(|folder| folder.join(name)).find(|path| path.is_file())
}
