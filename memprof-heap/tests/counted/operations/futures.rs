//! Futures, polled by hand.

use super::{block, find, flow};
use memprof_heap::operation::{OperationSite, TrackFuture};
use std::future::poll_fn;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::thread;

fn poll<F: Future + ?Sized>(future: &mut Pin<Box<F>>) -> Poll<F::Output> {
    future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

/// A future that is ready when it is polled again.
async fn pause() {
    let mut polled = false;
    poll_fn(|_| if std::mem::replace(&mut polled, true) { Poll::Ready(()) } else { Poll::Pending })
        .await;
}

async fn pause_with(bytes: usize) -> Vec<u8> {
    let held = block(bytes);
    pause().await;
    held
}

#[test]
fn a_future_that_each_poll_finds_on_another_thread_is_one_call() {
    static MOVES: OperationSite = OperationSite::new("moves", file!(), line!());
    let work = async {
        let mut kept = Vec::with_capacity(10);
        for _ in 0..10 {
            kept.push(block(1000));
            pause().await;
        }
        drop(kept);
        block(77)
    };
    let mut future = Box::pin(work.track(&MOVES));
    let made = loop {
        let (polled, back) =
            thread::spawn(move || (poll(&mut future), future)).join().expect("it does not panic");
        future = back;
        if let Poll::Ready(made) = polled {
            break made;
        }
    };
    let moves = find("moves");
    let list = 10 * size_of::<Vec<u8>>() as u64;
    assert_eq!((moves.calls, moves.peak), (1, 10_000 + list));
    assert_eq!(flow(&moves), [10_077 + list, 12, 10_000 + list, 11]);
    assert_eq!(moves.max_net_bytes, 77);
    drop(made);
}

#[test]
fn a_future_that_is_dropped_half_way_is_a_call_with_what_its_drop_freed() {
    static DROPPED: OperationSite = OperationSite::new("dropped", file!(), line!());
    let work = async {
        let held = block(4000);
        pause().await;
        drop(held);
    };
    let mut future = Box::pin(work.track(&DROPPED));
    assert!(poll(&mut future).is_pending());
    assert_eq!(find("dropped").calls, 0);
    // The box is not included, because it is not the future's own memory.
    drop(future);
    let dropped = find("dropped");
    assert_eq!((dropped.calls, flow(&dropped)), (1, [4000, 1, 4000, 1]));
    assert_eq!((dropped.peak, dropped.max_net_bytes), (4000, 0));
}

#[test]
fn a_future_that_is_never_polled_is_no_call() {
    static UNPOLLED: OperationSite = OperationSite::new("unpolled", file!(), line!());
    drop(async { block(10) }.track(&UNPOLLED));
    let all = memprof_heap::operations().expect("the level is Counters");
    assert!(all.find("unpolled").is_none_or(|of| of.calls == 0));
}

#[test]
fn a_future_that_panics_is_a_call_and_leaves_no_operation_running() {
    static PANICS: OperationSite = OperationSite::new("future panics", file!(), line!());
    static NEXT: OperationSite = OperationSite::new("after the panic", file!(), line!());
    let work = async {
        drop(block(900));
        pause().await;
        drop(block(5000));
        resume_unwind(Box::new(()));
    };
    let mut future = Box::pin(work.track(&PANICS));
    assert!(poll(&mut future).is_pending());
    assert!(catch_unwind(AssertUnwindSafe(|| poll(&mut future))).is_err());
    drop(NEXT.enter());
    drop(future);
    let panics = find("future panics");
    assert_eq!((panics.calls, panics.peak), (1, 5000));
    assert!(panics.allocated_bytes >= 5900, "{panics:?}");
    assert_eq!(find("after the panic").calls, 1);
}

#[test]
fn in_current_operation_adds_work_to_an_operation_without_a_call() {
    static AROUND: OperationSite = OperationSite::new("spawns", file!(), line!());
    let operation = AROUND.enter();
    let spawned = async {
        let held = block(100);
        pause().await;
        drop(held);
        drop(block(10));
    };
    let spawned = spawned.in_current_operation();
    drop(operation);
    thread::spawn(move || {
        let mut spawned = Box::pin(spawned);
        while poll(&mut spawned).is_pending() {}
    })
    .join()
    .expect("it does not panic");
    let spawns = find("spawns");
    assert_eq!((spawns.calls, flow(&spawns)), (1, [110, 2, 110, 2]));
}

#[test]
fn average_excludes_work_bound_to_an_operation() {
    static BOUND: OperationSite = OperationSite::new("bound", file!(), line!());
    let operation = BOUND.enter();
    let kept = block(10);
    let bound = pause_with(4000).in_current_operation();
    drop(operation);
    let mut bound = Box::pin(bound);
    assert!(poll(&mut bound).is_pending());
    let operation = find("bound");
    let figures = (operation.calls, operation.max_net_bytes, operation.net_bytes());
    assert_eq!(figures, (1, 10, 4010));
    assert_eq!(operation.average_net_bytes(), Some(10.0));
    drop(kept);
}

#[test]
fn average_excludes_calls_that_have_not_ended() {
    static UNENDED: OperationSite = OperationSite::new("unended", file!(), line!());
    let [mut ended, mut runs] =
        [100, 5000].map(|bytes| Box::pin(pause_with(bytes).track(&UNENDED)));
    assert!(poll(&mut ended).is_pending() && poll(&mut runs).is_pending());
    let Poll::Ready(kept) = poll(&mut ended) else { panic!("it is ready") };
    let unended = find("unended");
    assert_eq!((unended.calls, unended.max_net_bytes, unended.net_bytes()), (1, 100, 5100));
    assert_eq!(unended.average_net_bytes(), Some(100.0));
    drop(kept);
}

#[test]
fn a_future_within_a_future_is_part_of_it() {
    static OUTER: OperationSite = OperationSite::new("outer future", file!(), line!());
    static INNER: OperationSite = OperationSite::new("inner future", file!(), line!());
    let work = async {
        drop(block(10));
        async {
            let held = block(500);
            pause().await;
            drop(held);
        }
        .track(&INNER)
        .await;
        drop(block(20));
    };
    let mut future = Box::pin(work.track(&OUTER));
    while poll(&mut future).is_pending() {}
    let [outer, inner] = [find("outer future"), find("outer future;inner future")];
    assert_eq!((outer.calls, flow(&outer)), (1, [530, 3, 530, 3]));
    assert_eq!((inner.calls, flow(&inner)), (1, [500, 1, 500, 1]));
    assert_eq!((outer.own_allocated_bytes, outer.peak, inner.peak), (30, 500, 500));
}
