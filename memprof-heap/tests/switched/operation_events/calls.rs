//! The fields of an event.

use super::{assert_add_up, drain, events, of};
use crate::block;
use memprof_heap::event::event_clock;
use memprof_heap::operation::{OperationSite, operation_paths};
use memprof_heap::{current_thread, totals};
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};

#[test]
fn an_event_has_thread_times_and_live_bytes() {
    static KEEPS: OperationSite = OperationSite::new("keeps", "its file", 7);
    let _events = events();
    let thread = current_thread().expect("it counts").thread;
    let before = (event_clock(), totals().expect("it counts").live_bytes());
    let kept = {
        let _keeps = KEEPS.enter();
        block(1000)
    };
    let after = (event_clock(), totals().expect("it counts").live_bytes());
    let (events, drained) = drain();
    let [event] = of(&events, "keeps")[..] else { panic!("{events:?}") };
    assert_eq!((event.thread, event.net_bytes, drained.dropped), (thread, 1000, 0));
    assert_eq!(event.live_after - event.live_before, 1000);
    // The test harness allocates too, on its own threads.
    for (event, around) in [(event.live_before, before.1), (event.live_after, after.1)] {
        assert!(event.abs_diff(around) < 50_000, "{event} {around}");
    }
    assert!(before.0 <= event.start_ns && event.end_ns <= after.0);
    assert!(!event.is_within_itself);
    assert_add_up(&events, "keeps");
    let paths = operation_paths();
    let path = paths.iter().find(|path| path.id == event.path).expect("all are listed");
    assert_eq!((path.parent, path.file, path.line), (None, "its file", 7));
    drop(kept);
}

#[test]
fn calls_within_calls_add_up_and_end_before_those_around() {
    static OUTER: OperationSite = OperationSite::new("outer", file!(), line!());
    static INNER: OperationSite = OperationSite::new("inner", file!(), line!());
    let _events = events();
    let mut kept = Vec::with_capacity(20);
    for _ in 0..2 {
        let _outer = OUTER.enter();
        kept.push(block(100));
        for size in 1..=5 {
            let _inner = INNER.enter();
            kept.push(block(size));
            drop(block(5000));
        }
    }
    let (events, _) = drain();
    for path in ["outer", "outer;inner"] {
        assert_add_up(&events, path);
    }
    let (outer, inner) = (of(&events, "outer"), of(&events, "outer;inner"));
    assert_eq!(outer.iter().map(|event| event.net_bytes).collect::<Vec<_>>(), [115, 115]);
    assert!(
        inner[..5].iter().all(|event| {
            outer[0].start_ns <= event.start_ns && event.end_ns <= outer[0].end_ns
        })
    );
    assert!(events.is_sorted_by_key(|event| event.end_ns));
}

#[test]
fn events_mark_calls_within_themselves() {
    static SELF: OperationSite = OperationSite::new("within itself", file!(), line!());
    fn nest(depth: usize) -> Vec<Vec<u8>> {
        let _self = SELF.enter();
        let mut kept = if depth == 0 { Vec::new() } else { nest(depth - 1) };
        kept.push(block(10));
        kept
    }
    let _events = events();
    let kept = nest(4);
    let (events, _) = drain();
    let marks: Vec<_> =
        of(&events, "within itself").iter().map(|event| event.is_within_itself).collect();
    assert_eq!(marks, [true, true, true, true, false]);
    assert_add_up(&events, "within itself");
    drop(kept);
}

#[test]
fn guards_dropped_in_another_order_have_an_event_each() {
    static FIRST: OperationSite = OperationSite::new("first", file!(), line!());
    static SECOND: OperationSite = OperationSite::new("second", file!(), line!());
    static THIRD: OperationSite = OperationSite::new("third", file!(), line!());
    let _events = events();
    let (first, second, third) = (FIRST.enter(), SECOND.enter(), THIRD.enter());
    let kept = block(300);
    drop(first);
    drop(third);
    let more = block(50);
    drop(second);
    let (events, _) = drain();
    for path in ["first", "first;second", "first;second;third"] {
        assert_add_up(&events, path);
    }
    assert_eq!(of(&events, "first;second")[0].net_bytes, 350);
    drop((kept, more));
}

#[test]
fn a_call_that_panics_is_an_event() {
    static PANICS: OperationSite = OperationSite::new("panics", file!(), line!());
    let _events = events();
    let mut kept = Vec::with_capacity(1);
    let result = catch_unwind(AssertUnwindSafe(|| {
        let _panics = PANICS.enter();
        kept.push(block(40));
        resume_unwind(Box::new(()));
    }));
    assert!(result.is_err());
    let (events, _) = drain();
    assert_eq!(of(&events, "panics").len(), 1);
    assert_add_up(&events, "panics");
}
