//! Sessions to export: one made up of hostile names and calls that overlap, and a real one.

use super::programs::output;
use crate::{Failure, workspace};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Copies of both in a folder, with their names.
pub(super) fn recordings(folder: &Path) -> Result<[(&'static str, PathBuf); 2], Failure> {
    let hostile = folder.join("hostile.json");
    fs::copy(workspace().join("memprof-report/tests/data/hostile.json"), &hostile)?;
    let real = folder.join("source_index.json");
    fs::copy(source_index(folder)?, &real)?;
    Ok([("hostile", hostile), ("source_index", real)])
}

/// What the example writes of its own sources.
fn source_index(folder: &Path) -> Result<PathBuf, Failure> {
    let reports = folder.join("source_index");
    let _ = fs::remove_dir_all(&reports);
    fs::create_dir_all(&reports)?;
    output(
        Command::new(env!("CARGO"))
            .args(["run", "--quiet", "--example", "source_index", "--", "--output-dir"])
            .args([&reports, &workspace().join("memprof-core/src")])
            .current_dir(workspace()),
    )?;
    let is_report = |path: &PathBuf| path.extension().is_some_and(|ending| ending == "json");
    let mut files = fs::read_dir(&reports)?.filter_map(|entry| Some(entry.ok()?.path()));
    files.find(is_report).ok_or_else(|| "source_index wrote no report".into())
}
