//! What can be wrong with a file that should hold a profile.

use super::Source;
use crate::shown::shown;
use core::fmt;
use memprof_profile::{FoldedError, JsonError};
use memprof_session::RecordingError;
use std::error::Error;
use std::io;

/// Why no profile could be read: one line that names the file and says what to do.
#[derive(Debug)]
pub(crate) struct InputError {
    name: String,
    what: What,
}

#[derive(Debug)]
pub(super) enum What {
    Io(io::Error),
    Empty,
    /// Something else, whose first bytes tell what.
    Other {
        what: &'static str,
        instead: &'static str,
    },
    Both,
    /// A profile where a recording is needed.
    NoRecording,
    /// A moment of a recording where all of it is needed.
    NoMoment,
    /// A root where all of them are needed.
    NoPart,
    /// What is to be read again and again can't be read twice.
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
    /// A root that is there, and could not be profiled.
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

/// What would have been read.
const EXPECTED: &str = "expected a profile as JSON or folded stacks, or what a session wrote";

impl InputError {
    pub(super) fn new(source: &Source, what: What) -> Self {
        Self { name: source.to_string(), what }
    }
}

impl InputError {
    /// Two profiles are to be read from one place.
    pub(crate) fn both(source: &Source) -> Self {
        Self::new(source, What::Both)
    }

    /// It is to be read for each scrape.
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
            What::NoRecording => "a profile, which is of one moment: expected what a session \
                                  wrote; name a `memory_profile_….json` or `.jsonl`"
                .into(),
            What::NoMoment => "expected all of what a session wrote, as this is told of its end; \
                               leave out the `@` and what follows it"
                .into(),
            What::NoPart => "expected all of what a session wrote, as this is told of the whole \
                             program; leave out `--root`"
                .into(),
            What::ReadOnce => "can be read once: expected a file, as it is read anew for each \
                               scrape; name a `memory_profile_….jsonl`"
                .into(),
            What::NoSnapshots => {
                "no snapshot: expected one at least; the program ended before the \
                                  first was taken, `memprof info` tells what is known"
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
                format!("nothing was profiled in {snapshot}: expected a root; not in it: {why}")
            }
            What::NoProfile { snapshot, why: None } => format!(
                "nothing was profiled in {snapshot}: expected a root; register the program's \
                 values with its session, or name a later snapshot after `@`"
            ),
            What::Recording(error) => error.to_string(),
            What::Json(error) => error.to_string(),
            // The first line decides whether it was meant to be folded stacks at all.
            What::Folded(error) if error.line() == Some(1) => {
                format!("neither the JSON of a profile nor folded stacks: {error}")
            }
            What::Folded(error) => error.to_string(),
        };
        // Messages of other crates may quote what they found.
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
