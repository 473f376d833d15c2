//! A file whose descriptor the program may close: `closefrom` and daemons close all there are.
//!
//! A file that the program opens next has the same number. So the descriptor is compared with the
//! file before each use. If it is of another file by now, it is neither used nor closed.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// A file, as long as its descriptor is of it.
#[derive(Debug)]
pub(super) struct OwnFile {
    /// `None` only while it is dropped or replaced.
    file: Option<File>,
    identity: Option<Identity>,
}

#[cfg(unix)]
type Identity = crate::record::descriptor::Identity;
#[cfg(not(unix))]
type Identity = ();

#[cfg(unix)]
fn identity(file: &File) -> Option<Identity> {
    Identity::of_file(file)
}

/// Handles are not numbers that are given out again at once.
#[cfg(not(unix))]
#[expect(clippy::unnecessary_wraps, reason = "a descriptor of Unix may be closed")]
fn identity(_: &File) -> Option<Identity> {
    Some(())
}

impl OwnFile {
    pub(super) fn new(file: File) -> Self {
        Self { identity: identity(&file), file: Some(file) }
    }

    /// The file.
    ///
    /// # Errors
    /// If its descriptor was closed, or is of another file. Between this check and the use of the
    /// descriptor another thread may close it: no system has a call that does both.
    pub(super) fn get(&self) -> io::Result<&File> {
        let file = self.file.as_ref().filter(|file| {
            let now = identity(file);
            now.is_some() && now == self.identity
        });
        file.ok_or_else(|| io::Error::other("the program has closed the file"))
    }

    /// Opens the same file again, if it is still there, and leaves the old descriptor alone.
    pub(super) fn reopen(&mut self, path: &Path) -> io::Result<()> {
        let file = OpenOptions::new().read(true).append(true).open(path)?;
        if identity(&file) != self.identity {
            return Err(io::Error::other("the program has closed the file, and it was replaced"));
        }
        core::mem::forget(self.file.replace(file));
        Ok(())
    }
}

impl Drop for OwnFile {
    fn drop(&mut self) {
        if self.get().is_err() {
            core::mem::forget(self.file.take());
        }
    }
}
