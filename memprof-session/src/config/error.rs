//! Errors in the settings of a session.

use core::fmt;
use memprof_profile::text::WithCauses;
use std::error::Error;
use std::ffi::OsStr;
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
#[derive(Debug)]
struct Details {
    origin: Origin,
    what: What,
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

#[derive(Debug)]
enum What {
    Value { expected: String, found: String },
    Unknown { name: Option<String>, known: Vec<&'static str> },
    Syntax(toml::de::Error),
    Read { path: PathBuf, error: io::Error },
    OutputFolder { path: PathBuf, error: io::Error },
}

impl ConfigError {
    fn new(origin: Origin, what: What) -> Self {
        Self(Box::new(Details { origin, what }))
    }

    pub(super) fn value(
        origin: Origin,
        expected: impl fmt::Display,
        found: impl Into<String>,
    ) -> Self {
        let what = What::Value { expected: expected.to_string(), found: shortened(&found.into()) };
        Self::new(origin, what)
    }

    /// Returns an error about an unknown variable, or about an unknown key in a file.
    pub(super) fn unknown(origin: Origin, key: Option<&str>, known: Vec<&'static str>) -> Self {
        let name = key.map(|key| shortened(&format!("{key:?}")));
        Self::new(origin, What::Unknown { name, known })
    }

    pub(super) fn syntax(origin: Origin, error: toml::de::Error) -> Self {
        Self::new(origin, What::Syntax(error))
    }

    pub(super) fn read(origin: Origin, path: &Path, error: io::Error) -> Self {
        Self::new(origin, What::Read { path: path.to_owned(), error })
    }

    pub(crate) fn output_folder(origin: Origin, path: &Path, error: io::Error) -> Self {
        Self::new(origin, What::OutputFolder { path: path.to_owned(), error })
    }
}

/// A message quotes at most this number of characters of an invalid value: about one line of a
/// terminal.
const LONGEST: usize = 80;

/// Escapes control characters and shortens `text` to `LONGEST` characters.
fn shortened(text: &str) -> String {
    let mut shown = String::new();
    for (at, char) in text.chars().enumerate() {
        if at == LONGEST {
            shown.push('…');
            break;
        }
        if char.is_control() {
            shown.extend(char.escape_debug());
        } else {
            shown.push(char);
        }
    }
    shown
}

/// Returns the value of a variable in quotes. Escapes control characters and invalid UTF-8.
#[expect(clippy::unnecessary_debug_formatting, reason = "escapes control characters")]
pub(super) fn quoted(value: &OsStr) -> String {
    format!("{value:?}")
}

/// Formats a path without control characters, and in full, because the user must find the file.
fn path_shown(path: &Path) -> impl fmt::Display + '_ {
    fmt::from_fn(move |out| {
        for char in path.to_string_lossy().chars() {
            if char.is_control() {
                write!(out, "{}", char.escape_debug())?;
            } else {
                write!(out, "{char}")?;
            }
        }
        Ok(())
    })
}

impl fmt::Display for Origin {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Default => out.write_str("output folder"),
            Self::Variable(name) => out.write_str(name),
            Self::Line(file, line, key) => {
                write!(out, "{}:{line}", path_shown(file))?;
                key.map_or(Ok(()), |key| write!(out, ": {key}"))
            }
            Self::Method(name) => write!(out, "{name}()"),
        }
    }
}

impl Origin {
    fn remedy(&self) -> &'static str {
        match self {
            Self::Default => "set one with MEMPROF_OUTPUT_DIR",
            Self::Variable(_) => "correct the variable or unset it",
            Self::Line(..) => "correct the line or remove it",
            Self::Method(_) => "correct the call",
        }
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}: ", self.0.origin)?;
        match &self.0.what {
            What::Value { expected, found } => write!(out, "expected {expected}; found {found}")?,
            What::Unknown { name: None, known } => {
                write!(out, "no such variable; expected one of {}", known.join(", "))?;
            }
            What::Unknown { name: Some(name), known } => {
                write!(out, "no such key: {name}; expected one of {}", known.join(", "))?;
            }
            What::Syntax(error) => write!(out, "not TOML: {}", shortened(error.message()))?,
            What::Read { path, .. } => write!(out, "cannot read {}", path_shown(path))?,
            What::OutputFolder { path, .. } => {
                write!(out, "cannot write to the folder {}", path_shown(path))?;
                out.write_str("; expected a writable folder with free space")?;
            }
        }
        write!(out, "; {}", self.0.origin.remedy())
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
        match &self.0.what {
            What::Read { error, .. } | What::OutputFolder { error, .. } => Some(error),
            // The text of `Syntax` contains the cause's message. The rest of the cause quotes the
            // file on several lines.
            What::Syntax(_) | What::Value { .. } | What::Unknown { .. } => None,
        }
    }
}
