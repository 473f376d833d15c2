//! No global allocator named: the system's, as most Rust programs have it.

use memprof_heap_benches::program;
use std::process::ExitCode;

fn main() -> ExitCode {
    program::run(program::no_level)
}
