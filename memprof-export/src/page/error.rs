//! The error of writing a page.

use core::fmt;
use memprof_profile::text::WithCauses;
use std::error::Error;
use std::io;

/// The error of writing a page.
pub struct PageError(io::Error);

impl fmt::Display for PageError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("cannot write the page; check the free disk space")
    }
}

/// Prints the text of `Display` and the causes, because `main` and `unwrap` print this form.
impl fmt::Debug for PageError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&WithCauses(self), out)
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
