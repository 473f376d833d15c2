//! A hundred thousand threads that start and end.

use crate::block::Block;
use crate::{alone, both};
use memprof_heap::threads;
use std::thread;

const THREADS: usize = 100_000;
/// Threads that run at once.
const BATCH: usize = 8;
/// More than the number of tests in this program.
const MOST_TESTS: usize = 64;

#[test]
fn places_of_threads_that_ended_are_taken_again_and_no_count_is_lost() {
    let _alone = alone();
    let before = both();
    let entries = threads().expect("the level is Counters").len();
    for _ in 0..THREADS / BATCH {
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
    // The threads of other tests, which wait for this one, may have taken an entry each.
    let more = threads().expect("the level is Counters").len() - entries;
    assert!(more <= BATCH + MOST_TESTS, "{more} entries more");
}
