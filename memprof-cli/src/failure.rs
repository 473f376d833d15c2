//! The errors of commands, and their exit codes.

use crate::escape::escaped;
use crate::input::{InputError, Source};
use crate::output::OutputError;
use crate::spawn_error::SpawnError;
use core::fmt;
use memprof_export::ExportError;
use memprof_gpu::{SamplerError, TraceError};
use memprof_profile::text::WithCauses;
use memprof_profile::tree::PathNotFound;
use std::error::Error;
use std::io;
use std::path::PathBuf;

/// The reason why a command failed.
#[derive(Debug)]
pub(crate) enum Failure {
    /// A file could not be read.
    Input(InputError),
    /// A file could not be written.
    Output(OutputError),
    /// GPUs could not be read.
    Gpu(SamplerError),
    /// A recording of GPUs could not be read.
    Trace(PathBuf, TraceError),
    /// The content of a file can't be exported to the requested format.
    Export(String, ExportError),
    /// A command could not be run.
    Spawn(SpawnError),
    /// A page could not be opened in a browser.
    Browser(PathBuf, io::Error),
    /// A profile lacks a path of the command line.
    Path(String, Box<PathNotFound>),
    /// A check failed; the command itself succeeded. Each text is a line.
    Check(Vec<String>),
}

impl Failure {
    pub(crate) fn export(source: &Source, error: ExportError) -> Self {
        Self::Export(source.to_string(), error)
    }

    /// Converts an error of writing an export: to the error of the export if the export itself
    /// failed, otherwise to an error of the output.
    pub(crate) fn exporting(source: &Source, error: OutputError) -> Self {
        match error.into_export() {
            Ok(error) => Self::export(source, error),
            Err(error) => error.into(),
        }
    }

    /// Returns `true` if the reader of the output has closed it. So `memprof tree FILE | head` does
    /// not fail.
    pub(crate) fn is_quiet(&self) -> bool {
        let mut cause: Option<&(dyn Error + 'static)> = match self {
            Self::Output(error) => Some(error),
            Self::Export(_, error) => Some(error),
            Self::Input(_)
            | Self::Gpu(_)
            | Self::Trace(..)
            | Self::Spawn(_)
            | Self::Browser(..)
            | Self::Path(..)
            | Self::Check(_) => None,
        };
        while let Some(error) = cause {
            let io = error.downcast_ref::<io::Error>();
            if io.is_some_and(|io| io.kind() == io::ErrorKind::BrokenPipe) {
                return true;
            }
            cause = error.source();
        }
        false
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Check(_) => 1,
            Self::Spawn(error) => error.exit_code(),
            Self::Input(_)
            | Self::Output(_)
            | Self::Gpu(_)
            | Self::Trace(..)
            | Self::Browser(..)
            | Self::Path(..)
            | Self::Export(..) => 2,
        }
    }
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

impl From<OutputError> for Failure {
    fn from(error: OutputError) -> Self {
        Self::Output(error)
    }
}

impl From<SpawnError> for Failure {
    fn from(error: SpawnError) -> Self {
        Self::Spawn(error)
    }
}

impl From<SamplerError> for Failure {
    fn from(error: SamplerError) -> Self {
        Self::Gpu(error)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(error) => error.fmt(out),
            Self::Output(error) => error.fmt(out),
            Self::Gpu(error) => with_causes(error, out),
            Self::Trace(path, error) => {
                write!(out, "{}: ", escaped(&path.to_string_lossy()))?;
                with_causes(error, out)
            }
            Self::Export(name, error) => {
                write!(out, "{name}: ")?;
                with_causes(error, out)
            }
            Self::Spawn(error) => error.fmt(out),
            Self::Browser(path, error) => write!(
                out,
                "{}: no browser could be opened ({error}): open the file yourself, or set `BROWSER`",
                escaped(&path.to_string_lossy())
            ),
            Self::Path(name, error) => {
                write!(out, "{name}: ")?;
                with_causes(error.as_ref(), out)
            }
            Self::Check(lines) => out.write_str(&lines.join("\nmemprof: ")),
        }
    }
}

impl Error for Failure {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match self {
            Self::Input(error) => error.source(),
            Self::Output(error) => error.source(),
            Self::Gpu(error) => error.source(),
            Self::Trace(_, error) => error.source(),
            Self::Export(_, error) => Some(error),
            Self::Spawn(error) => error.source(),
            Self::Browser(_, error) => Some(error),
            Self::Path(_, error) => Some(error),
            Self::Check(_) => None,
        }
    }
}

/// Writes an error and its causes on one line.
fn with_causes(error: &dyn Error, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    out.write_str(&escaped(&WithCauses(error).to_string()))
}
