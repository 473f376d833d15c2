//! The width of the terminal.

use std::io;

/// The width if the output is not a terminal.
const WIDTH: usize = 100;

pub(crate) fn width() -> usize {
    columns().unwrap_or(WIDTH)
}

pub(crate) fn width_of_errors() -> usize {
    let size = terminal_size::terminal_size_of(io::stderr());
    size.map_or(WIDTH, |(width, _)| width.0.into())
}

pub(crate) fn columns() -> Option<usize> {
    let size = terminal_size::terminal_size_of(io::stdout());
    size.map(|(width, _)| width.0.into())
}
