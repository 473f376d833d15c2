//! Errors in a model's file: where, what was expected, and what was found.

use std::error::Error;
use std::fmt;
use std::io;
use std::num::ParseFloatError;
use std::path::{Path, PathBuf};
use std::str::Utf8Error;

/// A file that is not a model, with the reason.
#[derive(Debug)]
pub(crate) struct ReadError {
    file: PathBuf,
    /// The number of the line, counted from 1; `None` if not even the first line could be read.
    line: Option<usize>,
    problem: Problem,
}

/// The reasons why a file is not a model.
#[derive(Debug)]
pub(crate) enum Problem {
    Unreadable(io::Error),
    NotText { byte: u8, cause: Utf8Error },
    LongLine { limit: u64 },
    Empty,
    NoEnd,
    UnknownSection(String),
    UnsupportedSection(String),
    WrongFields { expected: &'static str, found: String },
    NotANumber { found: String, cause: ParseFloatError },
    NotFinite(String),
    Undeclared(Noun, String),
    Duplicate(Noun, String),
    DuplicateEntry { row: String, column: String },
}

/// The kind of item that has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Noun {
    Row,
    Column,
}

impl ReadError {
    pub(crate) fn new(file: &Path, line: Option<usize>, problem: Problem) -> Self {
        Self { file: file.to_owned(), line, problem }
    }
}

impl Error for ReadError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.problem {
            Problem::Unreadable(cause) => Some(cause),
            Problem::NotText { cause, .. } => Some(cause),
            Problem::NotANumber { cause, .. } => Some(cause),
            _ => None,
        }
    }
}

impl fmt::Display for ReadError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:", self.file.display())?;
        if let Some(line) = self.line {
            write!(out, "{line}:")?;
        }
        write!(out, " {}", self.problem)
    }
}

impl fmt::Display for Problem {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(_) => write!(out, "cannot be read"),
            Self::NotText { byte, .. } => {
                write!(out, "expected UTF-8 text, found the byte 0x{byte:02x}")
            }
            Self::LongLine { limit } => {
                write!(out, "expected at most {limit} bytes in a line, found more")
            }
            Self::Empty => write!(out, "expected a model in MPS format, found an empty file"),
            Self::NoEnd => write!(out, "expected ENDATA, found the end of the file"),
            Self::UnknownSection(name) => {
                write!(out, "expected a section of MPS such as ROWS, found {}", Quoted(name))
            }
            Self::UnsupportedSection(name) => {
                write!(out, "expected a linear, integer or quadratic model, found section {name}")
            }
            Self::WrongFields { expected, found } => {
                write!(out, "expected {expected}, found {}", Quoted(found))
            }
            Self::NotANumber { found, .. } => {
                write!(out, "expected a number, found {}", Quoted(found))
            }
            Self::NotFinite(found) => {
                write!(out, "expected a finite number, found {}", Quoted(found))
            }
            Self::Undeclared(noun, name) => {
                write!(
                    out,
                    "expected a {noun} declared in {}, found {}",
                    noun.section(),
                    Quoted(name)
                )
            }
            Self::Duplicate(noun, name) => {
                write!(out, "expected a new {noun}, found {} again", Quoted(name))
            }
            Self::DuplicateEntry { row, column } => write!(
                out,
                "expected one coefficient of column {} in row {}, found another",
                Quoted(column),
                Quoted(row)
            ),
        }
    }
}

impl Noun {
    fn section(self) -> &'static str {
        match self {
            Self::Row => "ROWS",
            Self::Column => "COLUMNS",
        }
    }
}

impl fmt::Display for Noun {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(match self {
            Self::Row => "row",
            Self::Column => "column",
        })
    }
}

/// Text of a file in quotes: escaped, so that it stays on the line, and cut if it is long.
struct Quoted<'t>(&'t str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const LONGEST: usize = 60;
        match self.0.char_indices().nth(LONGEST) {
            Some((end, _)) => write!(out, "{:?}…", &self.0[..end]),
            None => write!(out, "{:?}", self.0),
        }
    }
}
