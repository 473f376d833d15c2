//! The folder that files go to: there, and writable, before the first snapshot.
//!
//! A program that finds out at its end that nothing can be written has run for nothing.

use super::error::{ConfigError, Origin};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The output folder, and who named it.
#[derive(Clone, Debug)]
pub(crate) struct OutputFolder {
    path: PathBuf,
    named_by: Origin,
}

impl OutputFolder {
    /// Makes the path absolute, so that it stays right when the program changes its current folder.
    pub(super) fn new(path: &Path, named_by: Origin) -> Self {
        // Only an empty path, or a current folder that is gone, has no absolute one.
        let path = std::path::absolute(path).unwrap_or_else(|_| path.to_owned());
        Self { path, named_by }
    }

    pub(super) fn path(&self) -> &Path {
        &self.path
    }

    /// Makes the folder if it is not there, and a file in it that is removed at once.
    ///
    /// Called on the session's thread: the disk may take long, or never answer.
    pub(crate) fn prepare(&self) -> Result<(), ConfigError> {
        let tried =
            fs::create_dir_all(&self.path).map_err(|error| ("create the folder", error)).and_then(
                |()| try_to_write(&self.path).map_err(|error| ("write to the folder", error)),
            );
        tried.map_err(|(attempt, error)| {
            ConfigError::output_folder(self.named_by.clone(), &self.path, attempt, error)
        })
    }
}

/// Sessions of one process may begin at once.
static ATTEMPTS: AtomicU32 = AtomicU32::new(0);

/// Files that a killed process of the same number may have left.
const LEFT_BEHIND: u32 = 16;

fn try_to_write(folder: &Path) -> io::Result<()> {
    let mut attempt = 0;
    let (path, file) = loop {
        let number = ATTEMPTS.fetch_add(1, Relaxed);
        let path = folder.join(format!(".memprof-{}-{number}.tmp", process::id()));
        match File::create_new(&path) {
            Ok(file) => break (path, file),
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists && attempt < LEFT_BEHIND => {
                attempt += 1;
            }
            Err(error) => return Err(error),
        }
    };
    // Nothing is written: under a limit on the size of files that would end the program.
    // Windows removes no file that is open.
    drop(file);
    fs::remove_file(&path)
}
