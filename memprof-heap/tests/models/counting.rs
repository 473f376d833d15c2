//! The counters of a thread: readers see the counts of one moment.

use crate::explore::with_interruptions;
use crate::record::counters::{Counters, Counts};
use crate::record::sync::Ordering::{Acquire, Release};
use crate::record::sync::{AtomicI64, AtomicU32, AtomicU64};
use loom::sync::Arc;
use loom::thread;

fn counters() -> Arc<Counters> {
    Arc::new(Counters {
        countdown: AtomicI64::new(1000),
        headroom: AtomicI64::new(0),
        allocated_blocks: AtomicU64::new(0),
        freed_blocks: AtomicU64::new(0),
        armed: AtomicI64::new(1000),
        high_water: AtomicI64::new(0),
        version: AtomicU32::new(0),
    })
}

/// Counts as the hook does when the thread need not stop.
fn count_allocation(counters: &Counters, bytes: usize) {
    counters.count_bytes(bytes);
    counters.count_live(bytes);
}

#[test]
fn resetting_a_countdown_changes_no_read_count() {
    with_interruptions(4, || {
        let counters = counters();
        count_allocation(&counters, 100);
        let reads = thread::spawn({
            let counters = counters.clone();
            move || assert_eq!(counters.pairs(), (100, 100))
        });
        counters.arm(1000);
        counters.reset_high_water();
        reads.join().unwrap();
        assert_eq!(counters.pairs(), (100, 100));
    });
}

#[test]
fn bytes_read_are_those_of_some_moment() {
    with_interruptions(3, || {
        let counters = counters();
        count_allocation(&counters, 100);
        let reads = thread::spawn({
            let counters = counters.clone();
            move || {
                let (allocated, live) = counters.pairs();
                assert!([100, 110].contains(&allocated), "{allocated}");
                assert!([100, 110, 109].contains(&live), "{live}");
            }
        });
        counters.arm(1000);
        count_allocation(&counters, 10);
        counters.reset_high_water();
        counters.count_free(1);
        reads.join().unwrap();
    });
}

#[test]
fn read_counts_never_have_more_freed_than_allocated() {
    with_interruptions(3, || {
        let counters = counters();
        let reads = thread::spawn({
            let counters = counters.clone();
            move || {
                let counts = counters.counts();
                assert!(counts.freed_bytes <= counts.allocated_bytes, "{counts:?}");
                assert!(counts.freed_blocks <= counts.allocated_blocks, "{counts:?}");
                assert!([0, 10].contains(&counts.freed_bytes), "{counts:?}");
            }
        });
        count_allocation(&counters, 10);
        counters.reset_high_water();
        counters.count_free(10);
        reads.join().unwrap();
    });
}

#[test]
fn a_block_that_grows_is_never_seen_as_freed_more_than_allocated() {
    with_interruptions(3, || {
        let counters = counters();
        count_allocation(&counters, 10);
        let reads = thread::spawn({
            let counters = counters.clone();
            move || {
                let counts = counters.counts();
                assert!(counts.freed_bytes <= counts.allocated_bytes, "{counts:?}");
                assert!(counts.freed_blocks <= counts.allocated_blocks, "{counts:?}");
                assert!([10, 35].contains(&counts.allocated_bytes), "{counts:?}");
            }
        });
        counters.count_bytes(25);
        counters.count_growth(10, 25);
        reads.join().unwrap();
        let counts = counters.counts();
        assert_eq!((counts.allocated_bytes, counts.freed_bytes), (35, 10));
        assert_eq!((counts.allocated_blocks, counts.freed_blocks), (2, 1));
    });
}

#[test]
fn a_block_for_which_a_thread_stops_is_not_seen_as_freed() {
    with_interruptions(3, || {
        let counters = counters();
        let reads = thread::spawn({
            let counters = counters.clone();
            move || {
                let counts = counters.counts();
                assert_eq!(counts.freed_bytes, 0, "{counts:?}");
                assert!([0, 2000].contains(&counts.allocated_bytes), "{counts:?}");
            }
        });
        assert!(counters.count_bytes(2000));
        counters.count_live(2000);
        counters.arm(0);
        reads.join().unwrap();
    });
}

#[test]
fn a_block_freed_by_another_thread_is_read_as_allocated() {
    with_interruptions(3, || {
        let threads = [counters(), counters()];
        let handed = Arc::new(AtomicU32::new(0));
        let frees = thread::spawn({
            let (counters, handed) = (threads[1].clone(), handed.clone());
            move || {
                if handed.load(Acquire) == 1 {
                    counters.count_free(10);
                }
            }
        });
        let allocates = thread::spawn({
            let counters = threads[0].clone();
            move || {
                count_allocation(&counters, 10);
                handed.store(1, Release);
            }
        });
        let seen = Counts::of_all(|| threads.iter().map(|counters| counters.counts()));
        // Only the block that was just being counted may seem to be freed too early.
        assert!(seen.freed_bytes <= seen.allocated_bytes + 10, "{seen:?}");
        let counts = seen.settled(true);
        assert!(counts.freed_bytes <= counts.allocated_bytes, "{counts:?}");
        assert!(counts.freed_blocks <= counts.allocated_blocks, "{counts:?}");
        frees.join().unwrap();
        allocates.join().unwrap();
    });
}
