//! Warnings while a session records: printed once on standard error, and kept for the document.

use core::fmt;
use std::io::Write;

/// The warnings of a session, each once.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    given: Vec<String>,
}

/// Prints a warning on standard error, if that is open.
pub(crate) fn print(warning: &dyn fmt::Display) {
    let _ = writeln!(std::io::stderr(), "memprof: {warning}");
}

/// Warnings beyond this number are dropped, because the user would not read them.
const MAX: usize = 64;

impl Warnings {
    /// Prints and stores a warning, unless it was given before.
    pub(crate) fn warn(&mut self, warning: String) {
        if self.given.len() == MAX || self.given.contains(&warning) {
            return;
        }
        print(&warning);
        self.given.push(warning);
    }

    pub(crate) fn all(&self) -> &[String] {
        &self.given
    }
}
