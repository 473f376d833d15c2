//! The ring of events: one thread writes entries, and another reads them whole, once and in order.

use crate::explore::{every_order, with_interruptions};
use crate::record::ring::{Entry, Place, Ring, Space, WORDS};
use crate::record::sync::AtomicU64;
use crate::record::sync::Ordering::Relaxed;
use loom::sync::Arc;
use loom::thread::{self, JoinHandle};
use std::array::from_fn;

/// Memory that is there from the start.
struct Array<const N: usize>([Place; N]);

impl<const N: usize> Space for Array<N> {
    const ENTRIES: usize = N;

    fn reserve(&self, index: usize) -> Option<&Place> {
        self.place(index)
    }

    fn place(&self, index: usize) -> Option<&Place> {
        self.0.get(index)
    }
}

fn ring<const N: usize>() -> Arc<Ring<Array<N>>> {
    let word = || AtomicU64::new(0);
    Arc::new(Ring {
        written: word(),
        first: word(),
        dropped: word(),
        read: word(),
        reported_dropped: word(),
        space: Array(from_fn(|_| from_fn(|_| word()))),
    })
}

fn entry(number: u64) -> Entry {
    [number; WORDS]
}

/// Reads all entries that exist now, and adds their numbers to `all`. Returns the number of entries
/// that were dropped since the last call.
fn drain(ring: &Ring<impl Space>, all: &mut Vec<u64>) -> u64 {
    let end = ring.end();
    while let Some(entry) = ring.pop(end) {
        assert_eq!(entry, [entry[0]; WORDS], "of one write");
        all.push(entry[0]);
    }
    ring.take_newly_dropped()
}

/// Reads all entries twice on another thread.
fn read_twice<const N: usize>(ring: &Arc<Ring<Array<N>>>) -> JoinHandle<(Vec<u64>, u64)> {
    let ring = ring.clone();
    thread::spawn(move || {
        let mut all = Vec::new();
        let dropped = drain(&ring, &mut all) + drain(&ring, &mut all);
        (all, dropped)
    })
}

#[test]
fn entries_are_read_whole_and_in_order_while_more_are_written() {
    every_order(|| {
        let ring = ring::<2>();
        let reader = thread::spawn({
            let ring = ring.clone();
            move || {
                let mut all = Vec::new();
                let dropped = drain(&ring, &mut all);
                (all, dropped)
            }
        });
        let kept = [1, 2].map(|number| ring.push(entry(number)));
        let (mut all, mut dropped) = reader.join().unwrap();
        dropped += drain(&ring, &mut all);
        assert_eq!((all, dropped), (vec![1, 2], 0));
        assert!(kept[0] == Some(1) && kept[1].is_some_and(|kept| kept >= 1));
    });
}

#[test]
fn a_full_ring_counts_lost_entries_and_overwrites_only_read_ones() {
    with_interruptions(3, || {
        let ring = ring::<1>();
        let reader = read_twice(&ring);
        let kept: Vec<_> = (1..=3).filter(|number| ring.push(entry(*number)).is_some()).collect();
        let (mut all, mut dropped) = reader.join().unwrap();
        dropped += drain(&ring, &mut all);
        assert_eq!(all, kept);
        assert_eq!(kept.len() as u64 + dropped, 3);
    });
}

#[test]
fn a_ring_begins_at_its_first_place_again_whenever_it_is_empty() {
    with_interruptions(3, || {
        let ring = ring::<3>();
        let reader = read_twice(&ring);
        for number in 1..=3 {
            let kept = ring.push(entry(number));
            // After an entry of an empty ring, the next one is at the second place.
            let index = ring.written.load(Relaxed) - ring.first.load(Relaxed);
            assert!(kept.is_some_and(|kept| kept as u64 <= index));
        }
        let (mut all, mut dropped) = reader.join().unwrap();
        dropped += drain(&ring, &mut all);
        assert_eq!((all, dropped), (vec![1, 2, 3], 0));
        assert_eq!(ring.push(entry(4)), Some(1));
        assert_eq!(ring.first.load(Relaxed), 3);
        assert_eq!(ring.space.0[0][0].load(Relaxed), 4);
    });
}
