//! The table of live samples. The thread that frees a block finds the block's sample, a thread that
//! clears the table drops all samples, and readers see whole samples.

use crate::explore::{every_order, with_interruptions};
use crate::record::live_table::{EMPTY, Filter, Sample, Slot, Table};
use crate::record::sync::Ordering::{Acquire, Relaxed, Release};
use crate::record::sync::{AtomicU64, AtomicUsize};
use loom::sync::Arc;
use loom::thread;
use std::array::from_fn;

/// One group and one word of counters, so that all samples share them.
pub(crate) type One = Table<1, 1>;

pub(crate) const FIRST: usize = 16;
const SECOND: usize = 32;

pub(crate) fn table() -> Arc<One> {
    Arc::new(One {
        filter: Filter { words: from_fn(|_| AtomicU64::new(0)) },
        slots: from_fn(|_| from_fn(|_| slot())),
        count: AtomicU64::new(0),
    })
}

fn slot() -> Slot {
    Slot {
        address: AtomicUsize::new(EMPTY),
        words: from_fn(|_| AtomicU64::new(0)),
        generation: AtomicU64::new(0),
    }
}

/// Returns a sample in which each word but the address is `which`, so that a mix of two samples
/// shows.
pub(crate) fn sample(address: usize, which: u32) -> Sample {
    let wide = u64::from(which);
    let (site, operation, sampling_run, thread) = (which, which, which, which);
    Sample {
        address,
        size: wide,
        mean: wide,
        site,
        operation,
        sampling_run,
        thread,
        allocated_at: wide,
    }
}

/// Takes a sample as a free does.
pub(crate) fn taken(table: &One, address: usize) -> Option<Sample> {
    if table.may_have(address) { table.take(address) } else { None }
}

fn all(table: &One) -> Vec<Sample> {
    let mut all = Vec::new();
    table.for_each(|sample| all.push(sample));
    all
}

fn is_empty(table: &One) -> bool {
    let counters = table.filter.words.iter().all(|word| word.load(Relaxed) == 0);
    counters && table.count.load(Relaxed) == 0 && all(table).is_empty()
}

#[test]
fn a_thread_takes_the_sample_of_a_block_that_another_passed_to_it() {
    every_order(|| {
        let table = table();
        let handed = Arc::new(AtomicUsize::new(0));
        let frees = thread::spawn({
            let (table, handed) = (table.clone(), handed.clone());
            move || {
                if handed.load(Acquire) == FIRST {
                    assert_eq!(taken(&table, FIRST), Some(sample(FIRST, 1)));
                    assert_eq!(taken(&table, FIRST), None);
                }
            }
        });
        assert!(table.insert(sample(FIRST, 1)));
        handed.store(FIRST, Release);
        frees.join().unwrap();
        let left = handed.load(Relaxed) == FIRST && taken(&table, FIRST).is_some();
        assert!(is_empty(&table), "{left}");
    });
}

#[test]
fn a_sample_is_found_while_another_is_inserted_beside_it() {
    with_interruptions(3, || {
        let table = table();
        let handed = Arc::new(AtomicUsize::new(0));
        let frees = thread::spawn({
            let (table, handed) = (table.clone(), handed.clone());
            move || {
                if handed.load(Acquire) == FIRST {
                    assert_eq!(taken(&table, FIRST), Some(sample(FIRST, 1)));
                }
            }
        });
        let beside = thread::spawn({
            let table = table.clone();
            move || assert!(table.insert(sample(SECOND, 2)))
        });
        assert!(table.insert(sample(FIRST, 1)));
        handed.store(FIRST, Release);
        beside.join().unwrap();
        assert_eq!(taken(&table, SECOND), Some(sample(SECOND, 2)));
        frees.join().unwrap();
    });
}

#[test]
fn two_samples_inserted_at_once_get_a_slot_each() {
    with_interruptions(3, || {
        let table = table();
        let other = thread::spawn({
            let table = table.clone();
            move || {
                assert!(table.insert(sample(SECOND, 2)));
                assert_eq!(taken(&table, SECOND), Some(sample(SECOND, 2)));
            }
        });
        assert!(table.insert(sample(FIRST, 1)));
        assert_eq!(taken(&table, FIRST), Some(sample(FIRST, 1)));
        other.join().unwrap();
        assert!(is_empty(&table));
    });
}

#[test]
fn a_sample_is_dropped_or_taken_but_not_both() {
    with_interruptions(3, || {
        let table = table();
        assert!(table.insert(sample(FIRST, 1)));
        assert!(table.insert(sample(SECOND, 2)));
        let clears = thread::spawn({
            let table = table.clone();
            move || table.retain(|sample| (sample.address == SECOND).then_some(sample.mean))
        });
        let first = taken(&table, FIRST);
        assert!(first.is_none_or(|first| first == sample(FIRST, 1)));
        clears.join().unwrap();
        assert_eq!(table.count.load(Relaxed), 1);
        assert_eq!(taken(&table, SECOND), Some(sample(SECOND, 2)));
        assert!(is_empty(&table));
    });
}

#[test]
fn a_sample_cleared_during_its_insertion_hides_no_other() {
    with_interruptions(3, || {
        let table = table();
        // The second sample is in the slot after the sample that is inserted and cleared.
        assert!(table.insert(sample(FIRST, 1)));
        assert!(table.insert(sample(SECOND, 2)));
        assert!(taken(&table, FIRST).is_some());
        let inserts = thread::spawn({
            let table = table.clone();
            move || assert!(table.insert(sample(FIRST, 1)))
        });
        let clears = thread::spawn({
            let table = table.clone();
            move || table.retain(|sample| (sample.address == SECOND).then_some(sample.mean))
        });
        assert_eq!(taken(&table, SECOND), Some(sample(SECOND, 2)));
        inserts.join().unwrap();
        clears.join().unwrap();
        taken(&table, FIRST);
        assert!(is_empty(&table));
    });
}

#[test]
fn the_count_of_samples_is_never_negative() {
    with_interruptions(3, || {
        let table = table();
        let inserts = thread::spawn({
            let table = table.clone();
            move || assert!(table.insert(sample(FIRST, 1)))
        });
        let clears = thread::spawn({
            let table = table.clone();
            move || table.retain(|_| None)
        });
        assert!(table.count.load(Relaxed) <= 1);
        inserts.join().unwrap();
        clears.join().unwrap();
    });
}

#[test]
fn a_sample_that_is_thinned_while_it_is_taken_is_whole() {
    with_interruptions(3, || {
        let table = table();
        assert!(table.insert(sample(FIRST, 1)));
        let thins = thread::spawn({
            let table = table.clone();
            move || table.retain(|_| Some(9))
        });
        let thinned = Sample { mean: 9, ..sample(FIRST, 1) };
        let found = taken(&table, FIRST).expect("thinning keeps it");
        assert!(found == sample(FIRST, 1) || found == thinned);
        thins.join().unwrap();
        assert!(is_empty(&table));
    });
}

#[test]
pub(crate) fn samples_are_read_whole_while_a_slot_is_reused() {
    with_interruptions(3, || {
        let table = table();
        assert!(table.insert(sample(FIRST, 1)));
        let reads = thread::spawn({
            let table = table.clone();
            move || {
                for seen in all(&table) {
                    assert!([sample(FIRST, 1), sample(SECOND, 2)].contains(&seen), "{seen:?}");
                }
            }
        });
        assert!(taken(&table, FIRST).is_some());
        assert!(table.insert(sample(SECOND, 2)));
        reads.join().unwrap();
    });
}

#[test]
pub(crate) fn samples_are_read_whole_while_an_address_is_reused() {
    with_interruptions(3, || {
        let table = table();
        assert!(table.insert(sample(FIRST, 1)));
        let reads = thread::spawn({
            let table = table.clone();
            move || {
                for seen in all(&table) {
                    assert!([sample(FIRST, 1), sample(FIRST, 2)].contains(&seen), "{seen:?}");
                }
            }
        });
        assert!(taken(&table, FIRST).is_some());
        assert!(table.insert(sample(FIRST, 2)));
        reads.join().unwrap();
    });
}
