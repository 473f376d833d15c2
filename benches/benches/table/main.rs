//! The table of `docs/performance.md`: all sides in one process, interleaved, and the bars.
//!
//! `cargo xtask measure table` runs it and stores its output. `--check` makes a missed bar an
//! error. Without `--bench`, as under `cargo test`, the values are small.

mod bars;
mod markdown;
mod rounds;

use memprof_benches::counting::Counting;
use memprof_benches::values::WORKLOADS;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

fn main() -> ExitCode {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let has = |word: &str| words.iter().any(|given| given == word);
    let wanted = words.iter().find(|word| !word.starts_with('-'));
    let smaller = if has("--bench") { 1 } else { 1_000 };

    let rows: Vec<_> = WORKLOADS
        .into_iter()
        .filter(|workload| wanted.is_none_or(|word| workload.name.contains(word.as_str())))
        .map(|workload| rounds::measure(workload, workload.size / smaller))
        .collect();
    let verdicts = bars::judge(&rows);
    println!("{}", markdown::document(&rows, &verdicts));
    let missed = verdicts.iter().any(|verdict| !verdict.met);
    if missed && has("--check") { ExitCode::FAILURE } else { ExitCode::SUCCESS }
}
