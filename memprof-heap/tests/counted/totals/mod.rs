//! The counts of the process and its threads, compared with the counts of the inner allocator. Each
//! test has a process of its own, because it reads the counts of the whole process.

mod block;
#[cfg(target_os = "linux")]
mod late;
mod peak;
mod short_threads;
mod stress;
mod teardown;
mod threads;

use crate::counting::truth;
use crate::own_process::in_own_process;
use memprof_heap::{Totals, totals};
use memprof_test_support::wait_for;

fn now() -> Totals {
    totals().expect("the level is Counters")
}

/// Returns bytes and blocks allocated, then bytes and blocks freed.
fn figures(all: &Totals) -> [u64; 4] {
    [all.allocated_bytes, all.allocated_blocks, all.freed_bytes, all.freed_blocks]
}

/// Returns the figures of the allocator and of the inner one, at a moment when no thread allocates.
fn both() -> ([u64; 4], [u64; 4]) {
    wait_for("no thread allocates", || {
        let before = truth();
        let counted = figures(&now());
        (truth() == before).then_some((counted, before))
    })
}

#[test]
fn nothing_is_missing_from_the_start_of_the_program_on() {
    in_own_process(|| {
        assert_eq!(now().since, memprof_heap::Since::Start);
        let (counted, truth) = both();
        assert_eq!(counted, truth);
    });
}
