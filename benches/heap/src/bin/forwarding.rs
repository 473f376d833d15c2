//! A wrapper that passes calls on: what a second static costs before it does anything.

use memprof_heap_benches::{forwarding::Forwarding, program};
use std::process::ExitCode;

#[global_allocator]
static ALLOC: Forwarding = Forwarding::system();

fn main() -> ExitCode {
    program::run(program::no_level)
}
