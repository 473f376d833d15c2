//! What can go wrong where a command writes.

use super::{Cause, Target};
use crate::shown::shown;
use core::fmt;
use std::error::Error;
use std::io;

/// Why nothing was written: one line that names the file and says what to do.
#[derive(Debug)]
pub(crate) struct OutputError {
    name: String,
    what: What,
}

#[derive(Debug)]
enum What {
    Opening(io::Error),
    Writing(Cause),
    Drawing,
    Binary,
}

impl OutputError {
    pub(super) fn opening(target: &Target, error: io::Error) -> Self {
        Self { name: name(target), what: What::Opening(error) }
    }

    pub(super) fn writing(target: &Target, cause: Cause) -> Self {
        Self { name: name(target), what: What::Writing(cause) }
    }

    pub(super) fn binary() -> Self {
        Self { name: name(&Target::Standard), what: What::Binary }
    }

    pub(super) fn drawing() -> Self {
        Self { name: name(&Target::Standard), what: What::Drawing }
    }
}

fn name(target: &Target) -> String {
    match target {
        Target::Standard => "standard output".into(),
        Target::File(path) => shown(&path.to_string_lossy()),
    }
}

impl fmt::Display for OutputError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = match &self.what {
            What::Opening(error) => match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    "is there already: expected a new file; name another, or add `--force`".into()
                }
                io::ErrorKind::IsADirectory => {
                    "a directory: expected a file; name one in it".into()
                }
                io::ErrorKind::NotFound => {
                    "no such folder: expected one for the file to be in; create it".into()
                }
                io::ErrorKind::PermissionDenied => {
                    "may not be written: expected a file in a folder of yours; name another".into()
                }
                _ => format!("could not be written ({error}); name another file"),
            },
            What::Writing(cause) => {
                let why = cause.source().map_or_else(String::new, |why| format!(" ({why})"));
                format!("could not be written: {cause}{why}; is there room for it?")
            }
            What::Drawing => {
                "a terminal: expected a file to draw into; name one with `-o FILE`".into()
            }
            What::Binary => {
                "a terminal: expected a file or a pipe, as this is no text; name one with `-o FILE`"
                    .into()
            }
        };
        write!(out, "{}: {}", self.name, shown(&line))
    }
}

impl Error for OutputError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.what {
            What::Opening(error) => Some(error),
            What::Writing(cause) => Some(cause.as_ref()),
            What::Drawing | What::Binary => None,
        }
    }
}
