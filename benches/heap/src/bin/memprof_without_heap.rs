//! The facade's allocator without its feature `heap`. It must cost no more than the forwarding
//! wrapper.
//!
//! This program is built alone, with `--package`, because a build of the whole workspace turns the
//! feature on.

use memprof_heap_benches::program;
use std::process::ExitCode;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system();

fn main() -> ExitCode {
    program::run(program::no_level)
}
