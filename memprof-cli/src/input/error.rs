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
    /// A folder without a recording.
    NoRecordings,
    /// Binary data.
    NotText,
    Both,
    /// A profile was given where a recording is needed.
    NoRecording,
    /// A snapshot was named where the whole recording is needed.
    NoMoment,
    /// A root was named where all roots are needed.
    NoPart,
    /// A recording that ends before its first snapshot.
    NoSnapshots,
    Snapshot {
        selector: String,
        available: String,
    },
    /// A snapshot without live stacks.
    NoStacks {
        snapshot: String,
    },
    Root {
        name: String,
        snapshot: String,
        available: String,
    },
    /// A root that exists but could not be profiled.
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

/// The accepted content.
const EXPECTED: &str = "expected a profile as JSON or folded stacks, or a session's recording";

impl InputError {
    pub(super) fn new(source: &Source, problem: Problem) -> Self {
        Self { name: source.to_string(), problem }
    }
}

impl InputError {
    /// Returns the error of a comparison that reads both profiles from standard input.
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
                io::ErrorKind::NotFound => {
                    format!("no such file: {EXPECTED}; write one with `Profile::write_json`")
                }
                io::ErrorKind::PermissionDenied => {
                    format!("may not be read: {EXPECTED}; ask for permission to read it")
                }
                _ => format!("could not be read ({error}): {EXPECTED}; try again"),
            },
            Problem::NoRecordings => {
                "no recording in this folder: expected a `memory_profile_….json` or `.jsonl`; \
                 make one with `memprof run`, or name a file"
                    .into()
            }
            Problem::Empty => format!("empty: {EXPECTED}; write the file again"),
            Problem::NotText => format!("not text: {EXPECTED}; unpack an archive first"),
            Problem::Both => "holds one profile: expected two; name a file for one of them".into(),
            Problem::NoRecording => "a profile: expected a recording of a session; name a \
                                  `memory_profile_….json` or `.jsonl`"
                .into(),
            Problem::NoMoment => {
                "a snapshot: expected a whole recording; leave out the `@` and the \
                               text after it"
                    .into()
            }
            Problem::NoPart => "one root: expected a whole recording; leave out `--root`".into(),
            Problem::NoSnapshots => {
                "no snapshot: expected at least one; the program ended before the \
                                  first one, `memprof info` prints the rest"
                    .into()
            }
            Problem::Snapshot { selector, available } => {
                format!(
                    "no snapshot \"{selector}\": expected one of {available}; name one after `@`"
                )
            }
            Problem::NoStacks { snapshot } => format!(
                "no call stacks in {snapshot}: expected a peak, a checkpoint, a request, the start or \
                 the end, with the level `sampled`; name one after `@`"
            ),
            Problem::Root { name, snapshot, available } if available.is_empty() => {
                format!("no root \"{name}\": expected one in {snapshot}; it has none")
            }
            Problem::Root { name, snapshot, available } => format!(
                "no root or source \"{name}\": expected one of {available}, which are in {snapshot}; \
                 name one with `--root`"
            ),
            Problem::Missing { name, reason, snapshot } => format!(
                "no profile of \"{name}\" in {snapshot} ({reason}): expected one; name another \
                 snapshot after `@`"
            ),
            Problem::NoProfile { snapshot, reason: Some(reason) } => {
                format!("nothing was profiled in {snapshot}: expected a root; missing: {reason}")
            }
            Problem::NoProfile { snapshot, reason: None } => format!(
                "nothing was profiled in {snapshot}: expected a root; register the program's \
                 values with its session, or name a later snapshot after `@`"
            ),
            Problem::Recording(error) => error.to_string(),
            Problem::Json(error) => error.to_string(),
            // If the first line is invalid, the file may not be folded stacks at all.
            Problem::Folded(error) if error.line() == Some(1) => {
                format!("neither the JSON of a profile nor folded stacks: {error}")
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
