//! Events that are switched on and off, and rings that are full.

use super::{drain, events, of};
use memprof_heap::event::{drain_operation_events, set_operation_events};
use memprof_heap::hooks::{Wake, set_wake};
use memprof_heap::operation::OperationSite;
use memprof_heap::{Level, set_level};
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

/// The number of entries that a thread keeps, and the number at which the reader is first woken. The
/// first entry is the name of the thread.
const KEPT: u64 = 8192;
const WAKE: u64 = 512;
/// The bytes by which the memory for events of a thread grows: 1,024 entries of six words.
const PART: u64 = 1024 * 6 * 8;

#[test]
fn only_calls_that_begin_while_events_are_on_have_one() {
    static CALL: OperationSite = OperationSite::new("switched", file!(), line!());
    let _events = events();
    set_operation_events(false);
    drop(CALL.enter());
    let before = CALL.enter();
    set_operation_events(true);
    drop(before);
    assert!(drain().0.is_empty());
    drop(CALL.enter());
    let begun = CALL.enter();
    set_operation_events(false);
    drop(begun);
    drop(CALL.enter());
    let (events, _) = drain();
    assert_eq!(of(&events, "switched").len(), 2);
    assert!(drain().0.is_empty(), "each is taken once");
}

#[test]
fn timing_calls_and_keeping_events_are_independent() {
    static CALL: OperationSite = OperationSite::new("kept, not timed", file!(), line!());
    let _events = events();
    drop(CALL.enter());
    assert_eq!(crate::find("kept, not timed").wall_time, None);
    set_operation_events(false);
    memprof_heap::operation::set_wall_time(true);
    drop(CALL.enter());
    memprof_heap::operation::set_wall_time(false);
    let timed = crate::find("kept, not timed").wall_time.expect("one was timed");
    assert_eq!((timed.calls, drain().0.len()), (1, 1));
}

#[test]
fn a_call_that_ends_at_level_off_is_an_event_and_one_that_begins_there_is_none() {
    static CALL: OperationSite = OperationSite::new("levels", file!(), line!());
    let _events = events();
    let guard = CALL.enter();
    set_level(Level::Off);
    drop(guard);
    drop(CALL.enter());
    set_level(Level::Counters);
    assert_eq!(drain().0.len(), 1);
}

#[test]
fn dropped_events_are_counted_and_the_recorder_is_woken_whenever_their_number_has_doubled() {
    static CALL: OperationSite = OperationSite::new("fills", file!(), line!());
    static WOKEN: AtomicU64 = AtomicU64::new(0);
    let _events = events();
    set_wake(Some(|why| {
        assert_eq!(why, Wake::Events);
        WOKEN.fetch_add(1, Relaxed);
    }));
    for calls in 1..KEPT + 500 {
        drop(CALL.enter());
        let doubled = ((calls + 1).min(KEPT) / WAKE).checked_ilog2();
        let woken = doubled.map_or(0, |doubled| u64::from(doubled) + 1);
        assert_eq!(WOKEN.load(Relaxed), woken, "after {calls}");
    }
    let (events, drained) = drain();
    assert_eq!((drained.taken, drained.dropped), (KEPT - 1, 500));
    assert!(events.is_sorted_by_key(|event| event.start_ns), "the oldest are kept");
    assert_eq!(drain().1.dropped, 0, "counted once");
    drop(CALL.enter());
    assert_eq!(drain().1.taken, 1);
}

#[test]
fn a_thread_takes_memory_for_more_events_only_when_more_of_them_wait() {
    static CALL: OperationSite = OperationSite::new("waits", file!(), line!());
    let _events = events();
    // The threads of other tests, which wait for this one, may take a shard of half a KiB each.
    let tables = || memprof_heap::totals().expect("it counts").profilers.table_bytes;
    let run = |rounds: u64, calls: u64| {
        for _ in 0..rounds {
            for _ in 0..calls {
                drop(CALL.enter());
            }
            assert_eq!(drain().1.taken, calls);
        }
    };
    run(1, 700);
    let before = tables();
    run(20, 700);
    assert!(tables() < before + PART, "the ring begins at its first place again");
    run(1, KEPT - 1);
    let after = tables();
    run(3, KEPT - 1);
    assert!(tables() < after + PART, "{after}");
}

#[test]
fn only_one_drain_runs_at_a_time_and_a_panic_ends_it() {
    static CALL: OperationSite = OperationSite::new("drained", file!(), line!());
    let _events = events();
    for _ in 0..3 {
        drop(CALL.enter());
    }
    let mut inner = None;
    let result = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        drain_operation_events(|_| {
            inner = Some(drain_operation_events(|_| panic!("another one is here")));
            std::panic::resume_unwind(Box::new(()));
        })
    }));
    assert!(result.is_err());
    assert_eq!(inner.map(|of| (of.taken, of.dropped)), Some((0, 0)));
    assert_eq!(drain().1.taken, 2);
}

#[test]
fn calls_during_a_drain_wait_for_the_next_one() {
    static CALL: OperationSite = OperationSite::new("drains", file!(), line!());
    let _events = events();
    drop(CALL.enter());
    let drained = drain_operation_events(|_| drop(CALL.enter()));
    assert_eq!(drained.taken, 1);
    assert_eq!(drain().1.taken, 1);
}
