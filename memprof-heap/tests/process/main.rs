//! The beginning, the end and the copies of processes, and those that have no memory left.
//!
//! Some tests run this program again, as a child that does one thing and exits: see `child`.
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

/// Levels are the process's: the tests of this program wait for each other.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A block that the compiler does not optimise away.
fn block(bytes: usize) -> Vec<u8> {
    black_box(Vec::with_capacity(bytes))
}

fn set(level: Level) {
    set_rate(Rate::every(1024));
    set_level(level);
}
