//! The recordings that appear in a folder while a program runs.

use crate::escape::with_causes;
use crate::input::{self, Source};
use memprof_recording::Recording;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// A recording and its file.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) recording: Recording,
}

/// The names of the recordings that are in the folder before the program runs.
#[derive(Debug)]
pub(super) struct Before(BTreeSet<OsString>);

impl Before {
    pub(super) fn read(folder: &Path) -> Self {
        Self(names(folder))
    }

    /// Returns the new recordings of a run, the highest peak first. Prints a line about each new
    /// file that cannot be read.
    ///
    /// Leaves out recordings that other programs wrote to the folder at the same time.
    pub(super) fn new_recordings(&self, run: &str, folder: &Path) -> Vec<Found> {
        let mut new = Vec::new();
        for name in names(folder).difference(&self.0) {
            let path = path(folder, name);
            match input::recording(&Source::File(path.clone())) {
                Ok(recording) if is_of(&recording, run) => new.push(Found { path, recording }),
                Ok(_) => {}
                // A file of a program that was killed before its first snapshot may be empty.
                Err(error) => {
                    let _ = writeln!(io::stderr(), "memprof: {}", with_causes(&error));
                }
            }
        }
        new.sort_by_key(|found| Reverse(peak_bytes(&found.recording)));
        new
    }
}

/// Returns whether the recorded process was started in this run.
fn is_of(recording: &Recording, run: &str) -> bool {
    recording.metadata.run.iter().flat_map(|runs| runs.split(',')).any(|of| of == run)
}

/// Returns the names of the recordings in a folder, without their extensions.
fn names(folder: &Path) -> BTreeSet<OsString> {
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
