//! The time of each allocator's program, relative to the plain program in the same round.
//!
//! `cargo xtask measure overhead-time` runs this program and stores its output. Without `--bench`,
//! as under `cargo test`, there is one short round.

mod markdown;

use memprof_heap_benches::wall::plan::Plan;
use memprof_heap_benches::wall::programs::Programs;
use memprof_heap_benches::wall::rounds::measure;
use memprof_heap_benches::wall::sides::WORKLOADS;
use std::process::ExitCode;

fn main() -> ExitCode {
    let plan =
        if std::env::args().any(|word| word == "--bench") { Plan::FULL } else { Plan::SHORT };
    let programs = Programs::beside(env!("CARGO_BIN_EXE_plain")).built_for(plan);
    let measured: Result<Vec<_>, _> =
        WORKLOADS.iter().map(|workload| measure(workload, plan, &programs)).collect();
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
