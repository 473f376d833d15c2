//! `stats_alloc`, which counts in atomic counters that all threads share.

use memprof_heap_benches::program;
use stats_alloc::{INSTRUMENTED_SYSTEM, StatsAlloc};
use std::alloc::System;
use std::process::ExitCode;

#[global_allocator]
static ALLOC: &StatsAlloc<System> = &INSTRUMENTED_SYSTEM;

fn main() -> ExitCode {
    program::run(program::no_level)
}
