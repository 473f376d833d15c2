//! The table of call stacks: two threads with the same stack get the same place.

use crate::explore::every_order;
use crate::record::stack_table::{Place, Stacks, hash};
use crate::record::sync::{AtomicU32, AtomicU64, AtomicUsize};
use loom::sync::Arc;
use loom::thread;
use std::array::from_fn;

/// A table with `PLACES` slots and places.
struct Table<const PLACES: usize> {
    slots: [AtomicU64; PLACES],
    used: AtomicU32,
    places: [Place; PLACES],
}

impl<const PLACES: usize> Table<PLACES> {
    fn place_of(&self, frames: &[usize]) -> Option<usize> {
        self.stacks().place_of(hash(frames), frames)
    }

    fn frames_of(&self, place: usize) -> Vec<usize> {
        self.stacks().frames_of(place)
    }

    fn stacks(&self) -> Stacks<'_> {
        Stacks { slots: &self.slots, used: &self.used, places: &self.places }
    }
}

fn table<const PLACES: usize>() -> Arc<Table<PLACES>> {
    Arc::new(Table {
        used: AtomicU32::new(0),
        slots: from_fn(|_| AtomicU64::new(0)),
        places: from_fn(|_| Place {
            len: AtomicU32::new(0),
            frames: from_fn(|_| AtomicUsize::new(0)),
        }),
    })
}

const STACKS: [[usize; 2]; 3] = [[10, 11], [20, 21], [30, 31]];

#[test]
fn the_same_stack_has_one_place_and_different_ones_two() {
    every_order(|| {
        // Both threads may take a place for each of the two stacks, because they store the same
        // ones.
        let table = table::<4>();
        let other = thread::spawn({
            let table = table.clone();
            move || [table.place_of(&STACKS[0]), table.place_of(&STACKS[1])]
        });
        let [second, first] = [table.place_of(&STACKS[1]), table.place_of(&STACKS[0])];
        assert_eq!(other.join().unwrap(), [first, second]);
        assert_ne!(first, second);
        assert_eq!(table.frames_of(first.unwrap()), STACKS[0]);
        assert_eq!(table.frames_of(second.unwrap()), STACKS[1]);
    });
}

#[test]
fn a_stack_is_read_whole_or_not_at_all() {
    every_order(|| {
        let table = table::<2>();
        let writes = thread::spawn({
            let table = table.clone();
            move || table.place_of(&STACKS[0])
        });
        for place in 0..2 {
            let frames = table.frames_of(place);
            assert!(frames.is_empty() || frames == STACKS[0], "{frames:?}");
        }
        let place = writes.join().unwrap().unwrap();
        assert_eq!(table.frames_of(place), STACKS[0]);
    });
}

#[test]
fn a_table_of_two_stores_two_of_three_stacks() {
    every_order(|| {
        let table = table::<2>();
        let other = thread::spawn({
            let table = table.clone();
            move || [table.place_of(&STACKS[0]), table.place_of(&STACKS[1])]
        });
        let third = table.place_of(&STACKS[2]);
        let mut places = other.join().unwrap().to_vec();
        places.push(third);
        places.sort_unstable();
        assert_eq!(places, [None, Some(0), Some(1)]);
    });
}
