//! Processes that end while threads run, and the code that runs at the end.
#![expect(unsafe_code, reason = "handlers of the end of a process are C's")]

use super::{block, set};
use crate::own_process::{role, run_as};
use memprof_heap::operation::{OperationSite, TrackFuture};
use memprof_heap::{Level, operations, sites, totals};
use memprof_test_support::rounds;
use std::cell::RefCell;
use std::process::exit;
use std::thread;

static LAST: OperationSite = OperationSite::new("last", file!(), line!());

/// Allocates, frees, and reads all results.
fn work() {
    let _operation = LAST.enter();
    let mut bytes = block(100_000);
    bytes.reserve_exact(300_000);
    drop(bytes);
    drop(Box::pin(async { block(10) }.track(&LAST)));
    assert!(totals().expect("it counts").live_bytes() > 0);
    drop(operations().expect("it counts"));
    if memprof_heap::level() == Level::Sampled {
        drop(sites());
    }
}

/// Runs after `main`, when the main thread's thread-local values are gone.
extern "C" fn at_exit() {
    work();
}

struct AtThreadsEnd;

impl Drop for AtThreadsEnd {
    fn drop(&mut self) {
        work();
    }
}

thread_local! {
    static END: RefCell<Option<AtThreadsEnd>> = const { RefCell::new(None) };
}

fn begin(role: &str) {
    set(if role.starts_with("sampled") { Level::Sampled } else { Level::Counters });
    // SAFETY: the handler is a function of this program.
    assert_eq!(unsafe { libc::atexit(at_exit) }, 0);
    END.set(Some(AtThreadsEnd));
    work();
}

fn run_threads() {
    for _ in 0..2 {
        thread::spawn(|| {
            loop {
                work_of_a_thread();
            }
        });
    }
    thread::sleep(std::time::Duration::from_millis(20));
}

fn work_of_a_thread() {
    let _operation = LAST.enter();
    for size in 1..200 {
        drop(block(size * 10));
    }
}

#[test]
fn handlers_of_the_end_allocate_while_threads_run() {
    match role() {
        None => {
            for role in ["counters", "sampled"] {
                for _ in 0..rounds(1, 10) {
                    let status = run_as(role);
                    assert_eq!(status.code(), Some(7), "{role}: {status}");
                }
            }
        }
        Some(role) => {
            begin(&role);
            run_threads();
            exit(7);
        }
    }
}

#[test]
fn a_program_that_returns_from_main_ends_as_it_would() {
    match role() {
        None => {
            for role in ["counters", "sampled"] {
                let status = run_as(role);
                assert!(status.success(), "{role}: {status}");
            }
        }
        Some(role) => {
            begin(&role);
            run_threads();
        }
    }
}
