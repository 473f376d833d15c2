//! The table of call stacks: two threads that come with the same stack get the same number.

#[path = "../../../src/sampling/call_sites/stacks.rs"]
mod stacks;

use crate::explore::every_order;
use crate::sync::{AtomicU32, AtomicU64, AtomicUsize};
use loom::sync::Arc;
use loom::thread;
use stacks::{OTHER, Place, Stacks};
use std::array::from_fn;

/// Room for two stacks.
fn table() -> Arc<Stacks<3>> {
    Arc::new(Stacks {
        hashes: from_fn(|_| AtomicU64::new(0)),
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
        let table = table();
        let other = thread::spawn({
            let table = table.clone();
            move || [table.number_of(&STACKS[0]), table.number_of(&STACKS[1])]
        });
        let [second, first] = [table.number_of(&STACKS[1]), table.number_of(&STACKS[0])];
        assert_eq!(other.join().unwrap(), [first, second]);
        assert_ne!(first, second);
        assert!(first != OTHER && second != OTHER);
        assert_eq!(table.frames_of(first), STACKS[0]);
        assert_eq!(table.frames_of(second), STACKS[1]);
    });
}

#[test]
fn a_stack_is_read_whole_or_not_at_all() {
    every_order(|| {
        let table = table();
        let writes = thread::spawn({
            let table = table.clone();
            move || table.number_of(&STACKS[0])
        });
        for number in 1..3 {
            let frames = table.frames_of(number);
            assert!(frames.is_empty() || frames == STACKS[0], "{frames:?}");
        }
        let number = writes.join().unwrap();
        assert_eq!(table.frames_of(number), STACKS[0]);
    });
}

#[test]
fn of_three_stacks_one_finds_no_place_in_a_table_of_two() {
    every_order(|| {
        let table = table();
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
