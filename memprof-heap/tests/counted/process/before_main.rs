//! Allocations before `main`.
#![cfg(target_os = "linux")]
#![expect(unsafe_code, reason = "what runs before `main` is a section of the program")]

use super::block;
use memprof_heap::{Level, Since, level, threads, totals};
use std::sync::atomic::{AtomicI64, Ordering::Relaxed};
use std::sync::{Mutex, PoisonError};

static KEPT: Mutex<Vec<u8>> = Mutex::new(Vec::new());
static LIVE: AtomicI64 = AtomicI64::new(0);

// SAFETY: the section holds functions of this type, which the loader calls.
#[unsafe(link_section = ".init_array")]
#[used]
static FIRST: extern "C" fn() = {
    extern "C" fn first() {
        let older = block(1 << 20);
        *KEPT.lock().unwrap_or_else(PoisonError::into_inner) = block(123_456);
        drop(older);
        LIVE.store(totals().map_or(0, |all| all.live_bytes()), Relaxed);
    }
    first
};

#[test]
fn allocations_before_main_are_counted() {
    assert!((123_456..200_000).contains(&LIVE.load(Relaxed)), "{LIVE:?}");
    assert!(level() >= Level::Counters);
    let all = totals().expect("it counts");
    assert_eq!(all.since, Since::Start);
    assert!(all.allocated_bytes >= 123_456 + (1 << 20));
    let first = threads().expect("it counts")[0];
    assert_eq!(first.thread, 1);
    assert!(first.peak_bytes >= 123_456 + (1 << 20), "{first:?}");
}
