//! dhat with a running profiler, which records every block with its backtrace.

use memprof_heap_benches::program;
use std::process::ExitCode;

#[global_allocator]
static ALLOC: dhat::Alloc = dhat::Alloc;

fn main() -> ExitCode {
    program::run(|level| {
        program::no_level(level)?;
        // Testing mode records the same and writes no file.
        Ok(dhat::Profiler::builder().testing().build())
    })
}
