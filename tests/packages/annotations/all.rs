//! A program with all annotations and without the feature `heap`. The program runs, and the
//! annotations do nothing.

use memprof::heap::operation::{OperationGuard, OperationSite, TrackFuture, Tracked};
use memprof::heap::{Level, Measured};
use memprof::{Allocator, Profile};
use std::alloc::System;
use std::future::{Future, Ready, ready};
use std::pin::pin;
use std::task::{Context, Poll, Waker};

#[global_allocator]
static ALLOC: Allocator = Allocator::system().starting_at(Level::Counters);

const LINE: u32 = line!() + 1;
static FETCH: OperationSite = OperationSite::new("fetch", file!(), line!());

#[memprof::track]
fn load(rows: usize) -> Vec<String> {
    let _operation = memprof::operation!("rows");
    (0..rows).map(|row| row.to_string()).collect()
}

#[memprof::track(name = "answer")]
async fn fetch() -> Result<u32, std::num::ParseIntError> {
    let text = async { "42" }.track(&FETCH).await;
    Ok(text.parse::<u32>()? + ready(0).in_current_operation().await)
}

fn run<F: Future>(future: F) -> F::Output {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(output) => output,
        Poll::Pending => panic!("nothing is waited for"),
    }
}

#[test]
fn annotated_code_behaves_as_before() {
    assert_eq!(load(3), ["0", "1", "2"]);
    assert_eq!(run(fetch()), Ok(42));
    let guard = FETCH.enter();
    drop(guard);
    assert_eq!((FETCH.name(), FETCH.line()), ("fetch", LINE));
}

#[test]
fn annotations_have_no_size() {
    assert_eq!(size_of::<OperationGuard>(), 0);
    assert_eq!(size_of::<Allocator>(), 0);
    assert_eq!(size_of::<Allocator<Option<u32>>>(), size_of::<Option<u32>>());
    assert_eq!(size_of::<Tracked<Ready<u32>>>(), size_of::<Ready<u32>>());
}

#[test]
fn a_value_is_made_and_its_size_is_unknown() {
    let mut text = Measured::new(|| String::from("made"));
    assert_eq!(text.update(String::pop), Some('e'));
    assert_eq!((text.as_str(), text.bytes()), ("mad", None));
    assert_eq!(size_of_val(&text), size_of::<String>());
    let shown = Profile::of(&text).to_string();
    assert!(shown.ends_with("not exact: 1 not measured"), "{shown}");
    assert_eq!(Measured::try_new(|| "7".parse::<u8>()).map(Measured::into_inner), Ok(7));
}

#[test]
fn the_allocator_serves_every_kind_of_call() {
    let mut grown: Vec<u64> = Vec::with_capacity(1);
    grown.extend(0..10_000);
    grown.truncate(10);
    grown.shrink_to_fit();
    assert_eq!(grown, (0..10).collect::<Vec<_>>());
    assert!(vec![0_u8; 1 << 20].iter().all(|&byte| byte == 0));
    let _ = Allocator::new(System);
}
