//! Allocations by the destructors of thread-local values.

use super::{figures, measured};
use memprof_heap::Measurement;
use std::cell::RefCell;
use std::sync::mpsc::{Sender, channel};
use std::thread;

/// A value that allocates and measures when its thread ends.
struct Last {
    memory: Vec<u8>,
    sender: Sender<Measurement>,
}

impl Drop for Last {
    fn drop(&mut self) {
        let memory = std::mem::take(&mut self.memory);
        let ((), all) = measured(|| {
            let mut more = vec![1_u8; 300];
            more.reserve_exact(700);
            drop(memory);
        });
        self.sender.send(all).expect("the test waits");
    }
}

thread_local! {
    static FIRST: RefCell<Option<Last>> = const { RefCell::new(None) };
    static SECOND: RefCell<Option<Last>> = const { RefCell::new(None) };
}

#[test]
fn destructors_of_thread_local_values_count() {
    const THREADS: usize = if cfg!(miri) { 3 } else { 200 };
    let (sender, receiver) = channel();
    let last = |sender: &Sender<Measurement>| {
        Some(Last { memory: Vec::with_capacity(50), sender: sender.clone() })
    };
    for _ in 0..THREADS {
        let sender = sender.clone();
        let thread = thread::spawn(move || {
            // One value is set before the first allocation of this thread, and one after it.
            FIRST.set(last(&sender));
            drop(vec![0_u8; 10]);
            SECOND.set(last(&sender));
        });
        thread.join().expect("the thread does not panic");
    }
    drop(sender);
    let all: Vec<Measurement> = receiver.into_iter().collect();
    assert_eq!(all.len(), 2 * THREADS);
    // 300 bytes grow to 1000, and 50 older bytes are freed.
    for all in all {
        assert_eq!(figures(all), [1300, 2, 1350, 3, 1000]);
    }
}
