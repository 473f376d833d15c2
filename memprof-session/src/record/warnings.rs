//! What goes wrong while a session records: said once on standard error, and kept for the report.

use std::io::Write;

/// The warnings of a session, each once.
#[derive(Debug, Default)]
pub(crate) struct Warnings {
    said: Vec<String>,
}

/// Of more kinds nobody reads.
const MOST: usize = 64;

impl Warnings {
    /// Warns of something, unless it was warned of before.
    pub(crate) fn warn(&mut self, warning: String) {
        if self.said.len() == MOST || self.said.contains(&warning) {
            return;
        }
        // Whoever closed standard error does not want to know.
        let _ = writeln!(std::io::stderr(), "memprof: {warning}");
        self.said.push(warning);
    }

    pub(crate) fn all(&self) -> &[String] {
        &self.said
    }
}
