//! memprof's allocator at the level that the command line names.

use memprof_heap_benches::program;
use memprof_heap_benches::workload::Workload;
use std::process::ExitCode;

#[global_allocator]
static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();

/// What only memprof does. PLUG IN HERE: `guard`, which enters and leaves `operation!("guard")`.
const OWN: [Workload; 0] = [];

fn main() -> ExitCode {
    program::run_also(&OWN, |level| set_level(level.unwrap_or("counters")))
}

/// PLUG IN HERE: `memprof_heap::set_level`. Until it is there the allocator always counts.
fn set_level(name: &str) -> Result<(), String> {
    match name {
        "counters" => Ok(()),
        _ => Err(format!("no level is called {name}")),
    }
}
