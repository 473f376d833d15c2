//! The time that each allocator's program takes, over the plain program's in the same round.
//!
//! `cargo xtask measure overhead-time` runs it and keeps what it prints. Without `--bench`, as under
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
