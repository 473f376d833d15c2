//! Clocks that stand still or break, operations that fail, too little to tell anything.

use crate::clock::{Clock, on_host, plan};
use memprof_gpu::overhead::{Batch, Bench, Plan, Verdict};
use std::convert::Infallible;
use std::error::Error;
use std::time::Duration;

#[expect(clippy::unnecessary_wraps, reason = "operations may fail")]
fn nothing() -> Result<(), Infallible> {
    Ok(())
}

#[test]
fn a_clock_that_stands_still_ends_and_tells_nothing() {
    let clock = Clock::default();
    let plan = Plan::default().batch(Batch::Lasting(Duration::from_micros(1)));
    let comparison = on_host(&clock, plan).compare(nothing, nothing).unwrap();
    let host = comparison.host;
    assert_eq!((host.ratio, host.noise, host.verdict), (None, None, Verdict::TooShort));
    assert_eq!((host.raw_ns, host.spread), (0.0, None));
}

#[test]
fn one_sample_has_a_ratio_but_no_verdict() {
    let clock = Clock::default();
    let call = |nanoseconds| {
        clock.advance(nanoseconds);
        nothing()
    };
    let plan = plan(1).repeats(1);
    let comparison = on_host(&clock, plan).compare(|| call(10), || call(30)).unwrap();
    let ratio = comparison.host.ratio.unwrap();
    assert_eq!((ratio.value, ratio.interval), (3.0, None));
    assert_eq!((comparison.host.noise, comparison.host.verdict), (None, Verdict::TooFew));
}

#[test]
fn a_plan_of_nothing_measures_once() {
    let clock = Clock::default();
    let plan = plan(0).repeats(0).batch(Batch::Calls(0)).longest(Duration::ZERO);
    let comparison = on_host(&clock, plan).compare(nothing, nothing).unwrap();
    assert_eq!((comparison.samples, comparison.repeats, comparison.batch), (1, 1, 1));
    let split = on_host(&clock, plan).split(|_| nothing()).unwrap();
    assert_eq!((split.check_ns, split.dispatch_ns), (None, None));
}

#[test]
fn samples_in_which_no_time_passed_do_not_count_for_the_ratio() {
    let clock = Clock::default();
    let calls = std::cell::Cell::new(0_u32);
    let raw = || {
        calls.set(calls.get() + 1);
        clock.advance(if calls.get().is_multiple_of(5) { 0 } else { 10 });
        nothing()
    };
    let wrapped = || {
        clock.advance(20);
        nothing()
    };
    let host = on_host(&clock, plan(30)).compare(raw, wrapped).unwrap().host;
    assert_eq!(host.ratio.unwrap().value, 2.0);
}

#[test]
fn an_operation_that_fails_is_named_and_says_why() {
    let clock = Clock::default();
    let broken = || Err::<(), _>(std::io::Error::other("units differ"));
    let raw = on_host(&clock, plan(6)).compare(broken, nothing).unwrap_err();
    assert!(raw.to_string().starts_with("the raw operation failed"), "{raw}");
    let wrapped = on_host(&clock, plan(6)).compare(nothing, broken).unwrap_err();
    assert!(wrapped.to_string().starts_with("the wrapped operation failed"), "{wrapped}");
    assert_eq!(wrapped.source().unwrap().to_string(), "units differ");
    let split = on_host(&clock, plan(6)).split(|_| broken()).unwrap_err();
    assert_eq!(split.source().unwrap().to_string(), "units differ");
}

#[test]
fn a_clock_that_breaks_ends_it_with_its_own_words() {
    for fails_after in 1..200 {
        let clock = Clock { fails_after, ..Clock::default() };
        let error = on_host(&clock, plan(21)).compare(nothing, nothing);
        match error {
            Err(error) => assert_eq!(error.source().unwrap().to_string(), "the clock broke"),
            Ok(_) => assert!(fails_after > 100, "{fails_after}"),
        }
        let device = Some(clock.clone());
        let mut bench = Bench::with_timers(Clock::default(), device, plan(21));
        if let Err(error) = bench.compare(nothing, nothing) {
            assert_eq!(error.to_string(), "the timer could not be read");
        } else {
            assert!(fails_after > 100, "{fails_after}");
        }
        assert!(on_host(&clock, plan(6)).split(|_| nothing()).is_err(), "{fails_after}");
    }
}
