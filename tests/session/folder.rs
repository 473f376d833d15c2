//! A folder for the files of a test, and the recordings in it.

use memprof::session::Recording;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// A folder that is removed with its files.
pub(crate) struct Folder(PathBuf);

impl Folder {
    pub(crate) fn new() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let (pid, number) = (std::process::id(), NUMBER.fetch_add(1, Relaxed));
        let folder = std::env::temp_dir().join(format!("memprof-session-{pid}-{number}"));
        fs::create_dir_all(&folder).expect("the folder for temporary files can be written");
        Self(folder)
    }

    pub(crate) fn path(&self) -> &Path {
        &self.0
    }

    /// Returns the files with an ending, sorted by name.
    pub(crate) fn with_ending(&self, ending: &str) -> Vec<PathBuf> {
        let entries = fs::read_dir(&self.0).into_iter().flatten().flatten();
        let paths = entries.map(|entry| entry.path());
        let mut paths: Vec<_> =
            paths.filter(|path| path.extension().is_some_and(|is| is == ending)).collect();
        paths.sort();
        paths
    }

    /// Reads the only timeline.
    pub(crate) fn timeline(&self) -> Recording {
        let paths = self.with_ending("jsonl");
        let [path] = &paths[..] else { panic!("one timeline, and not {paths:?}") };
        Recording::read_file(path).expect("a timeline can be read whatever came of its program")
    }

    /// Reads the only document.
    pub(crate) fn recording(&self) -> Recording {
        let paths = self.with_ending("json");
        let [path] = &paths[..] else { panic!("one document, and not {paths:?}") };
        Recording::read_file(path).expect("a document is whole or not there")
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
