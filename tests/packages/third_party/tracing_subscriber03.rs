//! Tracing's spans as operations: on one thread, on many, in and out of order.

use memprof::heap::operation::{MemoryLayer, Operation};
use memprof::heap::{Level, operations};
use std::sync::Arc;
use tracing::{Instrument, Subscriber, debug_span, info_span, span, subscriber};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry;

#[global_allocator]
static ALLOC: memprof::Allocator = memprof::Allocator::system().starting_at(Level::Counters);

fn spans<T>(run: impl FnOnce() -> T) -> T {
    subscriber::with_default(registry().with(MemoryLayer::new()), run)
}

fn find(path: &str) -> Option<Operation> {
    operations().expect("it is counted").find(path).cloned()
}

/// Returns the counts of an operation so far.
fn counted(path: &str) -> Operation {
    find(path).unwrap_or_else(|| panic!("{path} ran\n{}", operations().expect("it is counted")))
}

fn bytes(count: usize) -> Vec<u8> {
    Vec::with_capacity(count)
}

#[test]
fn a_span_is_one_call_for_any_number_of_entries() {
    let kept = spans(|| {
        let span = info_span!("entered_often");
        let first = span.in_scope(|| bytes(100));
        let other = bytes(1000);
        let second = span.in_scope(|| bytes(20));
        assert!(find("entered_often").is_none_or(|operation| operation.calls == 0));
        drop(span);
        (first, other, second)
    });
    let counted = counted("entered_often");
    assert_eq!((counted.calls, counted.allocated_bytes, counted.allocated_blocks), (1, 120, 2));
    assert_eq!((counted.max_net_bytes, counted.peak, counted.net_bytes()), (120, 120, 120));
    assert!(counted.file.ends_with("tracing_subscriber03.rs"));
    drop(kept);
}

#[test]
fn a_span_that_is_never_entered_is_no_call() {
    spans(|| drop(info_span!("never_entered")));
    assert!(find("never_entered").is_none());
}

#[test]
fn spans_within_spans_and_guards_are_paths() {
    let kept = spans(|| {
        let _operation = memprof::operation!("guard");
        let outer = info_span!("outer").entered();
        let inner = info_span!("inner").in_scope(|| {
            let _operation = memprof::operation!("innermost");
            bytes(10)
        });
        drop(outer);
        inner
    });
    assert_eq!(counted("guard;outer;inner;innermost").net_bytes(), 10);
    assert_eq!(counted("guard;outer;inner").net_bytes(), 10);
    // The bytes include tracing's own allocations for the inner span.
    assert!(counted("guard;outer").allocated_bytes >= 10);
    drop(kept);
}

#[test]
fn an_explicit_parent_is_the_outer_operation() {
    let kept = spans(|| {
        let parent = info_span!("named_parent");
        let uncounted = debug_span!(parent: &parent, "uncounted");
        let _other = info_span!("other").entered();
        let of_parent = info_span!(parent: &uncounted, "of_parent").in_scope(|| bytes(10));
        let of_none = info_span!(parent: None, "of_none").in_scope(|| bytes(10));
        (of_parent, of_none)
    });
    assert_eq!(counted("named_parent;of_parent").net_bytes(), 10);
    assert_eq!(counted("of_none").net_bytes(), 10);
    drop(kept);
}

#[test]
fn a_span_that_is_entered_within_itself_counts_once() {
    let kept = spans(|| {
        let span = info_span!("within_itself");
        let outer = span.enter();
        let inner = span.enter();
        let kept = bytes(10);
        drop(inner);
        let more = bytes(20);
        drop(outer);
        (kept, more)
    });
    let counted = counted("within_itself");
    assert_eq!((counted.calls, counted.net_bytes(), counted.max_net_bytes), (1, 30, 30));
    drop(kept);
}

#[test]
fn a_recursive_function_is_one_operation_of_many_calls() {
    fn recurse(depth: usize) -> Vec<Vec<u8>> {
        let _span = info_span!("recurse").entered();
        let mut all = if depth == 0 { Vec::new() } else { recurse(depth - 1) };
        all.push(bytes(100));
        all
    }
    let kept = spans(|| recurse(4));
    let counted = counted("recurse");
    assert_eq!(counted.calls, 5);
    assert_eq!(counted.path, ["recurse"]);
    assert!((500..1500).contains(&counted.net_bytes()), "{}", counted.net_bytes());
    drop(kept);
}

#[test]
fn spans_may_be_exited_in_any_order_and_repeatedly() {
    let subscriber = registry().with(MemoryLayer::new());
    let kept = subscriber::with_default(subscriber, || {
        let (first, second) = (info_span!("left_first"), info_span!("left_second"));
        let (enters, leaves) = (first.enter(), second.enter());
        let both = bytes(10);
        drop(enters);
        let one = bytes(100);
        drop(leaves);
        let none = bytes(1000);
        // Exits the span twice, without a guard.
        first.with_subscriber(|(id, subscriber)| {
            subscriber.exit(id);
            subscriber.exit(id);
        });
        (both, one, none, first.in_scope(|| bytes(1)))
    });
    assert_eq!(counted("left_first").net_bytes(), 11);
    assert_eq!(counted("left_second").net_bytes(), 110);
    assert_eq!(counted("left_first").calls, 1);
    // This thread has no operation left.
    let _operation = memprof::operation!("after_all");
    drop(bytes(5));
    drop(kept);
}

#[test]
fn one_span_on_many_threads_adds_up() {
    let subscriber: Arc<dyn Subscriber + Send + Sync> =
        Arc::new(registry().with(MemoryLayer::new()));
    let span = subscriber::with_default(subscriber.clone(), || info_span!("on_threads"));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let (span, subscriber) = (span.clone(), subscriber.clone());
            scope.spawn(move || {
                subscriber::with_default(subscriber, || {
                    for _ in 0..100 {
                        span.in_scope(|| drop(bytes(10)));
                    }
                });
            });
        }
    });
    drop(span);
    let counted = counted("on_threads");
    assert_eq!((counted.calls, counted.allocated_bytes, counted.net_bytes()), (1, 4000, 0));
}

#[test]
fn a_filter_selects_the_spans_that_count() {
    let layer = MemoryLayer::new().with_spans(|span| span.name().starts_with("wanted"));
    subscriber::with_default(registry().with(layer), || {
        info_span!("unwanted").in_scope(|| {
            span!(tracing::Level::TRACE, "wanted_trace").in_scope(|| drop(bytes(10)));
        });
    });
    spans(|| debug_span!("a_debug_span").in_scope(|| drop(bytes(10))));
    assert!(find("unwanted").is_none());
    assert!(find("a_debug_span").is_none());
    assert_eq!(counted("wanted_trace").allocated_bytes, 10);
}

#[test]
fn two_layers_count_once() {
    let twice = registry().with(MemoryLayer::new()).with(MemoryLayer::new());
    subscriber::with_default(twice, || {
        info_span!("seen_twice").in_scope(|| drop(bytes(10)));
    });
    assert_eq!((counted("seen_twice").calls, counted("seen_twice").allocated_bytes), (1, 10));
}

async fn request(number: usize) -> Vec<u8> {
    let mut kept = bytes(10);
    for _ in 0..5 {
        tokio::task::yield_now().await;
        kept.reserve_exact(kept.capacity() + 10);
    }
    let part = async { bytes(number % 2) }.instrument(info_span!("part")).await;
    drop(part);
    kept
}

#[test]
fn futures_count_poll_by_poll_wherever_they_run() {
    const REQUESTS: usize = 200;
    // The bytes that remain after a block of 10 bytes grew five times.
    const KEPT: i64 = 60;
    subscriber::set_global_default(registry().with(MemoryLayer::new()))
        .expect("no other test sets it");
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(4).build();
    let kept = runtime.expect("threads can be started").block_on(async {
        let server = info_span!("server");
        let requests: Vec<_> = (0..REQUESTS)
            .map(|number| {
                let span = info_span!(parent: &server, "request", number);
                tokio::spawn(request(number).instrument(span))
            })
            .collect();
        let mut kept = Vec::new();
        for request in requests {
            kept.push(request.await.expect("it doesn't panic"));
        }
        kept
    });
    let request = counted("server;request");
    let part = counted("server;request;part");
    assert_eq!((request.calls, part.calls), (200, 200));
    assert_eq!((part.allocated_bytes, part.net_bytes()), (100, 100));
    assert!(request.allocated_bytes >= 200 * (10 + 20 + 30 + 40 + 50 + 60), "{request:?}");
    assert!(request.max_net_bytes >= KEPT && request.peak >= 60, "{request:?}");
    drop(kept);
}
