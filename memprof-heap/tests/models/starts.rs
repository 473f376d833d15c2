//! The counts at the moment when counting began are read whole while they are replaced.

use crate::explore::with_interruptions;
use crate::record::counters::Counts;
use crate::record::counters::{CountingStart, Record, Records};
use crate::record::sync::{AtomicI64, AtomicU64};
use loom::sync::Arc;
use loom::thread;
use std::array::from_fn;

/// Returns a record in which each word is `which`, so that a mix of two records shows.
fn start(which: u64) -> CountingStart {
    let counts = Counts {
        allocated_bytes: which,
        allocated_blocks: which,
        freed_bytes: which,
        freed_blocks: which,
    };
    CountingStart {
        moment: which,
        program: counts,
        profilers: counts,
        profilers_live: which.cast_signed(),
    }
}

#[test]
fn a_record_that_is_read_while_two_follow_it_is_whole() {
    with_interruptions(3, || {
        let record = || Record {
            moment: AtomicU64::new(0),
            program: from_fn(|_| AtomicU64::new(0)),
            profilers: from_fn(|_| AtomicU64::new(0)),
            profilers_live: AtomicI64::new(0),
        };
        let records =
            Arc::new(Records { version: AtomicU64::new(0), records: from_fn(|_| record()) });
        let reads = thread::spawn({
            let records = records.clone();
            move || {
                let (read, version) = records.read();
                assert_eq!(read, start(version));
            }
        });
        records.replace(start(1));
        records.replace(start(2));
        reads.join().unwrap();
        assert_eq!(records.read(), (start(2), 2));
    });
}
