//! `cargo xtask scaling`: time per name of profiles with many names, kept in `docs/performance.md`.

use crate::{Failure, table};

pub(crate) fn run() -> Result<(), Failure> {
    let benchmark = ["--package", "memprof-benches", "--bench", "scaling"];
    table::keep_bench("scaling", benchmark, "\nBars:")
}
