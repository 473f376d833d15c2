//! The table of numbers: two threads with the same value get the same number.

use crate::explore::every_order;
use crate::record::numbers::{Numbers, Value};
use crate::record::sync::Ordering::Relaxed;
use crate::record::sync::{AtomicU32, AtomicU64};
use loom::sync::Arc;
use loom::thread;
use std::array::from_fn;

/// A value of two words, so that a half-written one shows.
type Pair = [AtomicU32; 2];
type Table<const N: usize> = Numbers<Pair, 1, N>;

/// Creates a table of `N` numbers, of which the first is of no value.
fn table<const N: usize>() -> Arc<Table<N>> {
    Arc::new(Table {
        slots: from_fn(|_| from_fn(|_| AtomicU64::new(0))),
        given: AtomicU32::new(0),
        values: from_fn(|_| Value {
            is_written: AtomicU32::new(0),
            value: from_fn(|_| AtomicU32::new(0)),
        }),
    })
}

fn words(pair: &Pair) -> [u32; 2] {
    [0, 1].map(|word| pair[word].load(Relaxed))
}

/// Returns the number of a value. The hash has the bits of the slot and the others.
fn number<const N: usize>(table: &Table<N>, hash: u64, value: u32) -> Option<u32> {
    let write = |pair: &Pair| pair.iter().for_each(|word| word.store(value, Relaxed));
    table.number_of(hash << 16 | hash, |pair| words(pair) == [value; 2], write)
}

#[test]
fn the_same_value_has_one_number_and_different_ones_two() {
    every_order(|| {
        // Both threads may take a number for each of the two values, because they store the same ones.
        let table = table::<5>();
        let other = thread::spawn({
            let table = table.clone();
            move || [number(&table, 1, 10), number(&table, 2, 20)]
        });
        let [second, first] = [number(&table, 2, 20), number(&table, 1, 10)];
        assert_eq!(other.join().unwrap(), [first, second]);
        assert_ne!(first, second);
        for (number, value) in [(first, 10), (second, 20)] {
            assert_eq!(words(table.get(number.unwrap()).unwrap()), [value; 2]);
        }
    });
}

#[test]
fn values_of_one_hash_have_numbers_of_their_own() {
    every_order(|| {
        let table = table::<4>();
        let other = thread::spawn({
            let table = table.clone();
            move || number(&table, 1, 10)
        });
        let second = number(&table, 1, 20);
        let first = number(&table, 1, 10);
        assert_eq!(other.join().unwrap(), first);
        assert_ne!(first, second);
    });
}

#[test]
fn a_value_is_read_whole_or_not_at_all() {
    every_order(|| {
        let table = table::<3>();
        let writes = thread::spawn({
            let table = table.clone();
            move || number(&table, 1, 10)
        });
        for number in table.all() {
            assert!(table.get(number).is_none_or(|pair| words(pair) == [10; 2]));
        }
        assert!(table.get(1).is_none_or(|pair| words(pair) == [10; 2]));
        let number = writes.join().unwrap().unwrap();
        assert_eq!(words(table.get(number).unwrap()), [10; 2]);
    });
}

#[test]
fn a_full_table_has_no_number_for_new_values_and_keeps_earlier_ones() {
    every_order(|| {
        let table = table::<2>();
        let first = number(&table, 1, 10);
        let other = thread::spawn({
            let table = table.clone();
            move || number(&table, 2, 20)
        });
        assert_eq!(number(&table, 3, 30), None);
        assert_eq!(other.join().unwrap(), None);
        assert_eq!(number(&table, 1, 10), first);
        assert_eq!(table.all(), 1..2);
    });
}

#[test]
fn a_table_for_two_stores_two_of_three_values() {
    every_order(|| {
        let table = table::<3>();
        let other = thread::spawn({
            let table = table.clone();
            move || [number(&table, 1, 10), number(&table, 2, 20)]
        });
        let third = number(&table, 3, 30);
        let mut numbers = other.join().unwrap().to_vec();
        numbers.push(third);
        numbers.sort_unstable();
        assert_eq!(numbers, [None, Some(1), Some(2)]);
    });
}
