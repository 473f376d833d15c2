//! Allocations by the destructors of thread-local values.

use super::block::Block;
use super::both;
use crate::own_process::in_own_process;
use std::cell::RefCell;
use std::thread;

/// A value that allocates, resizes and frees when its thread ends, and leaves a block to the next
/// thread.
struct Last(Option<Block>);

impl Drop for Last {
    fn drop(&mut self) {
        let more = Block::new(300).resized(70_000);
        drop(self.0.take());
        drop(Block::zeroed(1_000_000));
        drop(more);
        Block::new(24).leave();
    }
}

thread_local! {
    static FIRST: RefCell<Option<Last>> = const { RefCell::new(None) };
    static SECOND: RefCell<Option<Last>> = const { RefCell::new(None) };
}

#[test]
fn destructors_of_thread_local_values_are_in_the_totals() {
    in_own_process(|| {
        const THREADS: usize = 500;
        let before = both();
        for _ in 0..THREADS {
            let block = Block::new(50);
            let thread = thread::spawn(move || {
                FIRST.set(Some(Last(Some(block))));
                let own = Block::new(10);
                SECOND.set(Some(Last(Some(own))));
            });
            thread.join().expect("it does not panic");
        }
        let after = both();
        let since = |all: [u64; 4], start: [u64; 4]| [0, 1, 2, 3].map(|at| all[at] - start[at]);
        assert_eq!(since(after.0, before.0), since(after.1, before.1));
        let left = |[allocated, _, freed, _]: [u64; 4]| allocated.wrapping_sub(freed);
        let more = left(after.0) - left(before.0);
        assert!((40 * THREADS as u64..60 * THREADS as u64).contains(&more), "{more}");
    });
}
