//! Allocations by a thread whose thread-local values are gone, including the allocator's.
#![expect(unsafe_code, reason = "the destructors that run last are those of C")]

use super::block::Block;
use super::both;
use crate::own_process::in_own_process;
use core::ffi::c_void;
use std::thread;

/// Runs after all destructors of Rust's thread-local values.
extern "C" fn last(_: *mut c_void) {
    let more = Block::new(300).resized(70_000);
    drop(Block::zeroed(1_000_000));
    drop(more);
    Block::new(24).leave();
    let operation = LATE.enter();
    drop(Block::new(10));
    drop(operation);
}

static LATE: memprof_heap::operation::OperationSite =
    memprof_heap::operation::OperationSite::new("late", file!(), line!());

#[test]
fn totals_include_the_last_destructors_of_a_thread() {
    in_own_process(|| {
        const THREADS: u64 = 500;
        let mut key = 0;
        // SAFETY: the pointer to the key is valid, and the destructor is a function of this program.
        assert_eq!(unsafe { libc::pthread_key_create(&raw mut key, Some(last)) }, 0);
        let before = both();
        for _ in 0..THREADS {
            let thread = thread::spawn(move || {
                // SAFETY: the key was created. With any value that is not null, the destructor runs.
                let set = unsafe { libc::pthread_setspecific(key, core::ptr::dangling()) };
                assert_eq!(set, 0);
            });
            thread.join().expect("it does not panic");
        }
        let after = both();
        let since = |all: [u64; 4], start: [u64; 4]| [0, 1, 2, 3].map(|at| all[at] - start[at]);
        assert_eq!(since(after.0, before.0), since(after.1, before.1));
        assert!(after.0[0] - before.0[0] >= THREADS * 1_070_334);
    });
}
