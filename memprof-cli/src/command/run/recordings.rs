//! The recordings that appear in a folder while a program runs.

use crate::input::{self, Source, recording_path, recordings_in};
use memprof_recording::Recording;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

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
        Self(recordings_in(folder))
    }

    /// Leaves out recordings that other programs wrote to the folder at the same time. Prints a
    /// line about each new file that cannot be read.
    pub(super) fn new_recordings(&self, run: &str, folder: &Path) -> Vec<Found> {
        let mut new = Vec::new();
        for name in recordings_in(folder).difference(&self.0) {
            let path = recording_path(folder, name);
            match input::recording(&Source::File(path.clone())) {
                Ok(recording) if is_of(&recording, run) => new.push(Found { path, recording }),
                Ok(_) => {}
                // A file of a program that was killed before its first snapshot may be empty.
                Err(failure) => {
                    let _ = writeln!(io::stderr(), "memprof: {}", failure.lines().join("; "));
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

/// Returns the highest peak of the heap. An unknown peak is 0 here, so that it sorts last.
fn peak_bytes(recording: &Recording) -> u64 {
    let heaps = recording.snapshots.iter().filter_map(|snapshot| snapshot.heap);
    heaps.map(|heap| heap.peak_bytes).max().unwrap_or(0)
}
