//! Errors in the settings of a session.

use core::fmt;
use memprof_profile::text::{Shown, WithCauses, cut};
use std::error::Error;
use std::io;
use std::path::{Path, PathBuf};

/// An invalid setting of a session.
///
/// `Display` and `Debug` name its origin, the expected and the found value, and what to do:
///
/// ```text
/// MEMPROF_INTERVAL: expected a time from 10ms to 1day, such as 500ms or 5s; found "5"; correct the variable or unset it
/// ```
pub struct ConfigError(Box<Details>);

/// Boxed so that results stay small.
struct Details {
    origin: Origin,
    what: String,
    cause: Option<io::Error>,
}

/// The origin of a value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Origin {
    /// The default, because no setting was made.
    Default,
    /// A variable of the environment, by its name.
    Variable(String),
    /// A line of the file, with its key if the key is a setting.
    Line(PathBuf, usize, Option<&'static str>),
    /// A method of the builder.
    Method(&'static str),
}

impl ConfigError {
    fn new(origin: Origin, what: String, cause: Option<io::Error>) -> Self {
        Self(Box::new(Details { origin, what, cause }))
    }

    pub(super) fn value(origin: Origin, expected: &str, found: &str) -> Self {
        Self::new(origin, format!("expected {expected}; found {}", line(found)), None)
    }

    /// Returns an error about an unknown variable, or about an unknown key in a file.
    pub(super) fn unknown(origin: Origin, what: &str, known: impl Iterator<Item = String>) -> Self {
        let known = known.collect::<Vec<_>>().join(", ");
        Self::new(origin, format!("{}; expected one of {known}", line(what)), None)
    }

    /// The message of `error` is enough: its `Display` quotes the file on several lines.
    pub(super) fn syntax(origin: Origin, error: &toml::de::Error) -> Self {
        Self::new(origin, format!("not TOML: {}", line(error.message())), None)
    }

    pub(super) fn read(origin: Origin, path: &Path, error: io::Error) -> Self {
        Self::new(origin, format!("cannot read {}", shown(path)), Some(error))
    }

    pub(crate) fn output_folder(origin: Origin, path: &Path, error: io::Error) -> Self {
        let path = shown(path);
        let what = format!(
            "cannot write to the folder {path}; expected a writable folder with free space"
        );
        Self::new(origin, what, Some(error))
    }
}

/// Returns text with control characters escaped, cut to about a line of a terminal.
fn line(text: &str) -> String {
    const WIDTH: usize = 80;
    cut(&Shown(text).to_string(), WIDTH)
}

/// Returns a path without control characters, and in full, because the user must find the file.
fn shown(path: &Path) -> String {
    Shown(&path.to_string_lossy()).to_string()
}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Details { origin, what, .. } = &*self.0;
        let (named, remedy) = match origin {
            Origin::Default => ("output folder".to_owned(), "set one with MEMPROF_OUTPUT_DIR"),
            Origin::Variable(name) => (name.clone(), "correct the variable or unset it"),
            Origin::Line(file, line, key) => {
                let key = key.map_or_else(String::new, |key| format!(": {key}"));
                (format!("{}:{line}{key}", shown(file)), "correct the line or remove it")
            }
            Origin::Method(name) => (format!("{name}()"), "correct the call"),
        };
        write!(out, "{named}: {what}; {remedy}")
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
    }
}

impl Error for ConfigError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        self.0.cause.as_ref().map(|cause| cause as _)
    }
}
