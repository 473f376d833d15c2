//! The parts that only memprof's programs have: levels, and operations to enter and leave.

use crate::program;
use crate::workload::{Work, Workload};
use memprof_heap::Level;
use std::process::ExitCode;

const WORKLOADS: [Workload; 1] = [Workload { name: "guard", prepare: guard }];

/// Runs a workload at the level that the command line names, by default `counters`.
pub fn run() -> ExitCode {
    program::run_also(&WORKLOADS, |level| set_level(level.unwrap_or("counters")))
}

fn set_level(name: &str) -> Result<(), String> {
    memprof_heap::set_level(match name {
        "off" => Level::Off,
        "counters" => Level::Counters,
        "sampled" => Level::Sampled,
        _ => return Err(format!("no level is called {name}")),
    });
    Ok(())
}

/// Enters and leaves an empty operation.
fn guard() -> Work {
    Box::new(|times| {
        for _ in 0..times {
            drop(memprof_heap::operation!("guard"));
        }
    })
}
