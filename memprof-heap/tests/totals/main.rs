//! The counts of the process and its threads, compared with the counts of an inner allocator.

mod block;
mod inner;
#[cfg(target_os = "linux")]
mod late;
mod peak;
mod random;
mod short_threads;
mod stress;
mod teardown;
mod threads;

use memprof_heap::{Allocator, Level, Totals, totals};
use std::sync::{Mutex, MutexGuard, PoisonError};

#[global_allocator]
static ALLOC: Allocator<inner::Inner> = Allocator::new(inner::Inner).starting_at(Level::Counters);

/// Makes the tests of this program wait for each other, because totals are global.
fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

fn now() -> Totals {
    totals().expect("the level is Counters")
}

/// Returns bytes and blocks allocated, then bytes and blocks freed.
fn figures(all: &Totals) -> [u64; 4] {
    [all.allocated_bytes, all.allocated_blocks, all.freed_bytes, all.freed_blocks]
}

/// Returns the figures of the allocator and of the inner one, at a moment when no thread allocates.
fn both() -> ([u64; 4], [u64; 4]) {
    loop {
        let before = inner::truth();
        let counted = figures(&now());
        if inner::truth() == before {
            return (counted, before);
        }
        std::thread::yield_now();
    }
}

#[test]
fn nothing_is_missing_from_the_start_of_the_program_on() {
    let _alone = alone();
    assert_eq!(now().since, memprof_heap::Since::Start);
    let (counted, [bytes, blocks, freed_bytes, freed_blocks]) = both();
    // The byte that tests the installation is not counted.
    assert_eq!(counted, [bytes - 1, blocks - 1, freed_bytes - 1, freed_blocks - 1]);
}
