//! Levels and rates that several parts of a program request.

use crate::{alone, block};
use memprof_heap::leak::{LeakError, check_no_leak};
use memprof_heap::{Level, Rate, level, request_level, set_level, set_rate, sites, totals};
use memprof_test_support::rounds;
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;

#[test]
fn the_level_is_the_highest_of_base_and_requests() {
    let _alone = alone(Level::Counters, Rate::ADAPTIVE);
    let first = request_level(Level::Sampled);
    let second = request_level(Level::Sampled);
    let below = request_level(Level::Off);
    assert_eq!(level(), Level::Sampled);
    set_level(Level::Off);
    assert_eq!(level(), Level::Sampled, "as long as it is requested");
    drop(first);
    assert_eq!((level(), second.level()), (Level::Sampled, Level::Sampled));
    let counted = request_level(Level::Counters);
    drop(second);
    assert_eq!(level(), Level::Counters);
    drop((counted, below));
    assert_eq!(level(), Level::Off);
    set_level(Level::Counters);
    assert_eq!(level(), Level::Counters);
}

#[test]
fn a_request_for_the_current_level_loses_no_count_and_no_sample() {
    let _alone = alone(Level::Counters, Rate::ADAPTIVE);
    set_rate(Rate::EACH_BLOCK);
    set_level(Level::Sampled);
    let kept = block(5_000_000);
    let before = totals().expect("it counts");
    for _ in 0..3 {
        let _request = request_level(Level::Sampled);
        let _lower = request_level(Level::Counters);
    }
    assert!(sites().expect("samples are taken").live.value >= 5e6);
    let after = totals().expect("it counts");
    assert!(after.allocated_bytes >= before.allocated_bytes);
    assert!(after.live_bytes() >= 5_000_000);
    drop(kept);
}

#[test]
fn the_finest_rate_of_base_and_requests_counts() {
    let _alone = alone(Level::Counters, Rate::ADAPTIVE);
    let request = |rate| request_level(Level::Sampled).with_rate(rate);
    let _level = request_level(Level::Sampled);
    let mean = || sites().expect("samples are taken").mean_bytes;
    set_rate(Rate::every(1 << 20));
    let coarser = request(Rate::every(4 << 20));
    assert_eq!(mean(), 1 << 20);
    let finer = request(Rate::every(4096));
    let each = request(Rate::EACH_BLOCK);
    assert_eq!(mean(), 0);
    let each = each.with_rate(Rate::every(8192));
    assert_eq!(mean(), 4096, "a guard has one rate");
    drop(each);
    assert_eq!(mean(), 4096);
    set_rate(Rate::every(2048));
    assert_eq!(mean(), 2048);
    set_rate(Rate::every(8192));
    drop((finer, coarser));
    assert_eq!(mean(), 8192);
}

#[test]
fn level_and_request_set_during_a_leak_check_hold_afterwards() {
    let _alone = alone(Level::Counters, Rate::ADAPTIVE);
    let mut request = None;
    check_no_leak(10, || {
        if level() == Level::Sampled && request.is_none() {
            set_level(Level::Off);
            request = Some(request_level(Level::Sampled));
        }
    })
    .expect("it keeps nothing");
    // If the check ended before it sampled, there is no request yet.
    request.get_or_insert_with(|| request_level(Level::Sampled));
    assert_eq!(level(), Level::Sampled);
    drop(request);
    set_level(Level::Counters);
    let mut kept = Vec::with_capacity(1000);
    let mut base = false;
    check_no_leak(10, || {
        kept.push(block(100));
        if level() == Level::Sampled {
            set_level(Level::Off);
            base = true;
        }
    })
    .expect_err("it leaks");
    assert!(base, "a leak is looked for in samples");
    assert_eq!(level(), Level::Off);
}

#[test]
fn after_threads_switch_at_once_samples_match_the_level() {
    let rounds = rounds(5, 20);
    let _alone = alone(Level::Counters, Rate::ADAPTIVE);
    set_rate(Rate::every(64 * 1024));
    for round in 0..rounds {
        thread::scope(|scope| {
            for own in 0..3 {
                scope.spawn(move || {
                    for turn in 0..20 {
                        if own == 0 {
                            set_level([Level::Counters, Level::Sampled][turn % 2]);
                        } else {
                            drop(request_level(Level::Sampled));
                        }
                    }
                });
            }
        });
        set_level(Level::Sampled);
        let kept: Vec<_> = (0..20).map(|_| block(1 << 20)).collect();
        let live = sites().expect("samples are taken").live.value;
        assert!(live > 19e6, "{live} in round {round}");
        drop(kept);
        set_level(Level::Counters);
    }
}

#[test]
fn large_blocks_freed_while_sampling_begins_are_not_live() {
    let _alone = alone(Level::Counters, Rate::ADAPTIVE);
    let done = AtomicBool::new(false);
    thread::scope(|scope| {
        for _ in 0..2 {
            scope.spawn(|| {
                while !done.load(Relaxed) {
                    // The system maps such blocks at another address each time.
                    drop(black_box(Vec::<u8>::with_capacity(8 << 20)));
                }
            });
        }
        for _ in 0..rounds(100, 300) {
            drop(request_level(Level::Sampled));
        }
        set_level(Level::Sampled);
        done.store(true, Relaxed);
    });
    let live = sites().expect("samples are taken").live.value;
    assert!(live < 8e6, "{live} bytes");
}

#[test]
fn the_call_sites_of_a_leak_are_estimated_if_too_many_samples_are_live() {
    let _alone = alone(Level::Counters, Rate::ADAPTIVE);
    set_rate(Rate::EACH_BLOCK);
    set_level(Level::Sampled);
    let live: Vec<_> = (0..4050).map(|_| block(100)).collect();
    let mut kept = Vec::with_capacity(10_000);
    let found = check_no_leak(10, || kept.extend((0..10).map(|_| block(100))));
    let Err(LeakError::Leaks(leak)) = found else { panic!("{found:?}") };
    assert_eq!((leak.bytes_per_round, leak.blocks_per_round), (1000.0, 10.0));
    let [site] = &leak.sites[..] else { panic!("one call site: {leak}") };
    assert!((500.0..2000.0).contains(&site.bytes_per_round), "{leak}");
    drop(live);
}
