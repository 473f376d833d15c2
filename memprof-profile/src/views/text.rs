//! What a view writes to a file, as a string.

use std::io;

/// The text that `write` writes: a vector takes everything, and names are UTF-8.
pub(crate) fn text(write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>) -> String {
    let mut bytes = Vec::new();
    let written = write(&mut bytes).map(|()| String::from_utf8(bytes));
    written.expect("a vector takes everything").expect("names are UTF-8")
}
