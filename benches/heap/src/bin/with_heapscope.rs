//! heapscope with a running profiler, which records every block with its backtrace.

use heapscope::{Alloc, Profiler};
use memprof_heap_benches::program;
use std::process::ExitCode;

#[global_allocator]
static ALLOC: Alloc = Alloc::system();

fn main() -> ExitCode {
    program::run(|level| {
        program::no_level(level)?;
        // The profile is not written, because its cost depends on the length of the program.
        Profiler::builder().no_output().build().map_err(|why| why.to_string())
    })
}
