//! The list of nodes: no two threads share one, and the next owner sees what was counted before.
#![expect(unsafe_code, reason = "places are leaked, and freed at the end")]

use super::list::{Link, Linked, List, TAKEN};
use crate::base::sync::{AtomicPtr, AtomicU32};
use crate::explore::{every_order, with_interruptions};
use loom::cell::Cell;
use loom::sync::Arc;
use loom::thread;
use std::ptr;

/// The node of a thread. Loom fails if two threads use `counted` at once.
struct Place {
    link: Link<Self>,
    counted: Cell<u32>,
}

impl Linked for Place {
    fn link(&self) -> &Link<Self> {
        &self.link
    }
}

/// Frees its nodes at the end, because a model runs very often.
struct Places(List<Place>);

impl Places {
    fn none() -> Arc<Self> {
        Arc::new(Self(List { first: AtomicPtr::new(ptr::null_mut()) }))
    }

    /// Takes or adds a node, like a thread that first counts.
    fn move_in(&self) -> &'static Place {
        self.0.take().unwrap_or_else(|| {
            let place = Box::leak(Box::new(Place {
                link: Link { state: AtomicU32::new(TAKEN), next: AtomicPtr::new(ptr::null_mut()) },
                counted: Cell::new(0),
            }));
            self.0.add(place);
            place
        })
    }
}

impl Drop for Places {
    fn drop(&mut self) {
        let all: Vec<_> = self.0.all().map(ptr::from_ref).collect();
        for place in all {
            // SAFETY: `move_in` boxed it, and the threads that used it have ended.
            drop(unsafe { Box::from_raw(place.cast_mut()) });
        }
    }
}

impl Place {
    fn count(&self) {
        self.counted.set(self.counted.get() + 1);
    }
}

#[test]
fn two_that_come_at_once_have_each_a_place() {
    every_order(|| {
        let places = Places::none();
        let other = thread::spawn({
            let places = places.clone();
            move || {
                let place = places.move_in();
                place.count();
                ptr::from_ref(place).addr()
            }
        });
        let mine = places.move_in();
        mine.count();
        assert_ne!(other.join().unwrap(), ptr::from_ref(mine).addr());
        assert_eq!(places.0.all().map(|place| place.counted.get()).collect::<Vec<_>>(), [1, 1]);
    });
}

#[test]
fn who_takes_a_place_goes_on_with_its_counts() {
    every_order(|| {
        let places = Places::none();
        let first = places.move_in();
        first.count();
        let other = thread::spawn({
            let places = places.clone();
            move || {
                let place = places.move_in();
                place.count();
                place.link.hand_back();
            }
        });
        first.count();
        first.link.hand_back();
        other.join().unwrap();
        let sum: u32 = places.0.all().map(|place| place.counted.get()).sum();
        assert_eq!(sum, 3);
        assert!(places.0.all().all(|place| !place.link.is_taken()));
    });
}

#[test]
fn of_three_that_come_and_go_none_shares_a_place() {
    with_interruptions(2, || {
        let places = Places::none();
        let others: Vec<_> = (0..2)
            .map(|_| {
                let places = places.clone();
                thread::spawn(move || {
                    let place = places.move_in();
                    place.count();
                    place.link.hand_back();
                })
            })
            .collect();
        let mine = places.move_in();
        mine.count();
        mine.link.hand_back();
        for other in others {
            other.join().unwrap();
        }
        assert_eq!(places.0.all().map(|place| place.counted.get()).sum::<u32>(), 3);
        assert!(places.0.all().count() <= 3);
    });
}
