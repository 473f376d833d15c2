//! Programs of the workspace, built by cargo before they are run.

use crate::{Failure, target};
use std::path::PathBuf;

/// The example that indexes sources and records itself, as users compile it: optimised, but without the
/// linker's last pass.
pub(crate) fn source_index() -> Result<PathBuf, Failure> {
    let example = ["--profile", "bench", "--package", "memprof", "--example", "source_index"];
    built(&example, "release/examples/source_index")
}

/// The whole path of what `cargo build` makes of these arguments, below the folder for what is built.
pub(crate) fn built(arguments: &[&str], program: &str) -> Result<PathBuf, Failure> {
    let mut cargo = crate::cargo();
    cargo.args(["build", "--quiet"]).args(arguments);
    if !cargo.status()?.success() {
        return Err(format!("{program} does not build").into());
    }
    Ok(target(program).canonicalize()?)
}
