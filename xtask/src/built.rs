//! Programs of the workspace, built by cargo before they are run.

use crate::{Failure, target, workspace};
use std::path::PathBuf;
use std::process::Command;

/// The example that indexes sources and records itself, as users compile it: optimised, but without the
/// linker's last pass.
pub(crate) fn source_index() -> Result<PathBuf, Failure> {
    let example = ["--profile", "bench", "--package", "memprof", "--example", "source_index"];
    built(&example, "release/examples/source_index")
}

/// The whole path of what `cargo build` makes of these arguments, below the folder for what is built.
pub(crate) fn built(arguments: &[&str], program: &str) -> Result<PathBuf, Failure> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.current_dir(workspace()).args(["build", "--quiet"]).args(arguments);
    if !cargo.status()?.success() {
        return Err(format!("{program} does not build").into());
    }
    Ok(target(program).canonicalize()?)
}
