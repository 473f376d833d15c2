//! `#[memprof::track]` beside the allocator: what functions and futures count, and what they may be.

mod functions;
mod futures;
mod macros;

use memprof::heap::{Level, Operation, operations};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system().starting_at(Level::Counters);

/// What the operation counted up to now.
fn counted(path: &str) -> Operation {
    operations().expect("it is counted").find(path).expect("the operation ran").clone()
}
