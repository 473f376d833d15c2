//! Recursive operations, which are entered within themselves.

use super::{block, find, flow};
use memprof_heap::operation::OperationSite;
use std::thread;

const DEPTH: u64 = 10_000;

/// Runs work on a thread with a stack that is large enough for the recursion.
fn on_a_large_stack(work: impl FnOnce() + Send + 'static) {
    let thread = thread::Builder::new().stack_size(64 << 20).spawn(work);
    thread.expect("there is memory").join().expect("it does not panic");
}

#[test]
fn an_operation_within_itself_ten_thousand_times_is_counted_once() {
    static DEEP: OperationSite = OperationSite::new("deep", file!(), line!());
    fn deep(depth: u64) {
        if depth == 0 {
            return;
        }
        let _operation = DEEP.enter();
        let held = block(10);
        deep(depth - 1);
        drop(held);
    }
    on_a_large_stack(|| deep(DEPTH));
    let all = find("deep");
    assert_eq!((all.calls, all.peak), (DEPTH, 10 * DEPTH));
    assert_eq!(flow(&all), [10 * DEPTH, DEPTH, 10 * DEPTH, DEPTH]);
}

#[test]
fn the_average_call_frees_no_less_than_the_call_that_frees_least() {
    static FREES: OperationSite = OperationSite::new("frees within itself", file!(), line!());
    let [first, second] = [block(100), block(500)];
    {
        let _outer = FREES.enter();
        drop(first);
        let _inner = FREES.enter();
        drop(second);
    }
    let frees = find("frees within itself");
    assert_eq!((frees.calls, frees.max_net_bytes, frees.net_bytes()), (2, -500, -600));
    assert_eq!(frees.average_net_bytes(), Some(-550.0));
}

#[test]
fn two_operations_within_each_other_ten_thousand_times_are_counted_once_each() {
    static PING: OperationSite = OperationSite::new("ping", file!(), line!());
    static PONG: OperationSite = OperationSite::new("pong", file!(), line!());
    fn alternate(depth: u64) {
        if depth == 0 {
            return;
        }
        let _operation = if depth.is_multiple_of(2) { PING.enter() } else { PONG.enter() };
        let held = block(10);
        alternate(depth - 1);
        drop(held);
    }
    on_a_large_stack(|| alternate(DEPTH));
    let [outer, inner] = [find("ping"), find("ping;pong")];
    assert_eq!([outer.calls, inner.calls], [DEPTH / 2; 2]);
    assert_eq!([outer.peak, inner.peak], [10 * DEPTH, 10 * (DEPTH - 1)]);
    assert_eq!(flow(&outer), [10 * DEPTH, DEPTH, 10 * DEPTH, DEPTH]);
    let within = DEPTH - 1;
    assert_eq!(flow(&inner), [10 * within, within, 10 * within, within]);
}
