//! Finds the sources below some folders.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Returns the Rust sources below the folders, sorted by path. Leaves out inner folders that cannot
/// be read.
#[memprof::track]
pub(crate) fn below(folders: &[PathBuf]) -> io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for folder in folders {
        // A folder of the command line must exist.
        fs::read_dir(folder)?;
        collect(folder, &mut files);
    }
    files.sort();
    Ok(files)
}

fn collect(folder: &Path, files: &mut Vec<PathBuf>) {
    let Ok(entries) = fs::read_dir(folder) else { return };
    for entry in entries.flatten() {
        let path = entry.path();
        let Ok(kind) = entry.file_type() else { continue };
        let hidden = entry.file_name().to_string_lossy().starts_with('.');
        if kind.is_dir() && !hidden && entry.file_name() != "target" {
            collect(&path, files);
        } else if kind.is_file() && path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}
