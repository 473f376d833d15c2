//! Times, ratios, noise and verdicts.

use crate::clock::{Clock, numbers, on_host, plan};
use memprof_gpu::overhead::{Batch, Bench, Comparison, Verdict};
use std::convert::Infallible;
use std::time::Duration;

/// Compares operations that take so long.
fn compared(
    clock: &Clock,
    mut bench: Bench<Clock, Clock>,
    mut raw: impl FnMut() -> u64,
    mut wrapped: impl FnMut() -> u64,
) -> Comparison {
    let call = |nanoseconds: u64| {
        clock.advance(nanoseconds);
        Ok::<(), Infallible>(())
    };
    bench.compare(|| call(raw()), || call(wrapped())).unwrap()
}

fn on_a_quiet_host(raw: u64, wrapped: u64) -> Comparison {
    let clock = Clock::default();
    compared(&clock, on_host(&clock, plan(21)), || raw, || wrapped)
}

#[test]
fn a_wrapper_that_takes_longer_is_slower_by_the_ratio() {
    let comparison = on_a_quiet_host(100, 150);
    let host = comparison.host;
    assert_eq!((host.raw_ns, host.wrapped_ns), (100.0, 150.0));
    assert_eq!((host.extra_ns.value, host.noise_ns), (50.0, Some(0.0)));
    let ratio = host.ratio.unwrap();
    assert_eq!((ratio.value, ratio.interval), (1.5, Some((1.5, 1.5))));
    assert_eq!((host.verdict, host.is_stable()), (Verdict::Slower, Some(true)));
    assert_eq!((comparison.samples, comparison.repeats, comparison.batch), (21, 3, 1));
    assert!(comparison.device.is_none());
}

#[test]
fn a_wrapper_that_takes_less_is_faster_and_one_as_long_is_the_same() {
    assert_eq!(on_a_quiet_host(100, 80).host.verdict, Verdict::Faster);
    assert_eq!(on_a_quiet_host(100, 100).host.verdict, Verdict::Same);
}

#[test]
fn a_difference_below_the_noise_is_none() {
    let clock = Clock::default();
    let mut noise = numbers(7, 400);
    let mut more = numbers(11, 400);
    let comparison =
        compared(&clock, on_host(&clock, plan(60)), || 1000 + noise(), || 1010 + more());
    let host = comparison.host;
    assert!(host.noise.unwrap() > 0.01, "{host:?}");
    assert_eq!(host.verdict, Verdict::Same, "{host:?}");
}

#[test]
fn a_difference_above_the_noise_is_found_in_it() {
    let clock = Clock::default();
    let mut noise = numbers(7, 400);
    let mut more = numbers(11, 400);
    let comparison =
        compared(&clock, on_host(&clock, plan(300)), || 1000 + noise(), || 1500 + more());
    let host = comparison.host;
    assert_eq!(host.verdict, Verdict::Slower, "{host:?}");
    let (low, high) = host.ratio.unwrap().interval.unwrap();
    assert!(low < 1.417 && 1.417 < high && high - low < 0.1, "1.417 in {low} to {high}");
}

#[test]
fn a_raw_operation_that_alternates_is_noise_and_not_a_cost() {
    let clock = Clock::default();
    let mut calls = 0_u64;
    let raw = || {
        calls += 1;
        if calls.is_multiple_of(2) { 100 } else { 130 }
    };
    let host = compared(&clock, on_host(&clock, plan(30)), raw, || 140).host;
    assert!(host.ratio.unwrap().interval.unwrap().0 > 1.0, "all of it looks slower: {host:?}");
    assert!(host.noise.unwrap() > 0.29, "{host:?}");
    assert_eq!(host.verdict, Verdict::Same, "{host:?}");
}

#[test]
fn noise_that_evens_out_is_noise() {
    let clock = Clock::default();
    let mut calls = 0_usize;
    // One call to warm up; then pairs that differ by 20 in turn up and down.
    let raw = || {
        calls += 1;
        [120, 100, 100, 120][calls % 4]
    };
    let host = compared(&clock, on_host(&clock, plan(24)), raw, || 110).host;
    assert_eq!(host.noise_ns, Some(20.0), "{host:?}");
}

#[test]
fn a_ratio_that_may_as_well_be_1_is_no_difference() {
    let clock = Clock::default();
    let mut calls = 0_usize;
    // Each repeat has 7 of it: 3 below the raw operation, 4 above.
    let wrapped = || {
        calls += 1;
        [80, 130, 80, 130, 80, 130, 130][calls % 7]
    };
    let host = compared(&clock, on_host(&clock, plan(21)), || 100, wrapped).host;
    assert_eq!((host.ratio.unwrap().value, host.noise), (1.3, Some(0.0)));
    assert_eq!(host.ratio.unwrap().interval.unwrap().0, 0.8);
    assert_eq!(host.verdict, Verdict::Same);
}

#[test]
fn repeats_that_say_the_opposite_tell_no_difference() {
    let clock = Clock::default();
    let mut calls = 0_usize;
    // One call to warm up; then 20 are a repeat.
    let wrapped = || {
        calls += 1;
        if calls > 1 + 40 { 90 } else { 130 }
    };
    let host = compared(&clock, on_host(&clock, plan(60)), || 100, wrapped).host;
    assert_eq!(host.ratio.unwrap().interval, Some((1.3, 1.3)));
    assert_eq!(host.verdict, Verdict::Same);
}

#[test]
fn either_operation_can_be_unstable() {
    for (raw_later, wrapped_later) in [(100, 300), (150, 200)] {
        let clock = Clock::default();
        let calls = std::cell::Cell::new(0_u64);
        let of = |first: u64, later: u64| {
            calls.set(calls.get() + 1);
            if calls.get() > 2 + 28 { later } else { first }
        };
        let bench = on_host(&clock, plan(21));
        let host = compared(&clock, bench, || of(100, raw_later), || of(200, wrapped_later)).host;
        assert_eq!((host.spread, host.is_stable()), (Some(0.5), Some(false)));
    }
}

#[test]
fn repeats_that_differ_by_more_than_a_tenth_are_unstable() {
    for (slowdown, stable) in [(108, true), (150, false)] {
        let clock = Clock::default();
        let calls = std::cell::Cell::new(0_u64);
        // Two calls to warm up; then 4 times 7 are a repeat.
        let factor = || {
            calls.set(calls.get() + 1);
            if calls.get() > 2 + 28 { slowdown } else { 100 }
        };
        let bench = on_host(&clock, plan(21));
        let host = compared(&clock, bench, || 10 * factor(), || 20 * factor()).host;
        assert_eq!(host.is_stable(), Some(stable), "{host:?}");
        assert_eq!((host.ratio.unwrap().value, host.verdict), (2.0, Verdict::Slower));
    }
}

#[test]
fn one_repeat_tells_nothing_of_stability() {
    let clock = Clock::default();
    let host = compared(&clock, on_host(&clock, plan(21).repeats(1)), || 100, || 150).host;
    assert_eq!((host.spread, host.is_stable(), host.verdict), (None, None, Verdict::Slower));
}

#[test]
fn host_and_device_time_are_apart_and_waiting_is_neither() {
    let (host, device) = (Clock::default(), Clock::default());
    let device = Clock { on_sync: Some((host.hand(), 1_000_000)), ..device };
    let mut bench = Bench::with_timers(host.clone(), Some(device.clone()), plan(21));
    let call = |on_host: u64, on_device: u64| {
        host.advance(on_host);
        device.advance(on_device);
        Ok::<(), Infallible>(())
    };
    let comparison = bench.compare(|| call(100, 5000), || call(300, 5000)).unwrap();
    assert_eq!((comparison.host.raw_ns, comparison.host.wrapped_ns), (100.0, 300.0));
    assert_eq!(comparison.host.verdict, Verdict::Slower);
    let on_device = comparison.device.unwrap();
    assert_eq!((on_device.raw_ns, on_device.wrapped_ns), (5000.0, 5000.0));
    assert_eq!(on_device.verdict, Verdict::Same);
    // Two samples to warm up, and of 21 pairs of either kind two each: all are waited for.
    let waited = device.asked.borrow().iter().filter(|what| **what == "sync").count();
    assert_eq!(waited, 2 + 4 * 21);
}

#[test]
fn batches_last_as_long_as_they_shall_and_fit_into_a_devices_queue() {
    let lasting = plan(6).batch(Batch::Lasting(Duration::from_micros(50)));
    let host = Clock::default();
    let call = || {
        host.advance(10);
        Ok::<(), Infallible>(())
    };
    let alone = on_host(&host, lasting).compare(call, call).unwrap();
    assert!((5000..6500).contains(&alone.batch), "{}", alone.batch);
    assert_eq!(alone.host.raw_ns, 10.0);
    let mut bench = Bench::with_timers(host.clone(), Some(Clock::default()), lasting);
    assert_eq!(bench.compare(call, call).unwrap().batch, 256);
    let slow = || {
        host.advance(1_000_000);
        Ok::<(), Infallible>(())
    };
    assert_eq!(on_host(&host, lasting).compare(slow, slow).unwrap().batch, 1);
}

#[test]
fn who_goes_first_alternates() {
    let order = std::cell::RefCell::new(String::new());
    let clock = Clock::default();
    let called = |letter: char| {
        order.borrow_mut().push(letter);
        clock.advance(1);
        Ok::<(), Infallible>(())
    };
    let mut bench = on_host(&clock, plan(4).repeats(1));
    bench.compare(|| called('r'), || called('w')).unwrap();
    assert_eq!(*order.borrow(), "rw rrrrrrrr rwwrrwwr".replace(' ', ""));
}

#[test]
fn caches_are_flushed_before_each_sample_if_the_plan_says_so() {
    for (flush, expected) in [(true, 2 + 4 * 6), (false, 0)] {
        let clock = Clock::default();
        let bench = on_host(&clock, plan(6).repeats(2).flush(flush));
        let asked = std::rc::Rc::clone(&clock.asked);
        compared(&clock, bench, || 1, || 1);
        assert_eq!(asked.borrow().iter().filter(|what| **what == "flush").count(), expected);
    }
}

#[test]
fn measuring_goes_on_as_long_as_it_shall_and_stops_when_it_must() {
    let clock = Clock::default();
    let longer = plan(6).repeats(1).measure(Duration::from_micros(10));
    assert_eq!(compared(&clock, on_host(&clock, longer), || 100, || 100).samples, 50);
    let stopped = plan(600).repeats(1).longest(Duration::from_micros(4));
    assert_eq!(compared(&clock, on_host(&clock, stopped), || 100, || 100).samples, 10);
}
