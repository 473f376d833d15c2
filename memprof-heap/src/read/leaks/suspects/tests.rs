//! Tests with series of a place, some of which are leaks.

use crate::read::leaks::groups::Point;
use crate::read::leaks::suspects::{
    Course, WINDOWS, course, exact_course, grows_in_steps, min_of_windows,
};
use crate::record::estimate::Estimate;

/// Maps the number of an observation to its bytes, lasting bytes and blocks.
type Held = fn(f64) -> (f64, f64, f64);

fn seen(observations: u32, held: Held) -> Course {
    let point = |number: u32| {
        let (bytes, lasting, blocks) = held(f64::from(number));
        let exact = |value| Estimate { samples: 10, ..Estimate::exact(value) };
        Point {
            seconds: f64::from(number) / 10.0,
            number: number.into(),
            calls: 4 * u64::from(number),
            younger: exact(bytes),
            younger_blocks: exact(blocks),
            lasting,
            ..Point::default()
        }
    };
    course(&(1..=observations).map(point).collect::<Vec<_>>()).expect("observations")
}

#[test]
fn lasting_growth_is_a_leak() {
    let cases: [(&str, Held, bool); 6] = [
        ("a steady leak", |n| (8.0 * n, 4.0 * n, n), true),
        ("a leak that speeds up", |n| (n * n, n * n / 4.0, n * n), true),
        ("a leak beside what was allocated once", |n| (99.0 + 8.0 * n, 99.0 + 4.0 * n, n), true),
        ("a buffer that is reallocated", |n| (8.0 * n, 0.0, 1.0), true),
        ("busier", |n| (8.0 * n, 0.0, n), false),
        ("busier beside what was allocated once", |n| (99.0 + 8.0 * n, 99.0, n), false),
    ];
    for (name, held, leak) in cases {
        for observations in [10, 50, 250] {
            assert_eq!(seen(observations, held).grows, leak, "{name}, {observations}");
        }
    }
}

#[test]
fn slopes_are_per_second_observation_and_call() {
    let course = seen(30, |n| (8.0 * n, 4.0 * n, n));
    let close = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-6, "{value}");
    close(course.growth.per_second, 80.0);
    close(course.growth.per_observation, 8.0);
    close(course.per_call.expect("calls"), 2.0);
    close(course.growth.interval.0, 80.0);
}

#[test]
fn a_series_is_judged_by_the_least_of_each_window() {
    let sawtooth: Vec<i64> = (0..100).map(|n| n % 10).collect();
    let chosen = min_of_windows(&sawtooth, |value| *value as f64);
    assert_eq!(chosen.len(), WINDOWS);
    assert!(chosen.iter().all(|value| **value % 5 == 0));
    let few = [3_i64, 1, 2];
    assert_eq!(min_of_windows(&few, |value| *value as f64), [&3, &1, &2]);
    assert!(min_of_windows(&[], |value: &i64| *value as f64).is_empty());
}

#[test]
fn exact_bytes_are_judged_alike() {
    let series = |value: fn(i64) -> i64| {
        let one = |n: i64| (n as f64, n.cast_unsigned(), value(n));
        exact_course(&(1..=60).map(one).collect::<Vec<_>>()).expect("observations").grows
    };
    assert!(series(|n| 100 * n));
    assert!(series(|n| 100 * n + 300 * (n % 3)));
    assert!(!series(|n| 300 * (n % 3)));
    assert!(!series(|n| 100 * n.min(20)));
    assert!(exact_course(&[(1.0, 1, 5)]).is_none());
}

/// Pseudo-random numbers that are the same in every run.
struct Xorshift(u64);

impl Xorshift {
    /// Returns a number in 0.0..1.0, uniformly distributed.
    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        f64::from((self.0 >> 32) as u32) / (f64::from(u32::MAX) + 1.0)
    }
}

/// Returns the series of a place that holds 200 blocks from before the baseline. Between two
/// observations, `replaced` of them are replaced by blocks of random sizes, and `lost` bytes leak.
fn pool(seed: u64, replaced: u32, lost: f64) -> Vec<Point> {
    let mut random = Xorshift((seed + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15));
    let mut pool: Vec<(f64, u32)> = (0..200).map(|_| (random.uniform() * 1000.0, 0)).collect();
    let exact = |value| Estimate { samples: 200, ..Estimate::exact(value) };
    let bytes_of = |pool: &[(f64, u32)], ages: core::ops::RangeInclusive<u32>| {
        pool.iter().filter(|block| ages.contains(&block.1)).map(|block| block.0).sum::<f64>()
    };
    let baseline = exact(bytes_of(&pool, 0..=0));
    let observe = |number: u32| {
        for _ in 0..replaced {
            let place = (random.uniform() * 200.0) as usize;
            pool[place] = (random.uniform() * 1000.0, number);
        }
        let leaked = lost * f64::from(number);
        Point {
            seconds: number.into(),
            number: number.into(),
            younger: exact(bytes_of(&pool, 1..=number) + leaked),
            younger_blocks: exact(f64::from(number)),
            lasting: bytes_of(&pool, 1..=number / 2) + leaked / 2.0,
            older: exact(bytes_of(&pool, 0..=0)),
            baseline,
            ..Point::default()
        }
    };
    (1..=250).map(observe).collect()
}

#[test]
fn a_pool_that_is_replaced_is_seldom_a_leak_unless_it_takes_as_long_as_the_watch() {
    let of_fifty = |replaced, lost| {
        let grows = |seed: &u64| course(&pool(*seed, replaced, lost)).is_some_and(|one| one.grows);
        (0..50).filter(grows).count()
    };
    // The first pool is replaced about once in 250 observations, so its bytes wander.
    for (replaced, most) in [(1, 15), (10, 2), (100, 1)] {
        let (found, leaks) = (of_fifty(replaced, 0.0), of_fifty(replaced, 200.0));
        assert!(found <= most && leaks >= 47, "{replaced}: {found} and {leaks} of 50");
    }
}

/// Returns the capacity of a buffer that doubles when it is full.
fn doubled(bytes: f64) -> f64 {
    bytes.log2().ceil().exp2()
}

#[test]
fn one_block_that_doubles_grows_in_steps_whatever_its_pace() {
    for observations in [8, 10, 12, 20, 60, 250] {
        for phase in 0..20 {
            let pace = 1e6 * (f64::from(phase) / 20.0).exp2();
            let seen: Vec<_> = (1..=observations)
                .map(f64::from)
                .map(|second| (second, doubled(pace * second)))
                .collect();
            assert!(grows_in_steps(&seen), "{observations} {phase}");
            // The buffer is freed at the end.
            let cleared: Vec<_> = seen.iter().copied().chain([(260.0, 1e6)]).collect();
            assert!(!grows_in_steps(&cleared), "{observations} {phase}");
        }
    }
}

#[test]
fn a_buffer_as_large_as_its_largest_message_hardly_ever_grows_in_steps() {
    let mut random = Xorshift(77);
    // The sizes are uniform, exponential, or so uneven that they hardly have a mean.
    let sizes: [fn(f64) -> f64; 3] =
        [|chance| 1e6 * chance, |chance| -1e5 * chance.ln(), |chance| 1e4 / chance.sqrt()];
    for (kind, size) in sizes.iter().enumerate() {
        for messages in [10, 100] {
            let mut found = 0;
            for _ in 0..200 {
                let mut most = 1.0_f64;
                let seen: Vec<_> = (1..=60)
                    .map(|second| {
                        for _ in 0..messages {
                            most = most.max(size(1.0 - random.uniform()));
                        }
                        (f64::from(second), doubled(most))
                    })
                    .collect();
                found += u32::from(grows_in_steps(&seen));
            }
            assert!(found <= 20, "{kind}, {messages} messages: {found} of 200");
        }
    }
}
