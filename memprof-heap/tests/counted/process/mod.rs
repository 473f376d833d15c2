//! Processes that start, end, fork, or run out of memory.

mod before_main;
mod exit;
mod fork;
mod loader;
#[cfg(target_os = "linux")]
mod out_of_memory;
#[cfg(target_os = "linux")]
mod pid_namespaces;
mod thread_exit;

use crate::block;
use memprof_heap::{Level, Rate, set_level, set_rate};

fn set(level: Level) {
    set_rate(Rate::every(1024));
    set_level(level);
}
