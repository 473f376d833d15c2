//! The table of call stacks: two threads with the same stack get the same number.

use crate::explore::every_order;
use crate::record::stack_table::{OTHER, Place, Table};
use crate::record::sync::{AtomicU32, AtomicU64, AtomicUsize};
use loom::sync::Arc;
use loom::thread;
use std::array::from_fn;

/// Creates a table of `N` numbers: `OTHER`, and the rest for stacks.
fn table<const N: usize>() -> Arc<Table<N>> {
    Arc::new(Table {
        used: AtomicU32::new(0),
        slots: from_fn(|_| from_fn(|_| AtomicU64::new(0))),
        places: from_fn(|_| Place {
            len: AtomicU32::new(0),
            frames: from_fn(|_| AtomicUsize::new(0)),
        }),
    })
}

const STACKS: [[usize; 2]; 3] = [[10, 11], [20, 21], [30, 31]];

#[test]
fn the_same_stack_has_one_number_and_different_ones_two() {
    every_order(|| {
        // Both threads may take a number for each of the two stacks, because they store the same
        // ones.
        let table = table::<5>();
        let other = thread::spawn({
            let table = table.clone();
            move || [table.number_of(&STACKS[0]), table.number_of(&STACKS[1])]
        });
        let [second, first] = [table.number_of(&STACKS[1]), table.number_of(&STACKS[0])];
        assert_eq!(other.join().unwrap(), [first, second]);
        assert_ne!(first, second);
        assert_eq!(table.frames_of(first), STACKS[0]);
        assert_eq!(table.frames_of(second), STACKS[1]);
    });
}

#[test]
fn a_stack_is_read_whole_or_not_at_all() {
    every_order(|| {
        let table = table::<3>();
        let writes = thread::spawn({
            let table = table.clone();
            move || table.number_of(&STACKS[0])
        });
        for number in 1..3 {
            let frames = table.frames_of(number);
            assert!(frames.is_empty() || frames == STACKS[0], "{frames:?}");
        }
        assert_eq!(table.frames_of(writes.join().unwrap()), STACKS[0]);
    });
}

#[test]
fn a_table_for_two_stores_two_of_three_stacks() {
    every_order(|| {
        let table = table::<3>();
        let other = thread::spawn({
            let table = table.clone();
            move || [table.number_of(&STACKS[0]), table.number_of(&STACKS[1])]
        });
        let third = table.number_of(&STACKS[2]);
        let mut numbers = other.join().unwrap().to_vec();
        numbers.push(third);
        numbers.sort_unstable();
        assert_eq!(numbers, [OTHER, 1, 2]);
    });
}
