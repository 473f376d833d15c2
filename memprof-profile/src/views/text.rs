//! The output of a view's writer as a string.

use std::io;

/// Returns the text that `write` writes.
pub(crate) fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    let written = write(&mut bytes).map(|()| String::from_utf8(bytes));
    written.expect("writing to a vector does not fail").expect("names are UTF-8")
}
