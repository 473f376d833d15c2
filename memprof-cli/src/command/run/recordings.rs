//! The recordings that appear in a folder while a program runs.

use crate::input::{self, Source};
use crate::output::{OutputError, Target};
use memprof_session::Recording;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

/// A recording and its file.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) recording: Recording,
}

/// Creates the folder if it is missing, and returns an error if no file can be written there.
pub(super) fn check_folder(folder: &Path) -> Result<(), OutputError> {
    let target = Target::File(folder.into());
    let probe = folder.join(format!(".memprof-{}", std::process::id()));
    let written = fs::create_dir_all(folder).and_then(|()| fs::write(&probe, ""));
    let _ = fs::remove_file(&probe);
    written.map_err(|error| OutputError::folder(&target, error))
}

/// Returns the names of the recordings in a folder, without their extensions.
pub(super) fn names(folder: &Path) -> BTreeSet<OsString> {
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

/// Returns the new recordings. The recording with the highest peak comes first. Prints a line about
/// each file that cannot be read.
pub(super) fn since(folder: &Path, before: &BTreeSet<OsString>) -> Vec<Found> {
    let mut found = Vec::new();
    for name in names(folder).difference(before) {
        let path = path(folder, name);
        match input::recording(&Source::File(path.clone())) {
            Ok(recording) => found.push(Found { path, recording }),
            // A file of a program that was killed before its first snapshot may be empty.
            Err(error) => {
                let _ = writeln!(std::io::stderr(), "memprof: {error}");
            }
        }
    }
    found.sort_by_key(|found| Reverse(peak_bytes(&found.recording)));
    found
}

/// Returns the path of a recording: the document, or the timeline of a program that was killed.
fn path(folder: &Path, name: &OsString) -> PathBuf {
    // `./name` reads worse than `name`.
    let folder = if folder == Path::new(".") { Path::new("") } else { folder };
    let document = folder.join(name).with_added_extension("json");
    if document.exists() { document } else { document.with_extension("jsonl") }
}

/// Returns the highest peak of the heap. An unknown peak is 0 here, so that it sorts last.
fn peak_bytes(recording: &Recording) -> u64 {
    let heaps = recording.snapshots.iter().filter_map(|snapshot| snapshot.heap);
    heaps.map(|heap| heap.peak_bytes).max().unwrap_or(0)
}
