//! The recordings that appear in a folder while a program runs.

use crate::escape::with_causes;
use crate::input::{self, Source};
use memprof_session::Recording;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A recording and its file.
#[derive(Debug)]
pub(super) struct Found {
    pub(super) path: PathBuf,
    pub(super) recording: Recording,
}

/// The state before the program runs, by which its recordings are found later.
#[derive(Debug)]
pub(super) struct Before {
    names: BTreeSet<OsString>,
    at: SystemTime,
}

/// The recordings that are new since the program was started.
#[derive(Debug, Default)]
pub(super) struct NewRecordings {
    /// Those of the run, the highest peak first.
    pub(super) of_run: Vec<Found>,
    /// Those without the identifier of any run, whose sessions began after the program was started.
    pub(super) without_run: Vec<Found>,
}

impl Before {
    pub(super) fn read(folder: &Path) -> Self {
        Self { names: names(folder), at: SystemTime::now() }
    }

    /// Returns the new recordings of a run. Prints a line about each new file that cannot be read.
    pub(super) fn new_recordings(&self, run: &str, folder: &Path) -> NewRecordings {
        let mut new = NewRecordings::default();
        for name in names(folder).difference(&self.names) {
            let path = path(folder, name);
            match input::recording(&Source::File(path.clone())) {
                Ok(recording) => self.add(&mut new, Found { path, recording }, run),
                // A file of a program that was killed before its first snapshot may be empty.
                Err(error) => {
                    let _ = writeln!(io::stderr(), "memprof: {}", with_causes(&error));
                }
            }
        }
        new.of_run.sort_by_key(|found| Reverse(peak_bytes(&found.recording)));
        new
    }

    /// Adds a recording, unless another program wrote it: other programs may write to the folder
    /// too.
    fn add(&self, new: &mut NewRecordings, found: Found, run: &str) {
        let metadata = &found.recording.metadata;
        match &metadata.run {
            Some(runs) if runs.split(',').any(|of| of == run) => new.of_run.push(found),
            Some(_) => {}
            None => {
                let started = Duration::from_nanos(metadata.started_unix_ns);
                if started >= self.at.duration_since(UNIX_EPOCH).unwrap_or_default() {
                    new.without_run.push(found);
                }
            }
        }
    }
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
