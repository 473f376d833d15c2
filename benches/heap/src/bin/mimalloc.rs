//! mimalloc alone.

use memprof_heap_benches::program;
use mimalloc::MiMalloc;
use std::process::ExitCode;

#[global_allocator]
static ALLOC: MiMalloc = MiMalloc;

fn main() -> ExitCode {
    program::run(program::no_level)
}
