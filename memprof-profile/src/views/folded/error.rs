//! The error of folded stacks that cannot be read.

use crate::text::WithCauses;
use crate::text::shortened;
use core::fmt;
use memprof_core::tree::MAX_DEPTH;
use std::error::Error;
use std::io;
use std::string::FromUtf8Error;

/// The reason why folded stacks could not be read as a profile.
///
/// `Display` names the line, what was expected and what to do.
///
/// ```
/// use memprof::Profile;
///
/// let error = Profile::from_folded("main;load 12\nmain;parse\n").unwrap_err();
/// assert_eq!(error.line(), Some(2));
/// assert_eq!(
///     error.to_string(),
///     "broken folded stacks: line 2: expected frames joined by `;`, a space and a whole number, \
///      found \"main;parse\"; fold the stacks again"
/// );
/// ```
pub struct FoldedError {
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Io(io::Error),
    Empty,
    Line { number: u32, expected: &'static str, found: String },
    NotText { number: u32, byte: u8 },
    Overflow { number: u32 },
    TooDeep { number: u32 },
    TooLong,
}

/// The maximum number of columns of a quoted line.
const EXCERPT: usize = 40;

impl FoldedError {
    /// Returns the line that could not be read, counted from 1, if the error is about a line.
    pub fn line(&self) -> Option<u64> {
        match self.kind {
            Kind::Line { number, .. }
            | Kind::NotText { number, .. }
            | Kind::Overflow { number }
            | Kind::TooDeep { number } => Some(number.into()),
            Kind::Io(_) | Kind::Empty | Kind::TooLong => None,
        }
    }

    /// Returns whether the text contains no stacks.
    pub fn is_empty(&self) -> bool {
        matches!(self.kind, Kind::Empty)
    }

    pub(crate) fn io(error: io::Error) -> Self {
        Self { kind: Kind::Io(error) }
    }

    pub(crate) fn empty() -> Self {
        Self { kind: Kind::Empty }
    }

    /// Returns the error of a line that does not match the format.
    pub(crate) fn at(number: u32, expected: &'static str, line: &str) -> Self {
        let found = shortened(line, EXCERPT);
        Self { kind: Kind::Line { number, expected, found } }
    }

    pub(crate) fn not_text(error: &FromUtf8Error) -> Self {
        let (bytes, valid) = (error.as_bytes(), error.utf8_error().valid_up_to());
        let lines = bytes[..valid].split(|&byte| byte == b'\n').count();
        let number = u32::try_from(lines).unwrap_or(u32::MAX);
        Self { kind: Kind::NotText { number, byte: bytes.get(valid).copied().unwrap_or_default() } }
    }

    pub(crate) fn overflow(number: u32) -> Self {
        Self { kind: Kind::Overflow { number } }
    }

    pub(crate) fn too_deep(number: u32) -> Self {
        Self { kind: Kind::TooDeep { number } }
    }

    pub(crate) fn too_long() -> Self {
        Self { kind: Kind::TooLong }
    }
}

impl fmt::Display for FoldedError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            Kind::Io(_) => out.write_str("reading folded stacks failed"),
            Kind::Empty => {
                write!(out, "no folded stacks: expected at least one line of frames joined by ")?;
                write!(out, "`;`, a space and a whole number; fold the stacks again")
            }
            Kind::Line { number, expected, found } => {
                write!(out, "broken folded stacks: line {number}: expected {expected}, ")?;
                write!(out, "found {found:?}; fold the stacks again")
            }
            Kind::NotText { number, byte } => {
                write!(out, "not folded stacks: line {number}: expected UTF-8 text, ")?;
                write!(out, "found the byte {byte:#04x}; write the file as UTF-8")
            }
            Kind::Overflow { number } => {
                write!(out, "broken folded stacks: line {number}: expected numbers that add up ")?;
                write!(out, "to less than 2^64; fold the stacks again")
            }
            Kind::TooDeep { number } => {
                write!(out, "stacks are too deep: line {number}: expected at most {MAX_DEPTH} ")?;
                write!(out, "frames; cut the stacks off or collapse recursion")
            }
            Kind::TooLong => {
                write!(out, "too much text: expected at most {} bytes, found more; ", u32::MAX)?;
                write!(out, "fold fewer stacks")
            }
        }
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for FoldedError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
    }
}

impl Error for FoldedError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        match &self.kind {
            Kind::Io(error) => Some(error),
            _ => None,
        }
    }
}
