//! Futures: one event for each call, with any number of polls and threads.

use super::{assert_add_up, drain, events, of};
use crate::block;
use memprof_heap::current_thread;
use memprof_heap::event::event_clock;
use memprof_heap::operation::{OperationSite, TrackFuture};
use std::pin::Pin;
use std::task::{Context, Poll, Waker};
use std::thread;

/// A future that is ready when it is polled again.
async fn pause() {
    let mut waited = false;
    std::future::poll_fn(move |_| {
        if std::mem::replace(&mut waited, true) { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

fn poll<F: Future>(future: &mut Pin<Box<F>>) -> Poll<F::Output> {
    future.as_mut().poll(&mut Context::from_waker(Waker::noop()))
}

#[test]
fn a_future_on_three_threads_is_one_event_from_its_first_poll_to_its_end() {
    static MOVES: OperationSite = OperationSite::new("moves", file!(), line!());
    let _events = events();
    let work = async {
        let first = block(100);
        pause().await;
        let second = block(20);
        pause().await;
        drop(first);
        (second, current_thread().expect("it counts").thread)
    };
    let mut future = Box::pin(work.track(&MOVES));
    let made = event_clock();
    assert!(drain().0.is_empty());
    let mut begun = None;
    let (kept, thread) = loop {
        let (polled, back) =
            thread::spawn(move || (poll(&mut future), future)).join().expect("it does not panic");
        future = back;
        begun = begun.or_else(|| Some(event_clock()));
        if let Poll::Ready(made) = polled {
            break made;
        }
    };
    let (events, _) = drain();
    let [event] = of(&events, "moves")[..] else { panic!("{events:?}") };
    assert_eq!((event.net_bytes, event.thread), (20, thread));
    let begun = begun.expect("it was polled");
    assert!(made <= event.start_ns && event.start_ns <= begun && begun <= event.end_ns);
    assert_add_up(&events, "moves");
    drop(kept);
}

#[test]
fn a_future_dropped_half_way_is_an_event_and_one_never_polled_is_none() {
    static DROPPED: OperationSite = OperationSite::new("dropped", file!(), line!());
    static UNPOLLED: OperationSite = OperationSite::new("unpolled", file!(), line!());
    let _events = events();
    drop(async { block(10) }.track(&UNPOLLED));
    let work = async {
        let held = block(4000);
        pause().await;
        drop(held);
    };
    let mut future = Box::pin(work.track(&DROPPED));
    assert!(poll(&mut future).is_pending());
    assert!(drain().0.is_empty());
    drop(future);
    let (events, _) = drain();
    assert_eq!((events.len(), of(&events, "dropped")[0].net_bytes), (1, 0));
    assert_add_up(&events, "dropped");
}

#[test]
fn a_future_within_an_operation_and_one_within_itself() {
    static AROUND: OperationSite = OperationSite::new("around", file!(), line!());
    static WITHIN: OperationSite = OperationSite::new("within", file!(), line!());
    let _events = events();
    let kept = {
        let _around = AROUND.enter();
        let mut one = Box::pin(async { block(7) }.track(&WITHIN));
        let mut same = Box::pin(async { block(70) }.track(&AROUND));
        (poll(&mut one), poll(&mut same))
    };
    let (events, _) = drain();
    for path in ["around", "around;within"] {
        assert_add_up(&events, path);
    }
    let around = of(&events, "around");
    assert!(around[0].is_within_itself && !around[1].is_within_itself, "{around:?}");
    drop(kept);
}
