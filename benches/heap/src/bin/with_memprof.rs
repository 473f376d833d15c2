//! memprof's allocator around the system's.

use memprof_heap_benches::memprof;
use std::process::ExitCode;

#[global_allocator]
static ALLOC: memprof_heap::Allocator = memprof_heap::Allocator::system();

fn main() -> ExitCode {
    memprof::run()
}
