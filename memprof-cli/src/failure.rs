//! The errors of commands, and their exit codes.

use crate::escape::{escaped, with_causes};
use crate::input::{InputError, Source};
use crate::output::OutputError;
use crate::spawn_error::SpawnError;
use memprof_export::ExportError;
use memprof_gpu::SamplerError;
use memprof_profile::tree::PathNotFound;
use std::io;
use std::path::PathBuf;

#[derive(Debug)]
pub(crate) enum Failure {
    Input(InputError),
    Output(OutputError),
    Gpu(SamplerError),
    Export(String, ExportError),
    Spawn(SpawnError),
    Browser(PathBuf, io::Error),
    DebugDir(PathBuf),
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

    /// Returns `true` if the reader closed the output. `memprof tree FILE | head` does not fail.
    pub(crate) fn is_quiet(&self) -> bool {
        matches!(self, Self::Output(error) if error.is_broken_pipe())
    }

    /// Returns the lines to print: an error with its causes, or the failed checks.
    pub(crate) fn lines(&self) -> Vec<String> {
        let line = match self {
            Self::Input(error) => with_causes(error),
            Self::Output(error) => with_causes(error),
            Self::Gpu(error) => with_causes(error),
            Self::Export(name, error) => format!("{name}: {}", with_causes(error)),
            Self::Spawn(error) => with_causes(error),
            Self::Browser(path, error) => format!(
                "{}: could not open a browser ({error}); open the file yourself, or set `BROWSER`",
                escaped(&path.to_string_lossy())
            ),
            Self::DebugDir(path) => format!(
                "{}: not a folder; `--debug-dir` takes a folder of debug files",
                escaped(&path.to_string_lossy())
            ),
            Self::Path(name, error) => format!("{name}: {}", with_causes(error.as_ref())),
            Self::Check(lines) => return lines.clone(),
        };
        vec![line]
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Check(_) => 1,
            Self::Spawn(error) => error.exit_code(),
            Self::Input(_)
            | Self::Output(_)
            | Self::Gpu(_)
            | Self::Browser(..)
            | Self::DebugDir(..)
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
