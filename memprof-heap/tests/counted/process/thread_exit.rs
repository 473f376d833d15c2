//! Threads that allocate while they end.
#![expect(unsafe_code, reason = "keys of threads are C's")]

use super::block;
use crate::own_process::in_own_process;
use memprof_heap::{current_thread, totals};
use std::ffi::c_void;
use std::ptr::without_provenance_mut;
use std::sync::{Mutex, OnceLock};
use std::thread;

static KEY: OnceLock<libc::pthread_key_t> = OnceLock::new();
/// The blocks that stay. Checkers for leaks find them here.
static KEPT: Mutex<Vec<Vec<u8>>> = Mutex::new(Vec::new());
/// The number of the thread at each round of destructors, if it was listed then.
static ROUNDS: Mutex<Vec<Option<u32>>> = Mutex::new(Vec::new());

fn set_key() {
    let key = *KEY.get().expect("it is created before the threads");
    // SAFETY: the key was created, and is never deleted.
    assert_eq!(unsafe { libc::pthread_setspecific(key, without_provenance_mut(1)) }, 0);
}

/// Allocates in each round of destructors.
extern "C" fn allocate(_: *mut c_void) {
    KEPT.lock().expect("no panic").push(block(1_000_000));
    ROUNDS.lock().expect("no panic").push(current_thread().map(|thread| thread.thread));
    set_key();
}

fn number_of_new_thread() -> u32 {
    let number = || current_thread().expect("it counts").thread;
    thread::spawn(number).join().expect("it ends")
}

#[test]
fn destructors_of_keys_count_and_take_no_second_shard() {
    in_own_process(|| {
        KEPT.lock().expect("no panic").reserve(10);
        ROUNDS.lock().expect("no panic").reserve(10);
        let mut key = 0;
        // SAFETY: the pointer is to a local variable.
        assert_eq!(unsafe { libc::pthread_key_create(&raw mut key, Some(allocate)) }, 0);
        KEY.set(key).expect("it is set once");
        number_of_new_thread();
        let before = totals().expect("it counts");
        let number = thread::spawn(|| {
            set_key();
            current_thread().expect("it counts").thread
        });
        let number = number.join().expect("it ends");
        let after = totals().expect("it counts");
        let rounds = ROUNDS.lock().expect("no panic").clone();
        // In the last round, this key's destructor runs after that of memprof.
        assert_eq!(rounds, [Some(number), Some(number), Some(number), None]);
        let grown = after.live_bytes() - before.live_bytes();
        assert!((4_000_000..4_010_000).contains(&grown), "{grown}");
        assert_eq!(number_of_new_thread(), number + 1);
        let again = totals().expect("it counts");
        assert_eq!(again.profilers.table_bytes, before.profilers.table_bytes, "no second shard");
    });
}
