//! The error of reading or writing the JSON of a profile.

use crate::text::WithCauses;
use crate::text::shortened;
use crate::views::json::document::{FORMAT, VERSION};
use core::fmt;
use memprof_core::tree::MAX_DEPTH;
use std::error::Error;
use std::io;

/// The reason why a profile could not be read from JSON or written as JSON.
///
/// `Display` names what was expected and what to do.
///
/// ```
/// use memprof::Profile;
///
/// let error = Profile::from_json("{\"traceEvents\": []}").unwrap_err();
/// assert_eq!(
///     error.to_string(),
///     "not a profile of memprof: expected `\"format\": \"memprof profile\"` and a version; \
///      write the file with `Profile::to_json`"
/// );
/// ```
pub struct JsonError {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Io(io::Error),
    Syntax(serde_json::Error),
    /// The text has another format. Contains the name of that format, if the text names one.
    Foreign(Option<String>),
    OtherVersion(u64),
    Branch {
        index: usize,
        name: String,
        problem: String,
    },
    Whole(String),
    TooDeep,
}

impl JsonError {
    /// Returns whether the profile has a newer format version than this version of memprof reads.
    pub fn is_newer_version(&self) -> bool {
        matches!(self.kind, Kind::OtherVersion(version) if version > VERSION)
    }

    /// Returns whether the text ends before the profile does, as when writing was interrupted.
    pub fn is_truncated(&self) -> bool {
        matches!(&self.kind, Kind::Syntax(error) if error.is_eof())
    }

    /// Returns whether the text is not a profile, even if it is valid JSON.
    pub fn is_foreign(&self) -> bool {
        matches!(self.kind, Kind::Foreign(_))
    }

    pub(crate) fn syntax(error: serde_json::Error) -> Self {
        if error.is_io() { Self::io(error.into()) } else { Self { kind: Kind::Syntax(error) } }
    }

    /// Converts an error that `serde_json` returns while writing. Only the output can cause such an
    /// error.
    pub(crate) fn writing(error: serde_json::Error) -> Self {
        Self::io(error.into())
    }

    pub(crate) fn io(error: io::Error) -> Self {
        Self { kind: Kind::Io(error) }
    }

    pub(crate) fn foreign() -> Self {
        Self { kind: Kind::Foreign(None) }
    }

    /// Returns the error of a file that names another format.
    pub(crate) fn of_format(format: &str) -> Self {
        Self { kind: Kind::Foreign(Some(shortened(format, MAX_FORMAT_LEN))) }
    }

    pub(crate) fn other_version(version: u64) -> Self {
        Self { kind: Kind::OtherVersion(version) }
    }

    pub(crate) fn too_deep() -> Self {
        Self { kind: Kind::TooDeep }
    }

    /// Returns the error of a branch that is inconsistent.
    pub(crate) fn branch(index: usize, name: &str, problem: impl Into<String>) -> Self {
        Self { kind: Kind::Branch { index, name: name.into(), problem: problem.into() } }
    }

    /// Returns the error of a profile that is inconsistent as a whole.
    pub(crate) fn whole(problem: impl Into<String>) -> Self {
        Self { kind: Kind::Whole(problem.into()) }
    }
}

/// The maximum number of columns of another format's name in the message.
const MAX_FORMAT_LEN: usize = 40;

/// The advice for a profile that contradicts itself.
const REWRITE: &str = "the file was modified or not written by memprof; write it again";

impl fmt::Display for JsonError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Io(_) => out.write_str("reading or writing the profile failed"),
            Kind::Syntax(error) if error.is_eof() => {
                write!(
                    out,
                    "unfinished profile: expected more JSON after line {}, ",
                    error.line()
                )?;
                write!(out, "column {}; write the file again", error.column())
            }
            Kind::Syntax(_) => {
                out.write_str(
                    "broken profile: expected the JSON that `Profile::to_json` writes; ",
                )?;
                out.write_str("write the file again")
            }
            Kind::Foreign(format) => {
                write!(
                    out,
                    "not a profile of memprof: expected `\"format\": \"{FORMAT}\"` and a "
                )?;
                match format {
                    Some(format) => write!(out, "version, found the format {format:?}; ")?,
                    None => out.write_str("version; ")?,
                }
                out.write_str("write the file with `Profile::to_json`")
            }
            Kind::OtherVersion(version) => {
                write!(out, "a profile of format version {version}: expected version {VERSION}; ")?;
                write!(out, "read it with the version of memprof that wrote it, or a newer one")
            }
            Kind::Branch { index, name, problem } => {
                write!(out, "inconsistent profile: branch {index} ({name:?}) {problem}; {REWRITE}")
            }
            Kind::Whole(problem) => write!(out, "inconsistent profile: {problem}; {REWRITE}"),
            Kind::TooDeep => {
                write!(out, "branches are nested too deep: expected at most {MAX_DEPTH} levels; ")?;
                write!(out, "mark a field near the root as `leaf`")
            }
        }
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for JsonError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
    }
}

impl Error for JsonError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            // The message for a truncated file already contains the text of the cause.
            Kind::Syntax(error) if !error.is_eof() => Some(error),
            Kind::Io(error) => Some(error),
            _ => None,
        }
    }
}
