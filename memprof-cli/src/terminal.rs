//! How wide the terminal is.

use std::io;

/// Where the output is no terminal.
const WIDTH: usize = 100;

/// The columns of the terminal that standard output is, or those of a page.
pub(crate) fn width() -> usize {
    columns().unwrap_or(WIDTH)
}

/// The columns of the terminal that standard output is, if it is one.
pub(crate) fn columns() -> Option<usize> {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map(|(width, _)| width.0.into())
}
