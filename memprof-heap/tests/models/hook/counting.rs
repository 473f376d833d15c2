//! The counters of a thread: who reads them sees what was counted at some moment.

use super::counters::Counters;
use crate::explore::{every_order, with_interruptions};
use crate::sync::{AtomicI64, AtomicU32, AtomicU64};
use loom::sync::Arc;
use loom::thread;

fn counters() -> Arc<Counters> {
    Arc::new(Counters {
        countdown: AtomicI64::new(0),
        room: AtomicI64::new(0),
        allocated_blocks: AtomicU64::new(0),
        freed_blocks: AtomicU64::new(0),
        armed: AtomicI64::new(0),
        ceiling: AtomicI64::new(0),
        version: AtomicU32::new(0),
    })
}

#[test]
fn words_set_anew_change_nothing_that_is_read() {
    with_interruptions(4, || {
        let counters = counters();
        counters.count_allocation(100);
        let reads = thread::spawn({
            let counters = counters.clone();
            move || assert_eq!(counters.pairs(), (100, 100))
        });
        counters.arm(1000);
        counters.set_ceiling(counters.live());
        reads.join().unwrap();
        assert_eq!(counters.pairs(), (100, 100));
    });
}

#[test]
fn bytes_read_are_those_of_some_moment() {
    with_interruptions(3, || {
        let counters = counters();
        counters.count_allocation(100);
        let reads = thread::spawn({
            let counters = counters.clone();
            move || {
                let (allocated, live) = counters.pairs();
                assert!([100, 110].contains(&allocated), "{allocated}");
                assert!([100, 110, 109].contains(&live), "{live}");
            }
        });
        counters.arm(1000);
        counters.count_allocation(10);
        counters.set_ceiling(counters.live());
        counters.count_free(1);
        reads.join().unwrap();
    });
}

#[test]
fn never_is_more_read_to_be_freed_than_allocated() {
    every_order(|| {
        let counters = counters();
        let reads = thread::spawn({
            let counters = counters.clone();
            move || {
                let counts = counters.counts();
                assert!(counts.freed_bytes <= counts.allocated_bytes, "{counts:?}");
                assert!(counts.freed_blocks <= counts.allocated_blocks, "{counts:?}");
            }
        });
        counters.count_allocation(10);
        counters.count_free(4);
        reads.join().unwrap();
    });
}
