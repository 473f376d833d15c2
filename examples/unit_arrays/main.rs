//! What it costs that numbers know their unit: statistics, comparison, sharing, advice.
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
        // Whoever reads may have seen enough, as `head` does.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => Err(error),
        _ => Ok(()),
    }
}
