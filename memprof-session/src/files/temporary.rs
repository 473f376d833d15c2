//! Files that replace another file when they are complete.

use super::own_file::OwnFile;
use core::ptr;
use core::sync::atomic::{AtomicPtr, Ordering};
use std::fs::{self, OpenOptions};
use std::hash::{BuildHasher, RandomState};
use std::io;
use std::path::{Path, PathBuf};

/// The temporary file that has not replaced another file yet; null without one.
///
/// It is no lock: the session's thread could hold the lock while another thread forks, and then the
/// child's own session would wait for it forever. A session writes one temporary file at a time.
static UNFINISHED: AtomicPtr<Unfinished> = AtomicPtr::new(ptr::null_mut());

/// A temporary file and the process that writes it. A forked child leaves its parent's file alone.
struct Unfinished {
    pid: u32,
    path: PathBuf,
}

/// Removes the temporary file when the program ends before it is complete.
#[cfg(unix)]
pub(crate) fn remove_unfinished() {
    if let Some(unfinished) = note(None)
        && unfinished.pid == std::process::id()
    {
        let _ = fs::remove_file(&unfinished.path);
    }
}

/// Replaces the noted file, and returns the one before.
#[expect(unsafe_code, reason = "takes a box out of an atomic pointer")]
fn note(unfinished: Option<Unfinished>) -> Option<Box<Unfinished>> {
    let new = unfinished.map_or(ptr::null_mut(), |file| Box::into_raw(Box::new(file)));
    let before = UNFINISHED.swap(new, Ordering::AcqRel);
    // SAFETY: a pointer that is not null is from `Box::into_raw`, and the swap returns it only once.
    (!before.is_null()).then(|| unsafe { Box::from_raw(before) })
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
                    drop(note(Some(Unfinished { pid: std::process::id(), path: path.clone() })));
                    return Ok((Self { path, is_in_place: false }, OwnFile::new(file)));
                }
                Err(other) if other.kind() == io::ErrorKind::AlreadyExists => error = other,
                Err(other) => return Err(other),
            }
        }
        Err(error)
    }

    /// Renames the file to `path` after its content is on the disk. A file or a link at `path` is
    /// replaced.
    ///
    /// After a power failure, `path` is the old file or the new one, never an empty one.
    pub(super) fn replace(mut self, file: &OwnFile, path: &Path) -> io::Result<()> {
        file.get()?.sync_all()?;
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
        drop(note(None));
    }
}

/// Writes the names of the files in a folder to the disk, so that they survive a power failure.
pub(super) fn sync_folder_of(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    if let Some(folder) = path.parent() {
        fs::File::open(folder)?.sync_all()?;
    }
    #[cfg(not(unix))]
    let _ = path;
    Ok(())
}
