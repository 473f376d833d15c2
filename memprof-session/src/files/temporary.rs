//! Files that replace another file when they are complete.

use super::own_file::OwnFile;
use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// The temporary files that have not replaced another file yet.
static UNFINISHED: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

/// Removes the temporary files when the program ends before they are complete.
///
/// Removes nothing if another thread holds the list, because a wait could block the end of the
/// program.
#[cfg(unix)]
pub(crate) fn remove_unfinished() {
    if let Ok(unfinished) = UNFINISHED.try_lock() {
        for path in &*unfinished {
            let _ = fs::remove_file(path);
        }
    }
}

/// A new file next to another one. It is removed when dropped.
pub(super) struct Temporary {
    path: PathBuf,
    is_in_place: bool,
}

/// The number of random names to try. If all of them are taken, another user has created them on
/// purpose.
const TRIES: usize = 16;

impl Temporary {
    /// Creates the file for reading and appending.
    ///
    /// Its name cannot be predicted and links are not followed, because another user may have put a
    /// link in a shared folder.
    pub(super) fn beside(path: &Path) -> io::Result<(Self, OwnFile)> {
        let mut error = io::ErrorKind::AlreadyExists.into();
        for _ in 0..TRIES {
            let random = RandomState::new().hash_one(path);
            let mut name = path.as_os_str().to_owned();
            name.push(format!(".{random:016x}.tmp"));
            let path = PathBuf::from(name);
            let made = OpenOptions::new().read(true).append(true).create_new(true).open(&path);
            match made {
                Ok(file) => {
                    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner).push(path.clone());
                    return Ok((Self { path, is_in_place: false }, OwnFile::new(file)));
                }
                Err(other) if other.kind() == io::ErrorKind::AlreadyExists => error = other,
                Err(other) => return Err(other),
            }
        }
        Err(error)
    }

    /// Renames the file to `path`. A file or a link at `path` is replaced.
    pub(super) fn replace(mut self, path: &Path) -> io::Result<()> {
        fs::rename(&self.path, path)?;
        self.is_in_place = true;
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if !self.is_in_place {
            let _ = fs::remove_file(&self.path);
        }
        let mut unfinished = UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner);
        unfinished.retain(|path| *path != self.path);
    }
}
