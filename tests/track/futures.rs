//! Functions whose result is awaited.

use crate::counted;
use std::error::Error;
use std::fmt::Display;
use std::future::{Future, poll_fn, ready};
use std::pin::{Pin, pin};
use std::task::{Context, Poll, Waker};

/// Is pending at the first poll and ready at the second.
async fn once_pending() {
    let mut polled = false;
    poll_fn(|_| if std::mem::replace(&mut polled, true) { Poll::Ready(()) } else { Poll::Pending })
        .await;
}

/// Polls a future to its end, and calls `between` after each pending poll.
fn run<F: Future>(future: F, mut between: impl FnMut()) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future.as_mut().poll(&mut Context::from_waker(Waker::noop())) {
            return output;
        }
        between();
    }
}

fn sendable<F: Future + Send>(future: F) -> F {
    future
}

#[memprof::track]
async fn awaits(size: usize) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(size);
    once_pending().await;
    bytes.reserve_exact(2 * size);
    bytes
}

#[test]
fn an_async_function_is_one_call_and_counts_while_it_is_polled() {
    let mut others = Vec::new();
    let bytes = run(sendable(awaits(10)), || others.push(vec![0_u8; 1000]));
    assert_eq!(bytes.capacity(), 20);
    let counted = counted("awaits");
    assert_eq!((counted.calls, counted.allocated_bytes, counted.net_bytes()), (1, 30, 20));
    assert_eq!(counted.peak, 20);
}

#[memprof::track]
async fn dropped_early() -> Vec<u8> {
    let bytes = vec![0; 50];
    once_pending().await;
    bytes
}

#[test]
fn a_future_that_is_dropped_is_a_call_that_frees() {
    let mut future = Box::pin(dropped_early());
    assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(future);
    drop(dropped_early());
    let counted = counted("dropped_early");
    assert_eq!((counted.calls, counted.allocated_bytes, counted.net_bytes()), (1, 50, 0));
}

#[memprof::track]
async fn parsed(text: &str) -> Result<impl Display + '_, Box<dyn Error + Send + Sync>> {
    let number: u32 = ready(text).await.parse()?;
    if number == 0 {
        Err("nothing")?;
    }
    Ok(format!("{text}: {number}"))
}

#[memprof::track]
async fn boxed(text: String) -> Box<dyn Display> {
    Box::new(text)
}

#[test]
fn results_are_inferred_as_in_an_async_function() {
    assert_eq!(run(parsed("12"), || ()).expect("it is a number").to_string(), "12: 12");
    assert!(run(parsed("0"), || ()).is_err());
    assert!(run(parsed("zero"), || ()).is_err());
    assert_eq!(run(boxed(String::from("text")), || ()).to_string(), "text");
    assert_eq!(counted("parsed").calls, 3);
    assert_eq!(counted("boxed").net_bytes(), 24);
}

trait Store {
    async fn load(&mut self, key: &str) -> &mut String;
}

#[derive(Default)]
struct InMemory {
    rows: Vec<String>,
}

impl Store for InMemory {
    #[memprof::track(name = "InMemory::load")]
    async fn load(&mut self, key: &str) -> &mut String {
        once_pending().await;
        self.rows.push(key.to_owned());
        self.rows.last_mut().expect("it was pushed")
    }
}

#[test]
fn methods_of_async_traits_borrow_what_they_borrowed() {
    let mut store = InMemory { rows: Vec::with_capacity(2) };
    run(store.load("key"), || ()).push('s');
    run(store.load("value"), || ());
    assert_eq!(store.rows, ["keys", "value"]);
    assert_eq!((counted("InMemory::load").calls, counted("InMemory::load").net_bytes()), (2, 8));
}

#[memprof::track]
fn by_hand(size: usize) -> impl Future<Output = Vec<u8>> + Send {
    let size = 2 * size;
    async move {
        once_pending().await;
        Vec::with_capacity(size)
    }
}

#[memprof::track]
fn pinned(size: &usize) -> Pin<Box<dyn Future<Output = Vec<u8>> + Send + '_>> {
    Box::pin(async move {
        once_pending().await;
        Vec::with_capacity(*size)
    })
}

#[test]
fn a_function_that_ends_in_a_future_counts_its_polls() {
    drop(run(by_hand(10), || ()));
    drop(run(pinned(&30), || ()));
    assert_eq!((counted("by_hand").calls, counted("by_hand").net_bytes()), (1, 20));
    assert_eq!((counted("pinned").calls, counted("pinned").net_bytes()), (1, 30));
}

#[memprof::track]
async fn outer() -> Vec<u8> {
    let mut bytes = inner().await;
    bytes.reserve_exact(20);
    bytes
}

#[memprof::track]
async fn inner() -> Vec<u8> {
    once_pending().await;
    Vec::with_capacity(10)
}

#[test]
fn a_future_that_another_one_awaits_is_part_of_it() {
    drop(run(outer(), || ()));
    assert_eq!(counted("outer").net_bytes(), 20);
    assert_eq!(counted("outer;inner").net_bytes(), 10);
}

#[memprof::track]
async fn never_ends() -> ! {
    loop {
        once_pending().await;
    }
}

#[memprof::track]
#[expect(unsafe_code, reason = "functions of all kinds are tried")]
async unsafe fn by_value(self_made: String, _: Box<u8>, mut list: Vec<u8>) {
    list.push(1);
    drop(self_made);
}

#[test]
fn futures_of_all_kinds_are_kept() {
    let mut future = Box::pin(never_ends());
    assert!(future.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    drop(future);
    assert_eq!(counted("never_ends").calls, 1);
    #[expect(unsafe_code, reason = "to call it")]
    // SAFETY: it is unsafe in name only.
    let future = unsafe { by_value(String::from("text"), Box::new(1), Vec::with_capacity(1)) };
    run(future, || ());
    // The body dropped the text and the list; the box is dropped after it.
    assert_eq!(counted("by_value").freed_bytes, 5);
}
