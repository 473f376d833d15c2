//! The time of each allocator's program, relative to the plain program in the same round.
//!
//! `cargo xtask measure overhead-time` runs it and stores its output. Without `--bench`, as under
//! `cargo test`, there is one short round.

mod markdown;
mod rounds;
mod sides;

use rounds::Plan;
use sides::WORKLOADS;
use std::process::ExitCode;

fn main() -> ExitCode {
    let plan =
        if std::env::args().any(|word| word == "--bench") { Plan::FULL } else { Plan::SHORT };
    let measured: Result<Vec<_>, _> =
        WORKLOADS.iter().map(|workload| rounds::measure(workload, plan)).collect();
    match measured {
        Ok(columns) => {
            print!("{}", markdown::document(&columns, plan));
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("{why}");
            ExitCode::FAILURE
        }
    }
}
