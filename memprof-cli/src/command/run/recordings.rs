//! The recordings of a run: the variables that make a session record, and the files that appear in
//! the folder while the program runs.

use super::RunArguments;
use crate::input::{self, Source, recording_path, recordings_in};
use clap::ValueEnum;
use memprof_recording::Recording;
use memprof_recording::document::Metadata;
use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::env;
use std::ffi::OsString;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// A session's default interval is 1 s at first, but grows to 5 s.
const INTERVAL: &str = "1s";

pub(super) fn folder(arguments: &RunArguments) -> PathBuf {
    let named = arguments.output_dir.clone();
    let set = || env::var_os("MEMPROF_OUTPUT_DIR").filter(|folder| !folder.is_empty());
    named.or_else(|| set().map(PathBuf::from)).unwrap_or_else(|| ".".into())
}

/// Returns an identifier of this run, which the recordings of its processes contain.
pub(super) fn new_run() -> String {
    let since = SystemTime::UNIX_EPOCH.elapsed().unwrap_or_default();
    format!("{}-{}", std::process::id(), since.as_nanos())
}

/// The program inherits all other variables from this process.
pub(super) fn variables(
    arguments: &RunArguments,
    folder: &Path,
    run: &str,
) -> Vec<(&'static str, OsString)> {
    // Pass an absolute path: the program or its launcher may change the current directory.
    let folder = std::path::absolute(folder).unwrap_or_else(|_| folder.into());
    let mut variables = vec![("MEMPROF", "1".into()), ("MEMPROF_OUTPUT_DIR", folder.into())];
    // The program of another `memprof run` belongs to both runs.
    let outer = env::var(Metadata::RUN).ok().filter(|outer| !outer.is_empty());
    let runs = outer.map_or_else(|| run.to_owned(), |outer| format!("{outer},{run}"));
    variables.push((Metadata::RUN, runs.into()));
    let interval = arguments.interval.map(|time| humantime::format_duration(time).to_string());
    match interval {
        Some(interval) => variables.push(("MEMPROF_INTERVAL", interval.replace(' ', "").into())),
        None if env::var_os("MEMPROF_INTERVAL").is_none() => {
            variables.push(("MEMPROF_INTERVAL", INTERVAL.into()));
        }
        None => {}
    }
    let level = arguments.level.and_then(|level| level.to_possible_value());
    variables.extend(level.map(|level| ("MEMPROF_LEVEL", level.get_name().into())));
    variables
}

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

    /// Leaves out recordings of other programs, and prints a line about each unreadable new file.
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

fn is_of(recording: &Recording, run: &str) -> bool {
    recording.metadata.run.iter().flat_map(|runs| runs.split(',')).any(|of| of == run)
}

/// Returns the highest peak of the heap. An unknown peak is 0 here, so that it sorts last.
fn peak_bytes(recording: &Recording) -> u64 {
    let heaps = recording.snapshots.iter().filter_map(|snapshot| snapshot.heap);
    heaps.map(|heap| heap.peak_bytes).max().unwrap_or(0)
}
