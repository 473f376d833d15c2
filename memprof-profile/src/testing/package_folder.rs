//! Where the package is in which a macro was written.

use std::path::{Path, PathBuf};

/// The folder of the package's manifest: where it was when the macro was compiled, else, as tests
/// may run on another machine, where whoever runs the test says that it is, else the current one.
pub(crate) fn package_folder(compiled: Option<&str>) -> PathBuf {
    existing(compiled.map(Into::into), std::env::var_os("CARGO_MANIFEST_DIR").map(Into::into))
}

/// The first of the two that is there.
pub(crate) fn existing(compiled: Option<PathBuf>, running: Option<PathBuf>) -> PathBuf {
    let there = |folder: &PathBuf| folder.is_dir();
    compiled.filter(there).or(running.filter(there)).unwrap_or_else(|| Path::new(".").into())
}
