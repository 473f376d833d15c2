//! The error of writing a page.

use core::fmt;
use std::error::Error;
use std::io;

/// The error of writing a page.
pub struct PageError(io::Error);

impl fmt::Display for PageError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "cannot write the page: {}; check the free disk space", self.0)
    }
}

/// Prints the same text as `Display`, because `main` and `unwrap` print this form.
impl fmt::Debug for PageError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Error for PageError {
    fn source(&self) -> Option<&(dyn Error + 'static)> {
        Some(&self.0)
    }
}

impl From<io::Error> for PageError {
    fn from(error: io::Error) -> Self {
        Self(error)
    }
}
