//! memprof's allocator around jemalloc.

use memprof_heap::Allocator;
use memprof_heap_benches::memprof;
use std::process::ExitCode;
use tikv_jemallocator::Jemalloc;

#[global_allocator]
static ALLOC: Allocator<Jemalloc> = Allocator::new(Jemalloc);

fn main() -> ExitCode {
    memprof::run()
}
