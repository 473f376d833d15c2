//! `tracking-allocator`, switched on, with a tracker that does nothing: its smallest cost in use.

use memprof_heap_benches::program;
use std::alloc::System;
use std::process::ExitCode;
use tracking_allocator::{AllocationGroupId, AllocationRegistry, AllocationTracker, Allocator};

#[global_allocator]
static ALLOC: Allocator<System> = Allocator::system();

struct Idle;

impl AllocationTracker for Idle {
    fn allocated(&self, _address: usize, _bytes: usize, _wrapped: usize, _: AllocationGroupId) {}

    fn deallocated(
        &self,
        _address: usize,
        _bytes: usize,
        _wrapped: usize,
        _source: AllocationGroupId,
        _current: AllocationGroupId,
    ) {
    }
}

fn main() -> ExitCode {
    program::run(|level| {
        program::no_level(level)?;
        AllocationRegistry::set_global_tracker(Idle).map_err(|why| why.to_string())?;
        AllocationRegistry::enable_tracking();
        Ok(())
    })
}
