//! `cargo xtask units`: an array with a unit beside the raw vector, kept in `docs/performance.md`.

use crate::{Failure, table};

pub(crate) fn run() -> Result<(), Failure> {
    let arguments = ["--package", "memprof-benches", "--bench", "units"];
    table::keep_bench("units", arguments, "| scale |")
}
