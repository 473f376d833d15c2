//! divan's allocator, which counts per thread even if no benchmark runs.

use divan::AllocProfiler;
use memprof_heap_benches::program;
use std::process::ExitCode;

#[global_allocator]
static ALLOC: AllocProfiler = AllocProfiler::system();

fn main() -> ExitCode {
    program::run(program::no_level)
}
