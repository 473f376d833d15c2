//! Work whose live bytes do not keep growing.

use memprof::assert_no_leak;
use memprof::heap::leak::{LeakError, check_no_leak};
use std::collections::{HashMap, VecDeque};
use std::future::Future;
use std::hint::black_box;
use std::pin::pin;
use std::sync::OnceLock;
use std::task::{Context, Poll, Waker};

#[test]
fn a_returned_value_is_dropped() {
    assert_no_leak!(|| vec![String::from("a"); 100]);
    assert_no_leak!(rounds = 5, || black_box(Box::new(1)),);
    let clean = check_no_leak(25, || vec![1; 100]).expect("no leak");
    assert_eq!((clean.rounds, clean.net_bytes), (25, 0));
    assert_eq!((clean.last_growth, clean.to_string()), (None, "no leak in 25 rounds".to_owned()));
}

#[test]
fn a_static_that_is_made_on_first_use_is_no_leak() {
    static TABLE: OnceLock<Vec<u8>> = OnceLock::new();
    assert_no_leak!(|| TABLE.get_or_init(|| vec![1; 1000]).len());
}

#[test]
fn one_block_that_stays_is_no_leak() {
    let (mut kept, mut round) = (None, 0);
    assert_no_leak!(|| {
        round += 1;
        if round == 7 {
            kept = Some(vec![1; 1000]);
        }
    });
    assert!(kept.is_some());
}

#[test]
fn a_cache_that_fills_up_and_stays_is_no_leak() {
    let (mut cache, mut key) = (HashMap::new(), 0);
    assert_no_leak!(|| {
        key += 1;
        cache.insert(key % 8, vec![1; 1000]);
    });
    let (mut last, mut round) = (VecDeque::new(), 0);
    assert_no_leak!(rounds = 20, || {
        round += 1;
        last.push_back(vec![1; 1 + round % 5]);
        if last.len() > 16 {
            last.pop_front();
        }
    });
}

#[test]
fn a_container_that_is_filled_and_cleared_is_no_leak() {
    let mut lines = Vec::new();
    assert_no_leak!(rounds = 40, || {
        if lines.len() == 12 {
            lines = Vec::new();
        }
        lines.push("line".to_owned());
    });
}

#[test]
fn work_that_frees_is_no_leak() {
    let mut blocks: Vec<_> = (0..1000).map(Box::new).collect();
    assert_no_leak!(|| blocks.pop());
}

#[test]
fn futures_are_run_on_this_thread() {
    async fn answer() -> String {
        let text = vec![b'a'; 1000];
        std::future::ready(()).await;
        String::from_utf8(text).expect("text")
    }
    assert_no_leak!(|| block_on(answer()));
}

/// Polls a future that never waits.
pub(super) fn block_on<T>(future: impl Future<Output = T>) -> T {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => value,
        Poll::Pending => panic!("it waits"),
    }
}

#[test]
fn fewer_than_five_rounds_are_refused() {
    let error = check_no_leak(4, || ()).expect_err("too few");
    assert!(matches!(error, LeakError::TooFewRounds(4)));
    let text = "4 rounds can't distinguish growth from chance; at least 5 are needed";
    assert_eq!(error.to_string(), text);
}

#[test]
fn growth_that_stopped_is_no_leak_and_is_reported() {
    let (mut kept, mut round) = (None, 0);
    let clean = check_no_leak(10, || {
        round += 1;
        if round == 7 {
            kept = Some(vec![1_u8; 1000]);
        }
    });
    let clean = clean.expect("one block is no leak");
    // The first three rounds are not counted.
    assert_eq!((clean.last_growth, clean.net_bytes), (Some(4), 1000));
    assert!(kept.is_some());
}
