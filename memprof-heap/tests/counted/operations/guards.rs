//! Guards that end in unusual ways.

use super::{block, find, flow};
use memprof_heap::operation;
use memprof_heap::operation::{OperationGuard, OperationSite};
use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::thread;

#[test]
fn a_panic_ends_the_operations_that_it_leaves() {
    let outer = operation!("survives");
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        let _one = operation!("panics");
        drop(block(1000));
        let _two = operation!("panics within");
        drop(block(500));
        // This panics without a message and a hook, so it allocates little.
        resume_unwind(Box::new(1_u8));
    }));
    drop(panicked);
    let bytes = {
        let _next = operation!("goes on");
        block(64)
    };
    drop(bytes);
    drop(outer);
    assert_eq!(find("survives;panics").calls, 1);
    assert_eq!(find("survives;panics;panics within").peak, 500);
    assert_eq!(flow(&find("survives;goes on")), [64, 1, 0, 0]);
    assert!(find("survives").allocated_bytes >= 1564);
}

#[test]
fn a_forgotten_guard_runs_until_its_thread_ends() {
    thread::spawn(|| {
        std::mem::forget(operation!("forgotten"));
        drop(block(100));
        for _ in 0..3 {
            let _after = operation!("after it");
            drop(block(10));
        }
    })
    .join()
    .expect("it does not panic");
    let after = find("forgotten;after it");
    assert_eq!((after.calls, flow(&after)), (3, [30, 3, 30, 3]));
    let forgotten = find("forgotten");
    assert_eq!((forgotten.calls, forgotten.allocated_bytes), (1, 130));
}

#[test]
fn a_guard_around_a_forgotten_one_ends_as_if_there_were_none() {
    thread::spawn(|| {
        let outer = operation!("around");
        std::mem::forget(operation!("lost"));
        drop(block(3000));
        drop(outer);
    })
    .join()
    .expect("it does not panic");
    let around = find("around");
    assert_eq!((around.calls, flow(&around), around.peak), (1, [3000, 1, 3000, 1], 3000));
}

#[test]
fn a_guard_forgotten_by_one_thread_does_not_run_on_the_next() {
    static LEFT: OperationSite = OperationSite::new("left", file!(), line!());
    for _ in 0..50 {
        thread::spawn(|| std::mem::forget(LEFT.enter())).join().expect("it does not panic");
        thread::spawn(|| {
            let _fresh = operation!("fresh");
            drop(block(10));
        })
        .join()
        .expect("it does not panic");
    }
    assert_eq!(find("fresh").calls, 50);
}

#[test]
fn a_guard_may_be_alive_when_its_thread_ends() {
    thread_local! {
        static KEPT: RefCell<Option<OperationGuard>> = const { RefCell::new(None) };
    }
    static UNTIL_THE_END: OperationSite = OperationSite::new("until the end", file!(), line!());
    const THREADS: u64 = 100;
    for _ in 0..THREADS {
        thread::spawn(|| {
            KEPT.set(Some(UNTIL_THE_END.enter()));
            drop(block(10));
        })
        .join()
        .expect("it does not panic");
    }
    let all = find("until the end");
    assert_eq!(all.calls, THREADS);
    assert!(all.allocated_bytes >= 10 * THREADS, "{all:?}");
}
