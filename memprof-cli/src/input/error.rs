//! The error of a file that should contain a profile.

use super::Source;
use core::fmt;
use memprof_profile::views::{FoldedError, JsonError};
use memprof_recording::RecordingError;
use std::error::Error;
use std::io;

/// The reason why no profile could be read. `Display` writes the file, the reason and the next step.
/// The causes of the reason are the causes of this error.
#[derive(Debug)]
pub(crate) struct InputError {
    name: String,
    problem: Problem,
}

#[derive(Debug)]
pub(super) enum Problem {
    Io(io::Error),
    Empty,
    NoRecordings,
    NoFolder,
    NotFolder,
    NotText,
    Both,
    NoRecording,
    NoMoment,
    /// A root was named where all roots are needed.
    NoPart,
    NoSnapshots,
    Snapshot {
        selector: String,
        available: String,
    },
    NoStacks {
        snapshot: String,
    },
    Root {
        name: String,
        snapshot: String,
        available: String,
    },
    Missing {
        name: String,
        reason: String,
        snapshot: String,
    },
    NoProfile {
        snapshot: String,
        reason: Option<String>,
    },
    Recording(RecordingError),
    Json(JsonError),
    Folded(FoldedError),
}

impl InputError {
    pub(super) fn new(source: &Source, problem: Problem) -> Self {
        Self { name: source.to_string(), problem }
    }
}

impl InputError {
    pub(crate) fn both(source: &Source) -> Self {
        Self::new(source, Problem::Both)
    }
}

impl From<JsonError> for Problem {
    fn from(error: JsonError) -> Self {
        Self::Json(error)
    }
}

impl From<RecordingError> for Problem {
    fn from(error: RecordingError) -> Self {
        Self::Recording(error)
    }
}

impl From<FoldedError> for Problem {
    fn from(error: FoldedError) -> Self {
        Self::Folded(error)
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = match &self.problem {
            Problem::Io(error) => match error.kind() {
                io::ErrorKind::NotFound => "no such file; write a profile with \
                                            `Profile::write_json`, or a recording with `memprof run`"
                    .into(),
                io::ErrorKind::PermissionDenied => {
                    "permission denied; check the permissions of the file".into()
                }
                _ => format!("could not read the file: {error}"),
            },
            Problem::NoRecordings => "no recording (`memory_profile_….json` or `.jsonl`) in this \
                                      folder; make one with `memprof run`, or name a file"
                .into(),
            Problem::NoFolder => "no such folder; `--runs` compares folders of recordings".into(),
            Problem::NotFolder => "not a folder; `--runs` compares folders of recordings".into(),
            Problem::Empty => "the file is empty; expected a profile or a recording".into(),
            Problem::NotText => "not a text file; if it is compressed, unpack it first".into(),
            Problem::Both => {
                "can hold only one profile; give the other as a file".into()
            }
            Problem::NoRecording => "this is a profile, not a recording; name a \
                                     `memory_profile_….json` or `.jsonl`"
                .into(),
            Problem::NoMoment => {
                "this command reads a whole recording; remove `@` and what follows".into()
            }
            Problem::NoPart => "this command reads a whole recording; remove `--root`".into(),
            Problem::NoSnapshots => "the recording has no snapshots, because the program ended \
                                     before the first one; `memprof info` prints the rest"
                .into(),
            Problem::Snapshot { selector, available } => {
                format!("no snapshot `{selector}`; available: {available}")
            }
            Problem::NoStacks { snapshot } => format!(
                "{snapshot} has no call stacks; choose a peak, a checkpoint, a request, the start or \
                 the end of a recording at the level `sampled`"
            ),
            Problem::Root { snapshot, available, .. } if available.is_empty() => {
                format!("{snapshot} has no roots; choose another snapshot with `@`")
            }
            Problem::Root { name, snapshot, available } => {
                format!("no root or source `{name}` in {snapshot}; available: {available}")
            }
            Problem::Missing { name, reason, snapshot } => format!(
                "{snapshot} has no profile of `{name}` ({reason}); choose another snapshot with `@`"
            ),
            Problem::NoProfile { snapshot, reason: Some(reason) } => {
                format!("{snapshot} has no profiles: {reason}; choose another snapshot with `@`")
            }
            Problem::NoProfile { snapshot, reason: None } => format!(
                "{snapshot} has no profiles; register roots with the session, or choose another \
                 snapshot with `@`"
            ),
            Problem::Recording(error) => error.to_string(),
            Problem::Json(error) => error.to_string(),
            // If the first line is invalid, the file may not be folded stacks at all.
            Problem::Folded(error) if error.line() == Some(1) => {
                format!("neither a JSON profile nor folded stacks: {error}")
            }
            Problem::Folded(error) => error.to_string(),
        };
        write!(out, "{}: {line}", self.name)
    }
}

impl Error for InputError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        // `Display` contains the problem, so its cause is the next error. The text of an I/O error
        // states the reason of the operating system.
        match &self.problem {
            Problem::Json(error) => error.source(),
            Problem::Folded(error) => error.source(),
            Problem::Recording(error) => error.source(),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{InputError, Problem};
    use std::io;

    /// A test of the command would need a file that root may not read.
    #[test]
    fn a_file_without_read_permission_is_refused_in_one_line() {
        let problem = Problem::Io(io::ErrorKind::PermissionDenied.into());
        let text = InputError { name: "secret.json".to_owned(), problem }.to_string();
        assert!(text.starts_with("secret.json: ") && text.contains("permission"), "{text}");
        assert_eq!(text.lines().count(), 1, "{text}");
    }
}
