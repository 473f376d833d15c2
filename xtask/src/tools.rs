//! Finds and installs the external programs that checks need.

use crate::{Failure, target};
use std::path::PathBuf;
use std::process::{Command, Stdio};

/// Runs a command without its output. Returns whether it could be run and succeeded.
pub(crate) fn succeeds(command: &mut Command) -> bool {
    let command = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

/// Returns whether a program answers `--version`.
pub(crate) fn has(program: &str) -> bool {
    succeeds(Command::new(program).arg("--version"))
}

pub(crate) fn has_nightly() -> bool {
    succeeds(Command::new("rustup").args(["run", "nightly", "rustc", "-V"]))
}

/// Returns whether nightly has a component, after installing it if necessary.
pub(crate) fn has_nightly_component(name: &str) -> bool {
    let add = ["component", "add", "--toolchain", "nightly", name];
    succeeds(Command::new("rustup").args(add))
}

/// Tries to install Debian packages. Callers test for the contents of the packages.
pub(crate) fn apt_install(packages: &[&str]) {
    let apt = |arguments: &[&str]| succeeds(Command::new("apt-get").args(arguments));
    apt(&["update", "--quiet"]);
    apt(&[&["install", "--quiet", "--yes", "--no-install-recommends"], packages].concat());
}

/// Returns the folder with a subcommand of cargo, which is installed below `target/` if it is
/// missing.
pub(crate) fn cargo_subcommand(name: &str) -> Result<PathBuf, Failure> {
    let root = target("tools");
    let folder = root.join("bin");
    if !folder.join(name).exists() {
        let mut install = Command::new(env!("CARGO"));
        install.args(["install", name, "--locked", "--root"]).arg(&root);
        if !install.status()?.success() {
            return Err(format!("{name} cannot be installed").into());
        }
    }
    Ok(folder.canonicalize()?)
}
