//! A process without keys of thread-specific values, so that no notice comes when a thread ends.
#![expect(unsafe_code, reason = "keys of threads are C's")]

use crate::block;
use crate::own_process::in_own_process;
use memprof_heap::{Level, set_level, totals};
use std::thread;

/// Takes all keys before memprof creates its own.
fn take_all_keys() {
    let mut key = 0;
    // SAFETY: the pointer is to a local variable.
    while unsafe { libc::pthread_key_create(&raw mut key, None) } == 0 {}
}

#[test]
fn shards_of_threads_that_ended_are_reclaimed() {
    in_own_process(|| {
        take_all_keys();
        set_level(Level::Counters);
        let run_one = || thread::spawn(|| drop(block(1000))).join().expect("it ends");
        run_one();
        let before = totals().expect("it counts");
        for _ in 0..50 {
            run_one();
        }
        let after = totals().expect("it counts");
        assert!(after.allocated_blocks >= before.allocated_blocks + 50);
        let grown = after.profilers.table_bytes - before.profilers.table_bytes;
        // The kernel removes a thread only after `join` returns, so a few may overlap.
        assert!(grown < 10 * 512, "{grown} bytes of shards for 50 threads, one after the other");
    });
}
