//! Processes that start, end, fork, or run out of memory.
//!
//! Some tests run this program again, as a child with one task: see `child`.
#![cfg(unix)]

mod before_main;
mod child;
mod exit;
mod fork;
#[cfg(target_os = "linux")]
mod out_of_memory;

use memprof_heap::{Allocator, Level, Rate, set_level, set_rate};
use std::hint::black_box;
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);

/// Makes the tests of this program wait for each other, because the level is global.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Returns a block that the compiler does not optimise away.
fn block(bytes: usize) -> Vec<u8> {
    black_box(Vec::with_capacity(bytes))
}

fn set(level: Level) {
    set_rate(Rate::every(1024));
    set_level(level);
}
