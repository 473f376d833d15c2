//! A file or standard input as named on the command line, with an optional snapshot.

use crate::escape::escaped;
use core::fmt;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The standard input or the file from which a profile or a recording is read.
#[derive(Clone, Debug)]
pub(crate) enum Source {
    Standard,
    File(PathBuf),
}

impl From<std::ffi::OsString> for Source {
    fn from(name: std::ffi::OsString) -> Self {
        if name == "-" { Self::Standard } else { Self::File(name.into()) }
    }
}

/// Writes the name in a form that is safe to print on a terminal.
impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => out.write_str("standard input"),
            // The name is empty, for example because a variable of a script is not set.
            Self::File(path) if path.as_os_str().is_empty() => out.write_str("\"\""),
            Self::File(path) => out.write_str(&escaped(&path.to_string_lossy())),
        }
    }
}

impl Source {
    pub(crate) fn file_name(&self) -> String {
        match self {
            Self::File(path) => path
                .file_name()
                .map_or_else(|| self.to_string(), |name| escaped(&name.to_string_lossy())),
            Self::Standard => self.to_string(),
        }
    }

    /// Splits the argument into the file and the word after `@`. If a file with the whole name
    /// exists, there is no word.
    pub(super) fn split(&self) -> (Self, Option<&str>) {
        let Self::File(path) = self else { return (self.clone(), None) };
        let exists = |path: &Path| path.symlink_metadata().is_ok();
        if exists(path) {
            return (self.clone(), None);
        }
        // A checkpoint's name may also contain `@`.
        let found = splits(path.as_os_str()).into_iter().rfind(|(path, _)| exists(path));
        found.map_or_else(
            || (self.clone(), None),
            |(path, selector)| (Self::File(path.into()), Some(selector)),
        )
    }
}

/// On Unix, the name of a file need not be UTF-8, but the text after `@` must be.
#[cfg(unix)]
fn splits(name: &OsStr) -> Vec<(&Path, &str)> {
    use std::os::unix::ffi::OsStrExt;
    let bytes = name.as_bytes();
    let at = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'@').map(|(at, _)| at);
    let parts = at.map(|at| (&bytes[..at], str::from_utf8(&bytes[at + 1..])));
    let parts =
        parts.filter_map(|(path, word)| Some((Path::new(OsStr::from_bytes(path)), word.ok()?)));
    parts.collect()
}

#[cfg(not(unix))]
fn splits(name: &OsStr) -> Vec<(&Path, &str)> {
    let name = name.to_str().unwrap_or_default();
    name.match_indices('@').map(|(at, _)| (Path::new(&name[..at]), &name[at + 1..])).collect()
}
