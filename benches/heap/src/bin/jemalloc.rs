//! jemalloc alone.

use memprof_heap_benches::program;
use std::process::ExitCode;
use tikv_jemallocator::Jemalloc;

#[global_allocator]
static ALLOC: Jemalloc = Jemalloc;

fn main() -> ExitCode {
    program::run(program::no_level)
}
