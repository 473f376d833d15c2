//! A wrapper that only forwards calls: the cost of a second static allocator that does nothing
//! itself.

use memprof_heap_benches::{forwarding::Forwarding, program};
use std::process::ExitCode;

#[global_allocator]
static ALLOC: Forwarding = Forwarding::system();

fn main() -> ExitCode {
    program::run(program::no_level)
}
