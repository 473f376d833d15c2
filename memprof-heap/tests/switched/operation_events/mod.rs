//! Events of individual calls of operations: each call that ends is an event, or is counted as
//! dropped.

mod calls;
mod futures;
mod load;
mod switched;

use crate::{Alone, find};
use memprof_heap::event::{
    DrainedEvents, OperationEvent, drain_operation_events, set_operation_events,
};
use memprof_heap::operation::operation_path;
use memprof_heap::{Level, Rate};

/// Waits until no other test runs, and switches events on.
fn events() -> Alone {
    let alone = crate::alone(Level::Counters, Rate::ADAPTIVE);
    set_operation_events(true);
    alone
}

fn drain() -> (Vec<OperationEvent>, DrainedEvents) {
    let mut events = Vec::new();
    let drained = drain_operation_events(|event| events.push(event));
    assert_eq!(drained.taken, events.len() as u64);
    (events, drained)
}

/// Returns the drained events of one path, whose names are joined by `;`.
fn of(events: &[OperationEvent], path: &str) -> Vec<OperationEvent> {
    let is_it = |event: &&OperationEvent| {
        operation_path(event.path).expect("it has a path").names.join(";") == path
    };
    events.iter().filter(is_it).copied().collect()
}

/// Asserts that there are as many events as calls, and that the outermost ones add up to the
/// operation's counts.
fn assert_add_up(events: &[OperationEvent], path: &str) {
    let (operation, events) = (find(path), of(events, path));
    assert_eq!(events.len() as u64, operation.calls, "{path}");
    let outermost = events.iter().filter(|event| !event.is_within_itself);
    let sum: i64 = outermost.map(|event| event.net_bytes).sum();
    assert_eq!(sum, operation.net_bytes(), "{path}");
    for event in events {
        assert!(event.start_ns > 0 && event.start_ns <= event.end_ns, "{event:?}");
        assert_eq!(event.live_after - event.live_before, event.net_bytes);
    }
}
