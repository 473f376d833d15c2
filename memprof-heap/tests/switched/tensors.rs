//! Tensors that a framework's wrapper reports while operations run. They are unknown before the
//! first report, which changes the process for good.

use crate::own_process::in_own_process;
use memprof_heap::event::{drain_operation_events, set_operation_events};
use memprof_heap::event::{tensor_created, tensor_dropped};
use memprof_heap::operation::{OperationSite, TrackFuture};
use memprof_heap::{Level, set_level};
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use std::thread;

static OUTER: OperationSite = OperationSite::new("outer", file!(), line!());
static INNER: OperationSite = OperationSite::new("inner", file!(), line!());

fn deltas() -> Vec<Option<i64>> {
    let mut all = Vec::new();
    drain_operation_events(|event| all.push(event.tensor_net_bytes));
    all
}

#[test]
fn tensors_are_those_of_the_thread_and_unknown_until_one_is_reported() {
    in_own_process(|| {
        set_level(Level::Counters);
        set_operation_events(true);
        drop(OUTER.enter());
        assert_eq!(deltas(), [None]);

        // The thread reports a tensor outside of all operations.
        tensor_created(100);
        {
            let _outer = OUTER.enter();
            tensor_created(1000);
            {
                let _inner = INNER.enter();
                tensor_created(20);
                tensor_dropped(600);
                thread::spawn(|| tensor_created(1 << 40)).join().expect("it does not panic");
            }
            drop(INNER.enter());
        }
        assert_eq!(deltas(), [Some(-580), Some(0), Some(420)]);

        let mut polls = 0;
        let work = std::future::poll_fn(|_| {
            polls += 1;
            tensor_created(5);
            if polls == 3 { Poll::Ready(()) } else { Poll::Pending }
        });
        let mut future = pin!(work.track(&OUTER));
        while future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending() {
            // Reports between its polls do not count for the future.
            tensor_created(7000);
        }
        assert_eq!(deltas(), [Some(15)]);
    });
}
