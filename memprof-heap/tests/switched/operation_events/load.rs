//! Many threads: each event is either taken or counted as dropped.

use super::{drain, events, of};
use crate::{block, find};
use memprof_heap::event::{OperationEvent, drain_operation_events, set_operation_events};
use memprof_heap::operation::OperationSite;
use memprof_heap::{operations, threads};
use memprof_test_support::{rounds, wait_until};
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

const THREADS: usize = 8;

#[test]
fn drained_while_eight_threads_produce() {
    static CALL: OperationSite = OperationSite::new("loaded", file!(), line!());
    static INNER: OperationSite = OperationSite::new("part", file!(), line!());
    let calls_of_a_thread: u64 = if cfg!(miri) { 50 } else { rounds(10_000, 50_000) };
    let _events = events();
    let run = |thread: usize| {
        for call in 0..calls_of_a_thread {
            let _call = CALL.enter();
            drop(block(10 + thread));
            if call % 4 == 0 {
                let _inner = INNER.enter();
                drop(block(20));
            }
        }
    };
    let done = AtomicBool::new(false);
    let (mut taken, mut dropped, mut last) = (0, 0, HashMap::new());
    let mut note = |event: OperationEvent| {
        assert_eq!(event.net_bytes, 0, "{event:?}");
        let before = last.insert(event.thread, event.end_ns).unwrap_or_default();
        assert!(before <= event.end_ns, "in the order in which they ended");
    };
    thread::scope(|scope| {
        let all: Vec<_> = (0..THREADS).map(|thread| scope.spawn(move || run(thread))).collect();
        let done = &done;
        // Another thread drains now and then. It takes some events, or none.
        let other = scope.spawn(move || {
            let (mut taken, mut dropped) = (0, 0);
            wait_until("the threads have ended", || {
                let drained = drain_operation_events(|_| ());
                (taken, dropped) = (taken + drained.taken, dropped + drained.dropped);
                done.load(Relaxed)
            });
            (taken, dropped)
        });
        while !all.iter().all(thread::ScopedJoinHandle::is_finished) {
            let drained = drain_operation_events(&mut note);
            (taken, dropped) = (taken + drained.taken, dropped + drained.dropped);
        }
        done.store(true, Relaxed);
        let others = other.join().expect("it does not panic");
        (taken, dropped) = (taken + others.0, dropped + others.1);
    });
    let drained = drain_operation_events(&mut note);
    (taken, dropped) = (taken + drained.taken, dropped + drained.dropped);
    let calls = find("loaded").calls + find("loaded;part").calls;
    assert_eq!(calls, THREADS as u64 * (calls_of_a_thread + calls_of_a_thread.div_ceil(4)));
    assert_eq!(taken + dropped, calls);
    assert!(taken > 0);
}

#[test]
fn switched_on_and_off_under_load() {
    static CALL: OperationSite = OperationSite::new("switched under load", file!(), line!());
    let _events = events();
    let stop = AtomicBool::new(false);
    let mut events = 0;
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                while !stop.load(Relaxed) {
                    let _outer = CALL.enter();
                    let _same = CALL.enter();
                    drop(block(100));
                }
            });
        }
        // On a busy machine, the switching could end before a thread runs.
        wait_until("a thread runs", || {
            operations().expect("it counts").find("switched under load").is_some()
        });
        for _ in 0..if cfg!(miri) { 3 } else { rounds(100, 2000) } {
            set_operation_events(true);
            thread::yield_now();
            set_operation_events(false);
            let drained = drain_operation_events(|event| assert_eq!(event.net_bytes, 0));
            events += drained.taken + drained.dropped;
        }
        stop.store(true, Relaxed);
    });
    let drained = drain().1;
    events += drained.taken + drained.dropped;
    assert!(events <= find("switched under load").calls);
    let operation = find("switched under load");
    assert_eq!((operation.net_bytes(), operation.calls % 2), (0, 0));
    // After events are switched off, a call gives no event.
    drop(CALL.enter());
    assert_eq!(drain().1.taken, 0);
}

/// The number of short threads that run at once.
const BATCH: usize = 8;
/// More than the number of tests in this program.
const MOST_TESTS: usize = 200;

#[test]
fn short_threads_share_as_many_rings_as_run_at_once() {
    static CALL: OperationSite = OperationSite::new("short", file!(), line!());
    let _events = events();
    let short = if cfg!(miri) { 32 } else { rounds(10_000, 100_000) };
    let places = threads().expect("it counts").len();
    let (mut taken, mut dropped) = (0, 0);
    for batch in 0..short / BATCH {
        let all: Vec<_> = (0..BATCH)
            .map(|_| {
                thread::spawn(|| {
                    let _call = CALL.enter();
                    // This call ends with the thread.
                    std::mem::forget(CALL.enter());
                })
            })
            .collect();
        for thread in all {
            thread.join().expect("it does not panic");
        }
        // All of these threads may have used one shard, whose ring holds the events of 32 batches.
        if batch % 32 == 0 {
            let drained = drain_operation_events(|_| ());
            (taken, dropped) = (taken + drained.taken, dropped + drained.dropped);
        }
    }
    let (events, drained) = drain();
    (taken, dropped) = (taken + drained.taken, dropped + drained.dropped);
    assert_eq!(find("short").calls, 2 * short as u64);
    assert_eq!((taken, dropped), (2 * short as u64, 0));
    assert!(of(&events, "short").iter().all(|event| event.thread > 0));
    // A ring belongs to a shard, and each shard is reused. The threads of other tests, which wait
    // for this one, may have taken a shard each.
    let more = threads().expect("it counts").len() - places;
    assert!(more <= BATCH + MOST_TESTS, "{more} places more");
}
