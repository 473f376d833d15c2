//! Operations that are timed, sampled, and counted across changes of the level.

mod levels;
mod retained;
mod wall_time;

use memprof_heap::operation::Operation;
use memprof_heap::{Allocator, Level, operations, set_level};
use std::hint::black_box;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);

/// Makes the tests of this program wait for each other, because levels and clocks are global.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    let alone = ALONE.lock().unwrap_or_else(PoisonError::into_inner);
    set_level(Level::Counters);
    memprof_heap::operation::set_wall_time(false);
    alone
}

/// Returns a block that the compiler does not optimise away.
#[inline(never)]
fn block(bytes: usize) -> Vec<u8> {
    black_box(Vec::with_capacity(bytes))
}

fn find(path: &str) -> Operation {
    let all = operations().expect("it counts");
    all.find(path).unwrap_or_else(|| panic!("no {path}")).clone()
}
