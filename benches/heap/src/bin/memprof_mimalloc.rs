//! memprof's allocator around mimalloc.

use memprof_heap::Allocator;
use memprof_heap_benches::memprof;
use mimalloc::MiMalloc;
use std::process::ExitCode;

#[global_allocator]
static ALLOC: Allocator<MiMalloc> = Allocator::new(MiMalloc);

fn main() -> ExitCode {
    memprof::run()
}
