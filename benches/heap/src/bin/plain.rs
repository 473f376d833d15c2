//! No global allocator is declared: the program uses the system's, like most Rust programs.

use memprof_heap_benches::program;
use std::process::ExitCode;

fn main() -> ExitCode {
    program::run(program::no_level)
}
