//! What is named on a command line: a file or standard input, and perhaps a moment of it.

use crate::shown::shown;
use core::fmt;
use std::path::{Path, PathBuf};

/// Where a profile or a recording comes from.
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

/// The name of a file may be shown on a terminal.
impl fmt::Display for Source {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Standard => out.write_str("standard input"),
            // A variable of a script that is not set.
            Self::File(path) if path.as_os_str().is_empty() => out.write_str("\"\""),
            Self::File(path) => out.write_str(&shown(&path.to_string_lossy())),
        }
    }
}

impl Source {
    /// What is named, without the folders that it is in.
    pub(crate) fn file_name(&self) -> String {
        match self {
            Self::File(path) => path
                .file_name()
                .map_or_else(|| self.to_string(), |name| shown(&name.to_string_lossy())),
            Self::Standard => self.to_string(),
        }
    }

    /// The file itself, and the word after the `@` that follows its name. A file that is called so
    /// as a whole is meant as a whole.
    pub(super) fn split(&self) -> (Self, Option<&str>) {
        let Self::File(path) = self else { return (self.clone(), None) };
        let exists = |path: &Path| path.symlink_metadata().is_ok();
        let Some(name) = path.to_str().filter(|_| !exists(path)) else {
            return (self.clone(), None);
        };
        // A checkpoint's name may have an `@` too.
        name.rmatch_indices('@')
            .map(|(at, _)| (Path::new(&name[..at]), &name[at + 1..]))
            .find(|(path, _)| exists(path))
            .map_or_else(
                || (self.clone(), None),
                |(path, word)| (Self::File(path.into()), Some(word)),
            )
    }
}
