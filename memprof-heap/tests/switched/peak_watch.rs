//! Watches on the process's peak and on its live bytes call their function once.

use crate::{alone, block};
use memprof_heap::hooks::{Wake, set_wake, watch_peak};
use memprof_heap::{Level, Rate, recorder, reset_peak, totals};
use memprof_test_support::wait_until;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

static WOKEN: AtomicU64 = AtomicU64::new(0);
/// The bytes that were live when the function was called, read within the call.
static LIVE: AtomicU64 = AtomicU64::new(0);

fn wake(why: Wake) {
    assert_eq!(why, Wake::Peak);
    let totals = totals().expect("it counts");
    LIVE.store(totals.live_bytes().unsigned_abs(), Relaxed);
    WOKEN.fetch_add(1, Relaxed);
}

fn woken() -> u64 {
    WOKEN.load(Relaxed)
}

#[test]
fn a_peak_above_the_limit_is_reported_once_until_the_limit_is_set_again() {
    let _alone = alone(Level::Counters, Rate::ADAPTIVE);
    set_wake(Some(wake));
    let start = totals().expect("it counts").peak.bytes;

    watch_peak(start + 10_000_000);
    drop(block(5_000_000));
    assert_eq!(woken(), 0, "not above");
    let kept = block(11_000_000);
    assert_eq!(woken(), 1);
    assert!(LIVE.load(Relaxed) >= 11_000_000);
    drop((block(50_000_000), block(90_000_000)));
    assert_eq!(woken(), 1, "once");

    watch_peak(start + 20_000_000);
    assert_eq!(woken(), 2, "at once, as it is above already");
    reset_peak().expect("it counts");
    watch_peak(totals().expect("it counts").peak.bytes + 1_000_000);
    drop(block(100_000));
    assert_eq!(woken(), 2);

    // Many small blocks of many threads. The thread that finds the peak calls the function.
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let kept: Vec<_> = (0..2000).map(|_| block(1000)).collect();
                drop(kept);
            });
        }
    });
    assert_eq!(woken(), 3);

    watch_peak(0);
    assert_eq!(woken(), 4);
    watch_peak(u64::MAX);
    drop(block(500_000_000));
    watch_peak(totals().expect("it counts").peak.bytes + 1_000_000);
    set_wake(None);
    drop(block(900_000_000));
    assert_eq!(woken(), 4, "nobody is there");

    // `recorder::watch_live` wakes the recorder when live bytes exceed its limit, even far below
    // the peak.
    recorder::set_wake(Some(wake));
    let live = totals().expect("it counts").live_bytes().unsigned_abs();
    recorder::watch_live(live + 10_000_000);
    drop(block(5_000_000));
    assert_eq!(woken(), 4, "not above");
    drop((block(6_000_000), block(6_000_000)));
    assert_eq!(woken(), 5);
    assert!((live + 10_000_000..live + 20_000_000).contains(&LIVE.load(Relaxed)));
    drop(block(50_000_000));
    assert_eq!(woken(), 5, "once");
    // A large free does not hide the limit, and neither do small blocks.
    recorder::watch_live(live + 10_000_000);
    drop(block(8_000_000));
    thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| {
                let kept: Vec<_> = (0..4000).map(|_| block(1000)).collect();
                wait_until("the function is called", || woken() >= 6);
                drop(kept);
            });
        }
    });
    recorder::watch_live(0);
    assert_eq!(woken(), 7, "at once");
    recorder::watch_live(live + 10_000_000);
    recorder::watch_live(u64::MAX);
    drop(block(50_000_000));
    assert_eq!(woken(), 7, "the watch has ended");
    drop(kept);
}
