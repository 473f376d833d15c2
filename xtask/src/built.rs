//! Programs of the workspace, built by cargo before they run.

use crate::{Failure, target};
use std::path::PathBuf;

/// Optimises as for users, but without link-time optimisation.
pub(crate) fn source_index() -> Result<PathBuf, Failure> {
    let example = ["--profile", "bench", "--package", "memprof", "--example", "source_index"];
    built(&example, "release/examples/source_index")
}

/// Returns the absolute path of the program below the target folder.
pub(crate) fn built(arguments: &[&str], program: &str) -> Result<PathBuf, Failure> {
    let mut cargo = crate::cargo();
    cargo.args(["build", "--quiet"]).args(arguments);
    if !cargo.status()?.success() {
        return Err(format!("{program} does not build").into());
    }
    Ok(target(program).canonicalize()?)
}
