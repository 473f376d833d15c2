//! `cargo xtask overhead-time`: time under each global allocator, kept in `docs/performance.md`.

use crate::{Failure, table};

pub(crate) fn run() -> Result<(), Failure> {
    table::keep_bench(
        "overhead-time",
        ["--package", "memprof-heap-benches", "--bench", "wall", "--features", "inner"],
        "| plain program |",
    )
}
