//! The host's time by phase.

use crate::clock::{Clock, on_host, plan};
use memprof_gpu::overhead::{Phase, Recorder, Split};
use std::convert::Infallible;

/// The split of calls that spend so long in each phase, by a clock whose marks take so long.
fn split(mark_ns: u64, phases: &[(Phase, u64)]) -> Split {
    let clock = Clock { mark_ns, ..Clock::default() };
    let hand = clock.clone();
    on_host(&clock, plan(6))
        .split(|recorder| {
            for &(phase, nanoseconds) in phases {
                recorder.enter(phase);
                hand.advance(nanoseconds);
            }
            recorder.leave();
            Ok::<(), Infallible>(())
        })
        .unwrap()
}

#[test]
fn what_the_clock_costs_is_taken_off() {
    let phases = [
        (Phase::Check, 64),
        (Phase::Conversion, 10),
        (Phase::Dispatch, 500),
        (Phase::Construction, 26),
    ];
    for mark_ns in [0, 25, 1000] {
        let split = split(mark_ns, &phases);
        for (phase, nanoseconds) in phases {
            let time = split.of(phase).unwrap();
            assert!((time - nanoseconds as f64).abs() < 1e-6, "{phase:?}: {time}");
        }
        let (phase, share) = split.largest_share().unwrap();
        assert_eq!((phase, (share * 100.0).round()), (Phase::Check, 64.0));
        assert_eq!((split.resolution_ns, split.calls), (1.0, 96));
    }
}

#[test]
fn a_phase_that_is_entered_twice_in_a_call_counts_as_one() {
    let phases = [(Phase::Check, 5), (Phase::Dispatch, 7), (Phase::Check, 6)];
    let split = split(25, &phases);
    assert!((split.check_ns.unwrap() - 11.0).abs() < 1e-6, "{split:?}");
    assert_eq!((split.conversion_ns, split.construction_ns), (None, None));
}

#[test]
fn phases_that_take_no_time_have_no_share() {
    let split = split(25, &[(Phase::Check, 0), (Phase::Dispatch, 400)]);
    assert_eq!((split.check_ns, split.largest_share()), (Some(0.0), None));
}

#[test]
fn a_call_that_never_leaves_its_phase_does_not_leak_into_the_next() {
    let clock = Clock::default();
    let hand = clock.clone();
    let split = on_host(&clock, plan(6))
        .split(|recorder| {
            hand.advance(1_000_000);
            recorder.enter(Phase::Check);
            hand.advance(10);
            recorder.enter(Phase::Dispatch);
            Ok::<(), Infallible>(())
        })
        .unwrap();
    assert_eq!((split.check_ns, split.dispatch_ns), (Some(10.0), None));
}
