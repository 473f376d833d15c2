//! Remembers lines that are too long, to complain about them later. Nobody ever does: this is the
//! leak that the report is to find.

use std::path::Path;
use std::sync::{Mutex, PoisonError};

static LONG_LINES: Mutex<Vec<String>> = Mutex::new(Vec::new());

/// Longer lines than most that people write.
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
