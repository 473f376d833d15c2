//! How wide the terminal is.

use std::io;

/// Where the output is no terminal.
const WIDTH: usize = 100;

/// The columns of the terminal that standard output is.
pub(crate) fn width() -> usize {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map_or(WIDTH, |(width, _)| width.0.into())
}
