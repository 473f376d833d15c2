//! Thousands of threads that start and end.

use super::block::Block;
use super::both;
use crate::own_process::in_own_process;
use memprof_heap::threads;
use memprof_test_support::rounds;
use std::thread;

/// Threads that run at once.
const BATCH: usize = 8;
/// More than the number of threads that the harness and this test run at once.
const OTHERS: usize = 8;

#[test]
fn entries_of_ended_threads_are_reused_and_no_count_is_lost() {
    in_own_process(|| {
        let before = both();
        let entries = threads().expect("the level is Counters").len();
        for _ in 0..rounds(10_000, 100_000) / BATCH {
            let batch: Vec<_> = (0..BATCH)
                .map(|thread| {
                    let block = Block::new(100 + thread);
                    thread::spawn(move || {
                        drop(Block::new(10));
                        block.resized(300)
                    })
                })
                .collect();
            for thread in batch {
                drop(thread.join().expect("it does not panic"));
            }
        }
        let after = both();
        let since = |all: [u64; 4], start: [u64; 4]| [0, 1, 2, 3].map(|at| all[at] - start[at]);
        assert_eq!(since(after.0, before.0), since(after.1, before.1));
        let more = threads().expect("the level is Counters").len() - entries;
        assert!(more <= BATCH + OTHERS, "{more} entries more");
    });
}
