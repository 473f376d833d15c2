//! Processes that start, end, fork, or run out of memory.

mod before_main;
mod exit;
mod fork;
#[cfg(target_os = "linux")]
mod out_of_memory;

use crate::block;
use memprof_heap::{Level, Rate, set_level, set_rate};

fn set(level: Level) {
    set_rate(Rate::every(1024));
    set_level(level);
}
