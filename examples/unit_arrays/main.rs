//! The cost of numbers with a unit: statistics, comparison, sharing, advice.
//!
//! ```console
//! $ cargo run --release --example unit_arrays
//! ```

mod array;
mod unit;

mod scale_factors;
mod table;

mod sizes;
mod small;
mod station;

#[cfg(test)]
mod tests;

use std::io::{self, Write};

fn main() -> io::Result<()> {
    let report = [sizes::report(), small::report(), station::report()].join("\n\n");
    match writeln!(io::stdout(), "{report}") {
        // The reader may close the pipe early, as `head` does.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
