//! A program that counts from its start on, and never switches. Its tests run side by side, and
//! leave the state of the process as it is; the others run in processes of their own.

mod counting;
mod counts;
mod measured;
mod operations;
mod operations_overflow;
mod operations_table;
#[path = "../shared/own_process.rs"]
mod own_process;
#[cfg(unix)]
mod process;
#[path = "../shared/random.rs"]
mod random;
#[path = "../shared/refusing.rs"]
mod refusing;
mod totals;

use memprof_heap::{Allocator, Level};
use std::hint::black_box;

#[global_allocator]
static ALLOC: Allocator<counting::Counting> =
    Allocator::new(counting::Counting).starting_at(Level::Counters);

/// Returns a block that the compiler does not optimise away.
fn block(bytes: usize) -> Vec<u8> {
    black_box(Vec::with_capacity(bytes))
}
