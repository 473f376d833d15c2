//! The error of writing a command's output.

use super::{Cause, Target};
use crate::escape::escaped;
use core::fmt;
use memprof_export::ExportError;
use std::error::Error;
use std::io;

/// The reason why nothing was written. `Display` writes the file, the reason and the next step.
#[derive(Debug)]
pub(crate) struct OutputError {
    name: String,
    problem: Problem,
}

#[derive(Debug)]
enum Problem {
    Opening(io::Error),
    Folder(io::Error),
    Writing(Cause),
    Terminal,
    NotAFile,
}

impl OutputError {
    pub(crate) fn opening(target: &Target, error: io::Error) -> Self {
        Self { name: name(target), problem: Problem::Opening(error) }
    }

    pub(crate) fn folder(target: &Target, error: io::Error) -> Self {
        Self { name: name(target), problem: Problem::Folder(error) }
    }

    pub(super) fn writing(target: &Target, cause: Cause) -> Self {
        Self { name: name(target), problem: Problem::Writing(cause) }
    }

    pub(crate) fn printing(error: io::Error) -> Self {
        Self::writing(&Target::Standard, error.into())
    }

    /// Returns the error of the export, unless an I/O error caused the failure.
    pub(crate) fn into_export(self) -> Result<ExportError, Self> {
        match self.problem {
            Problem::Writing(cause) if system(cause.as_ref()).is_none() => {
                let restored = |cause| Self { name: self.name, problem: Problem::Writing(cause) };
                cause.downcast().map(|error| *error).map_err(restored)
            }
            problem => Err(Self { name: self.name, problem }),
        }
    }

    pub(crate) fn is_broken_pipe(&self) -> bool {
        let Problem::Writing(cause) = &self.problem else { return false };
        system(cause.as_ref()).is_some_and(|error| error.kind() == io::ErrorKind::BrokenPipe)
    }

    pub(crate) fn not_a_file() -> Self {
        Self { name: name(&Target::Standard), problem: Problem::NotAFile }
    }

    pub(super) fn terminal() -> Self {
        Self { name: name(&Target::Standard), problem: Problem::Terminal }
    }
}

/// Returns the I/O error of the operating system, if the causes contain one.
fn system<'e>(error: &'e (dyn Error + 'static)) -> Option<&'e io::Error> {
    let mut causes = core::iter::successors(Some(error), |error| (*error).source());
    causes.find_map(<dyn Error>::downcast_ref)
}

fn name(target: &Target) -> String {
    match target {
        Target::Standard => "standard output".into(),
        Target::File(path) if path.as_os_str().is_empty() => "\"\"".into(),
        Target::File(path) => escaped(&path.to_string_lossy()),
    }
}

impl fmt::Display for OutputError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = match &self.problem {
            Problem::Opening(error) => match error.kind() {
                io::ErrorKind::AlreadyExists => {
                    "already exists; choose another name or use `--force`".into()
                }
                io::ErrorKind::IsADirectory => "is a directory; name a file in it".into(),
                io::ErrorKind::NotFound => "no such folder; create it first".into(),
                io::ErrorKind::PermissionDenied => {
                    "permission denied; choose a file in a writable folder".into()
                }
                _ => format!("could not write the file: {error}"),
            },
            Problem::Folder(error) => {
                let reason = match error.kind() {
                    io::ErrorKind::AlreadyExists | io::ErrorKind::NotADirectory => {
                        "it is not a folder".into()
                    }
                    _ => error.to_string(),
                };
                format!("cannot write recordings here ({reason}); choose another folder")
            }
            Problem::Writing(cause) => match system(cause.as_ref()) {
                Some(error) => format!("could not write: {error}; the disk may be full"),
                None => format!("could not write: {cause}"),
            },
            Problem::NotAFile => {
                "a browser cannot open standard output; name a file with `-o FILE`".into()
            }
            Problem::Terminal => {
                "not writing binary data to a terminal; use `-o FILE` or a pipe".into()
            }
        };
        write!(out, "{}: {line}", self.name)
    }
}

impl Error for OutputError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // `Display` contains the reason of the operating system, or the error of the writer.
        match &self.problem {
            Problem::Writing(cause) if system(cause.as_ref()).is_none() => cause.source(),
            _ => None,
        }
    }
}
