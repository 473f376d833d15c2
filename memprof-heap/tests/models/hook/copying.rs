//! The copies of the gate: whoever sets it and whoever joins, in the end each is what it is.
#![expect(unsafe_code, reason = "copies are leaked, and freed at the end")]

use super::copies::{GateCopy, Original};
use super::list::{FREE, Link, List};
use crate::explore::with_interruptions;
use crate::sync::{AtomicPtr, AtomicU32, AtomicUsize};
use loom::sync::Arc;
use loom::thread;
use std::ptr;

const UNDECIDED: usize = 9;

/// A gate and one copy, which it frees at the end, as a model is run very often.
struct Gate {
    original: Original,
    copy: &'static GateCopy,
}

impl Gate {
    fn new() -> Arc<Self> {
        let link = Link { state: AtomicU32::new(FREE), next: AtomicPtr::new(ptr::null_mut()) };
        let copy = GateCopy { word: AtomicUsize::new(UNDECIDED), link };
        Arc::new(Self {
            original: Original {
                word: AtomicUsize::new(UNDECIDED),
                copies: List { first: AtomicPtr::new(ptr::null_mut()) },
            },
            copy: Box::leak(Box::new(copy)),
        })
    }

    /// What the first call of an allocator does.
    fn join(&self) {
        self.original.is_followed_by(self.copy);
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        // SAFETY: `new` boxed it, and the threads that read it are gone.
        drop(unsafe { Box::from_raw(ptr::from_ref(self.copy).cast_mut()) });
    }
}

/// Runs each on a thread of its own.
fn at_once(gate: &Arc<Gate>, all: [fn(&Gate); 2]) {
    let threads = all.map(|work| {
        let gate = gate.clone();
        thread::spawn(move || work(&gate))
    });
    for thread in threads {
        thread.join().unwrap();
    }
}

#[test]
fn a_copy_that_joins_while_the_gate_is_set_is_what_was_set() {
    with_interruptions(3, || {
        let gate = Gate::new();
        at_once(&gate, [Gate::join, |gate| gate.original.set(1)]);
        assert_eq!(gate.copy.now(), 1);
    });
}

#[test]
fn a_copy_is_what_the_last_of_two_set() {
    with_interruptions(3, || {
        let gate = Gate::new();
        gate.join();
        at_once(&gate, [|gate| gate.original.set(1), |gate| gate.original.set(2)]);
        assert_eq!(gate.copy.now(), gate.original.now());
    });
}

#[test]
fn two_threads_join_with_one_copy_while_a_third_sets_the_gate() {
    with_interruptions(2, || {
        let gate = Gate::new();
        let sets = thread::spawn({
            let gate = gate.clone();
            move || gate.original.replace(UNDECIDED, 1).unwrap()
        });
        at_once(&gate, [Gate::join, Gate::join]);
        sets.join().unwrap();
        assert_eq!(gate.copy.now(), 1);
        assert_eq!(gate.original.copies.all().count(), 1);
    });
}
