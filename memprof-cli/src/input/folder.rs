//! The recordings in a folder.

use super::error::{InputError, Problem};
use super::source::Source;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Returns the names of the recordings in a folder, without their extensions.
pub(crate) fn names(folder: &Path) -> BTreeSet<OsString> {
    let entries = fs::read_dir(folder).into_iter().flatten().flatten();
    let paths = entries.map(|entry| PathBuf::from(entry.file_name()));
    let is_recording = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str());
        matches!(extension, Some("json" | "jsonl"))
            && path.to_string_lossy().starts_with("memory_profile_")
    };
    let stems = paths.filter(is_recording).map(|path| path.file_stem().unwrap_or_default().into());
    stems.collect()
}

pub(super) fn check(folder: &Path) -> Result<(), Problem> {
    match fs::read_dir(folder) {
        Ok(_) => Ok(()),
        Err(error) if error.kind() == io::ErrorKind::NotFound => Err(Problem::NoFolder),
        Err(_) if folder.is_file() => Err(Problem::NotFolder),
        Err(error) => Err(Problem::Io(error)),
    }
}

/// Returns the path of a recording: the document, or the timeline of a program that was killed.
pub(crate) fn path(folder: &Path, name: &OsStr) -> PathBuf {
    // `./name` reads worse than `name`.
    let folder = if folder == Path::new(".") { Path::new("") } else { folder };
    let document = folder.join(name).with_added_extension("json");
    if document.exists() { document } else { document.with_extension("jsonl") }
}

impl Source {
    /// Returns the newest recording of a folder, and prints its path on standard error. Returns any
    /// other source unchanged.
    pub(crate) fn newest(&self) -> Result<Self, InputError> {
        let (Self::File(folder), selector) = self.split() else { return Ok(self.clone()) };
        if !folder.is_dir() {
            return Ok(self.clone());
        }
        let changed = |path: &PathBuf| path.metadata().and_then(|of| of.modified()).ok();
        let paths = names(&folder).into_iter().map(|name| path(&folder, &name));
        // Names contain the time at which the session began.
        let newest = paths.max_by_key(|path| (changed(path), path.clone()));
        let newest = newest.ok_or_else(|| InputError::new(self, Problem::NoRecordings))?;
        // Ignore a failure, because there is no other place to report that standard error is closed.
        let name = Self::File(newest.clone());
        let _ = writeln!(io::stderr(), "memprof: the newest recording is {name}");
        let mut file = newest.into_os_string();
        if let Some(selector) = selector {
            file.push(format!("@{selector}"));
        }
        Ok(Self::File(file.into()))
    }
}
