//! Stores lines that are too long, for a later warning. The program never prints the warning or
//! frees the lines: this is the leak that a session should find.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

static LONG_LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// A length above the length of most lines.
const LONG: usize = 60;

/// Keeps the long lines of a file.
#[memprof::track]
pub(crate) fn remember(path: &Path, text: &str) {
    for (number, line) in text.lines().enumerate().filter(|(_, line)| line.len() > LONG) {
        let complaint = complain(path, number, line);
        LONG_LINES.lock().unwrap_or_else(PoisonError::into_inner).push(complaint);
    }
}

fn complain(path: &Path, number: usize, line: &str) -> String {
    format!("{}:{}: {} bytes: {line}", path.display(), number + 1, line.len())
}
