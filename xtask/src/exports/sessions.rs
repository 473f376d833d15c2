//! Sessions to export: one with hostile names and overlapping calls, and a real one.

use super::recordings::source_index;
use crate::{Failure, workspace};
use std::fs;
use std::path::{Path, PathBuf};

/// Copies both sessions into a folder. Returns their names and paths.
pub(super) fn sessions(folder: &Path) -> Result<[(&'static str, PathBuf); 2], Failure> {
    let hostile = folder.join("hostile.json");
    fs::copy(workspace().join("memprof-export/tests/data/hostile.json"), &hostile)?;
    let real = folder.join("source_index.json");
    fs::copy(source_index(&folder.join("recorded"))?, &real)?;
    Ok([("hostile", hostile), ("source_index", real)])
}
