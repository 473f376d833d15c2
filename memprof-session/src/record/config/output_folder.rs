//! The folder that files go to: there, and writable, before a session begins.
//!
//! A program that finds out at its end that nothing can be written has run for nothing.

use super::error::{ConfigError, Origin};
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::process;
use std::sync::atomic::{AtomicU32, Ordering::Relaxed};

/// The absolute path of the folder, made if it was not there. It stays right when the program
/// changes its current folder.
pub(super) fn prepare(folder: &Path, named_by: Origin) -> Result<PathBuf, ConfigError> {
    let absolute = match std::path::absolute(folder) {
        Ok(absolute) => absolute,
        Err(error) => return Err(ConfigError::output_folder(named_by, folder, "find", error)),
    };
    let made = fs::create_dir_all(&absolute).map_err(|error| ("create the folder", error));
    let tried =
        made.and_then(|()| try_to_write(&absolute).map_err(|error| ("write to the folder", error)));
    match tried {
        Ok(()) => Ok(absolute),
        Err((attempt, error)) => {
            Err(ConfigError::output_folder(named_by, &absolute, attempt, error))
        }
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
