//! The error of a file that should contain a profile.

use super::Source;
use crate::shown::shown;
use core::fmt;
use memprof_profile::text::WithCauses;
use memprof_profile::views::{FoldedError, JsonError};
use memprof_session::RecordingError;
use std::error::Error;
use std::io;

/// The reason why no profile could be read. `Display` writes one line with the file and what to do.
#[derive(Debug)]
pub(crate) struct InputError {
    name: String,
    what: What,
}

#[derive(Debug)]
pub(super) enum What {
    Io(io::Error),
    Empty,
    /// Another format, recognized by its first bytes.
    Other {
        what: &'static str,
        instead: &'static str,
    },
    Both,
    /// A profile was given where a recording is needed.
    NoRecording,
    /// A snapshot was named where the whole recording is needed.
    NoMoment,
    /// A root was named where all roots are needed.
    NoPart,
    /// Standard input was given where the input must be read repeatedly.
    ReadOnce,
    /// A recording that ends before its first snapshot.
    NoSnapshots,
    Snapshot {
        word: String,
        known: String,
    },
    Root {
        name: String,
        snapshot: String,
        known: String,
    },
    /// A root that exists but could not be profiled.
    Missing {
        name: String,
        why: String,
        snapshot: String,
    },
    NoProfile {
        snapshot: String,
        why: Option<String>,
    },
    Recording(RecordingError),
    Json(JsonError),
    Folded(FoldedError),
}

/// The accepted content.
const EXPECTED: &str = "expected a profile as JSON or folded stacks, or a session's recording";

impl InputError {
    pub(super) fn new(source: &Source, what: What) -> Self {
        Self { name: source.to_string(), what }
    }
}

impl InputError {
    /// Returns the error of reading both profiles from standard input.
    pub(crate) fn both(source: &Source) -> Self {
        Self::new(source, What::Both)
    }

    /// Returns the error of an input that must be read for each scrape, but can be read only once.
    pub(crate) fn read_once(source: &Source) -> Self {
        Self::new(source, What::ReadOnce)
    }
}

impl From<JsonError> for What {
    fn from(error: JsonError) -> Self {
        Self::Json(error)
    }
}

impl From<RecordingError> for What {
    fn from(error: RecordingError) -> Self {
        Self::Recording(error)
    }
}

impl From<FoldedError> for What {
    fn from(error: FoldedError) -> Self {
        Self::Folded(error)
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = match &self.what {
            What::Io(error) => match error.kind() {
                io::ErrorKind::NotFound => {
                    format!("no such file: {EXPECTED}; write one with `Profile::write_json`")
                }
                io::ErrorKind::IsADirectory => {
                    format!("a directory: {EXPECTED}; name a file in it")
                }
                io::ErrorKind::PermissionDenied => {
                    format!("may not be read: {EXPECTED}; ask for permission to read it")
                }
                _ => format!("could not be read ({error}): {EXPECTED}; try again"),
            },
            What::Empty => format!("empty: {EXPECTED}; write the file again"),
            What::Other { what, instead } => format!("{what}: {EXPECTED}; {instead}"),
            What::Both => "holds one profile: expected two; name a file for one of them".into(),
            What::NoRecording => "a profile: expected a recording of a session; name a \
                                  `memory_profile_….json` or `.jsonl`"
                .into(),
            What::NoMoment => "a snapshot: expected a whole recording; leave out the `@` and the \
                               text after it"
                .into(),
            What::NoPart => "one root: expected a whole recording; leave out `--root`".into(),
            What::ReadOnce => "can be read only once: expected a file, because each scrape reads \
                               it again; name a `memory_profile_….jsonl`"
                .into(),
            What::NoSnapshots => {
                "no snapshot: expected at least one; the program ended before the \
                                  first one, `memprof info` prints the rest"
                    .into()
            }
            What::Snapshot { word, known } => {
                format!("no snapshot \"{word}\": expected one of {known}; name one after `@`")
            }
            What::Root { name, snapshot, known } if known.is_empty() => {
                format!("no root \"{name}\": expected one in {snapshot}; it has none")
            }
            What::Root { name, snapshot, known } => format!(
                "no root or source \"{name}\": expected one of {known}, which are in {snapshot}; \
                 name one with `--root`"
            ),
            What::Missing { name, why, snapshot } => format!(
                "no profile of \"{name}\" in {snapshot} ({why}): expected one; name another \
                 snapshot after `@`"
            ),
            What::NoProfile { snapshot, why: Some(why) } => {
                format!("nothing was profiled in {snapshot}: expected a root; missing: {why}")
            }
            What::NoProfile { snapshot, why: None } => format!(
                "nothing was profiled in {snapshot}: expected a root; register the program's \
                 values with its session, or name a later snapshot after `@`"
            ),
            What::Recording(error) => WithCauses(error).to_string(),
            What::Json(error) => WithCauses(error).to_string(),
            // If the first line is invalid, the file may not be folded stacks at all.
            What::Folded(error) if error.line() == Some(1) => {
                format!("neither the JSON of a profile nor folded stacks: {}", WithCauses(error))
            }
            What::Folded(error) => WithCauses(error).to_string(),
        };
        // Messages of other crates may quote unsafe text from the file.
        write!(out, "{}: {}", self.name, shown(&line))
    }
}

impl Error for InputError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.what {
            What::Io(error) => Some(error),
            What::Json(error) => Some(error),
            What::Folded(error) => Some(error),
            What::Recording(error) => Some(error),
            _ => None,
        }
    }
}
