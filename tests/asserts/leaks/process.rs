//! The state of the process after a failure, and other threads that look for leaks.

use super::leak;
use memprof::assert_no_leak;
use memprof::heap::{Level, level};
use memprof_test_support::wait_until;
use std::panic::{AssertUnwindSafe, catch_unwind};

#[test]
fn parallel_threads_find_their_own_leaks() {
    let found: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (1..=6)
            .map(|number| {
                scope.spawn(move || {
                    let mut kept = Vec::with_capacity(1000);
                    if number % 3 == 0 {
                        assert_no_leak!(|| vec![1; 1000]);
                        return 0.0;
                    }
                    let leak = leak(|| kept.push(vec![1_u8; 100 * number]));
                    assert_eq!(leak.sites.len(), 1, "{leak}");
                    assert!((leak.sites[0].bytes_per_round - leak.bytes_per_round).abs() < 1e-6);
                    leak.bytes_per_round
                })
            })
            .collect();
        threads.into_iter().map(|thread| thread.join().expect("no panic")).collect()
    });
    assert_eq!(found, [100.0, 200.0, 0.0, 400.0, 500.0, 0.0]);
}

#[test]
fn a_nested_check_finds_its_leaks() {
    let mut kept = Vec::with_capacity(10_000);
    let outer = leak(|| {
        let mut own = Vec::with_capacity(1000);
        let inner = leak(|| own.push(vec![1_u8; 10]));
        assert_eq!(inner.sites.len(), 1, "{inner}");
        kept.push(vec![1_u8; 100]);
    });
    assert_eq!(outer.sites.len(), 1, "{outer}");
    assert_eq!(outer.bytes_per_round.to_string(), "100");
}

#[test]
fn a_panic_while_each_block_is_sampled_restores_the_level() {
    let (mut kept, mut rounds) = (Vec::with_capacity(1000), 0);
    crate::without_backtraces();
    let _ = catch_unwind(AssertUnwindSafe(|| {
        assert_no_leak!(|| {
            rounds += 1;
            kept.push(Box::new(1));
            assert!(level() != Level::Sampled || rounds < 30, "in the middle of it");
        });
    }));
    assert!(rounds >= 30);
    // Another test may be looking for leaks right now, and will finish.
    wait_until("the level is restored", || level() != Level::Sampled);
}
