//! `cargo xtask politeness`: how long writers wait for a large root, kept in `docs/performance.md`.

use crate::{Failure, table};

pub(crate) fn run() -> Result<(), Failure> {
    let bench = ["--package", "memprof-session-benches", "--bench", "politeness", "--"];
    let arguments = bench.map(str::to_owned).into_iter().chain(std::env::args().skip(2));
    table::keep_bench("politeness", arguments, "| no session |")
}
