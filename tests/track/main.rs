//! `#[memprof::track]` with the allocator: the counts and kinds of functions and futures.

mod functions;
mod futures;
mod macros;

use memprof::heap::operation::Operation;
use memprof::heap::{Level, operations};

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system().starting_at(Level::Counters);

/// Returns the counts of the operation so far.
fn counted(path: &str) -> Operation {
    operations().expect("it is counted").find(path).expect("the operation ran").clone()
}
