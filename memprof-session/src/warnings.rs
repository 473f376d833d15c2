//! Warnings while a session records: printed once on standard error, and kept for the document.

#![cfg_attr(unix, expect(unsafe_code, reason = "writes to the descriptor of standard error"))]

use core::fmt;

#[derive(Debug, Default)]
pub(crate) struct Warnings {
    given: Vec<String>,
}

/// Not by `std::io::stderr`: if its lock is held at a fork, the child can never print again.
#[cfg(unix)]
pub(crate) fn print(warning: &dyn fmt::Display) {
    let line = format!("memprof: {warning}\n");
    let mut left = line.as_bytes();
    while !left.is_empty() {
        // SAFETY: the pointer and the length are those of the text.
        let written = unsafe { libc::write(libc::STDERR_FILENO, left.as_ptr().cast(), left.len()) };
        let Some(rest) = usize::try_from(written).ok().and_then(|written| left.get(written..))
        else {
            return;
        };
        left = rest;
    }
}

#[cfg(not(unix))]
pub(crate) fn print(warning: &dyn fmt::Display) {
    use std::io::Write;

    let _ = writeln!(std::io::stderr(), "memprof: {warning}");
}

/// Warnings beyond this number are dropped, because the user would not read them.
const MAX: usize = 64;

impl Warnings {
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
