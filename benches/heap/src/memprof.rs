//! What only memprof's programs have: levels, and operations to enter and leave.

use crate::program;
use crate::workload::Workload;
use std::process::ExitCode;

/// PLUG IN HERE: `guard`, which enters and leaves an operation around nothing:
/// `Box::new(|times| for _ in 0..times { drop(memprof_heap::operation!("guard")) })`.
const WORKLOADS: [Workload; 0] = [];

/// Runs a workload at the level that the command line names, `counters` if it names none.
pub fn run() -> ExitCode {
    program::run_also(&WORKLOADS, |level| set_level(level.unwrap_or("counters")))
}

/// PLUG IN HERE: `memprof_heap::set_level`. Until it is there the allocator always counts.
fn set_level(name: &str) -> Result<(), String> {
    match name {
        "counters" => Ok(()),
        _ => Err(format!("no level is called {name}")),
    }
}
