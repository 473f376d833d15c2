//! A file, a folder or standard input as named on the command line, with an optional snapshot.

use crate::failure::Failure;
use crate::output::shown_path;
use crate::terminal::escaped;
use core::fmt;
use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

pub(super) const NO_RECORDINGS: &str = "no recording (`memory_profile_….json` or `.jsonl`) in this \
                                        folder; create one with `memprof run`, or specify a file";

/// The standard input or the file from which a profile or a recording is read.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Standard,
    File(PathBuf),
}

impl From<OsString> for Source {
    fn from(name: OsString) -> Self {
        if name == "-" { Self::Standard } else { Self::File(name.into()) }
    }
}

/// Writes the name in a form that is safe to print on a terminal.
impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => out.write_str("standard input"),
            Self::File(path) => out.write_str(&shown_path(path)),
        }
    }
}

impl Source {
    pub(crate) fn file_name(&self) -> String {
        match self {
            Self::File(path) => path
                .file_name()
                .map_or_else(|| self.to_string(), |name| escaped(&name.to_string_lossy())),
            Self::Standard => self.to_string(),
        }
    }

    /// Prints the path of the recording on standard error. Returns any other source unchanged.
    pub(crate) fn newest(&self) -> Result<Self, Failure> {
        let (Self::File(folder), selector) = self.split() else { return Ok(self.clone()) };
        if !folder.is_dir() {
            return Ok(self.clone());
        }
        let changed = |path: &PathBuf| path.metadata().and_then(|of| of.modified()).ok();
        let paths = recordings_in(&folder).into_iter().map(|name| recording_path(&folder, &name));
        // Names contain the time at which the session began.
        let newest = paths.max_by_key(|path| (changed(path), path.clone()));
        let newest = newest.ok_or_else(|| Failure::of(self, NO_RECORDINGS))?;
        // Ignore a failure, because there is no other place to report that standard error is closed.
        let name = Self::File(newest.clone());
        let _ = writeln!(io::stderr(), "memprof: the newest recording is {name}");
        let mut file = newest.into_os_string();
        if let Some(selector) = selector {
            file.push(format!("@{selector}"));
        }
        Ok(Self::File(file.into()))
    }

    /// Splits off the word after `@`. If a file with the whole name exists, there is no word.
    pub(super) fn split(&self) -> (Self, Option<&str>) {
        let Self::File(path) = self else { return (self.clone(), None) };
        let exists = |path: &Path| path.symlink_metadata().is_ok();
        if exists(path) {
            return (self.clone(), None);
        }
        // A checkpoint's name may also contain `@`.
        let found = splits(path.as_os_str()).into_iter().rfind(|(path, _)| exists(path));
        found.map_or_else(
            || (self.clone(), None),
            |(path, selector)| (Self::File(path.into()), Some(selector)),
        )
    }
}

/// On Unix, the name of a file need not be UTF-8, but the text after `@` must be.
#[cfg(unix)]
fn splits(name: &OsStr) -> Vec<(&Path, &str)> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = name.as_bytes();
    let at = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'@').map(|(at, _)| at);
    let parts = at.map(|at| (&bytes[..at], str::from_utf8(&bytes[at + 1..])));
    let parts =
        parts.filter_map(|(path, word)| Some((Path::new(OsStr::from_bytes(path)), word.ok()?)));
    parts.collect()
}

#[cfg(not(unix))]
fn splits(name: &OsStr) -> Vec<(&Path, &str)> {
    let name = name.to_str().unwrap_or_default();
    name.match_indices('@').map(|(at, _)| (Path::new(&name[..at]), &name[at + 1..])).collect()
}

/// Returns the names of the recordings in a folder, without their extensions.
pub(crate) fn recordings_in(folder: &Path) -> BTreeSet<OsString> {
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

/// Returns the path of a recording: the document, or the timeline of a program that was killed.
pub(crate) fn recording_path(folder: &Path, name: &OsStr) -> PathBuf {
    // `./name` reads worse than `name`.
    let folder = if folder == Path::new(".") { Path::new("") } else { folder };
    let document = folder.join(name).with_added_extension("json");
    if document.exists() { document } else { document.with_extension("jsonl") }
}
