//! Tests with series whose trend is known, and with noise that has none.

use crate::read::leaks::trend::{
    Trend, below, chance, normal, number, orders, pairs, share, unlikely,
};

struct Xorshift(u64);

impl Xorshift {
    fn seeded(seed: u64) -> Self {
        Self(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    fn uniform(&mut self) -> f64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        f64::from((self.0 >> 32) as u32) / (f64::from(u32::MAX) + 1.0)
    }

    /// Returns noise with a mean of 0 and a standard deviation of 1, close to normal.
    fn noise(&mut self) -> f64 {
        (0..12).map(|_| self.uniform()).sum::<f64>() - 6.0
    }
}

/// Maps the number of an observation to its value.
type Value = fn(u32) -> f64;

fn series(values: impl IntoIterator<Item = f64>) -> Vec<(f64, f64)> {
    (0_u32..).map(f64::from).zip(values).collect()
}

fn trend(values: impl IntoIterator<Item = f64>) -> Trend {
    Trend::of(&series(values)).expect("two observations and more")
}

fn assert_close(value: f64, expected: f64) {
    assert!(
        (value - expected).abs() <= 1e-9 * expected.abs().max(1.0),
        "{value} is not {expected}"
    );
}

/// Returns how many of 200 series are found to grow.
fn growing(make: impl Fn(&mut Xorshift) -> Vec<f64>) -> usize {
    let series = (0..200).map(|seed| make(&mut Xorshift::seeded(seed)));
    series.filter(|values| trend(values.iter().copied()).grows()).count()
}

#[test]
fn shapes_of_growth_are_distinguished_from_all_others() {
    let n = 40;
    let cases: [(&str, Value, bool); 13] = [
        ("constant", |_| 7.0, false),
        ("steady", |i| 100.0 + 8.0 * f64::from(i), true),
        ("steady in steps of four", |i| 64.0 * f64::from(i / 4), true),
        ("slowing down, and going on", |i| f64::from(i).sqrt(), true),
        ("speeding up", |i| f64::from(i).powi(2), true),
        ("a cache that is full half-way", |i| f64::from(i.min(20)), false),
        ("a cache that fills up ever slower", |i| 1.0 - (-f64::from(i) / 8.0).exp(), false),
        ("one that creeps on", |i| f64::from(1000 * i.min(20) + i), false),
        ("a sawtooth", |i| f64::from(i % 8), false),
        ("a sawtooth that rises", |i| f64::from(i % 8) + f64::from(i), true),
        ("one jump", |i| if i < 20 { 0.0 } else { 1000.0 }, false),
        ("one that is cleared once", |i| f64::from(if i == 30 { 0 } else { i }), false),
        ("decreasing", |i| -f64::from(i), false),
    ];
    for (name, value, grows) in cases {
        let trend = trend((0..n).map(value));
        assert_eq!(trend.grows(), grows, "{name}: {trend:?}");
    }
}

#[test]
fn the_slope_is_that_of_the_line() {
    let trend = trend((0..12).map(|i| 100.0 + 8.0 * f64::from(i)));
    assert_close(trend.slope, 8.0);
    assert_eq!(trend.slope_interval, (8.0, 8.0));
    assert_eq!((trend.first.1, trend.last.1), (100.0, 188.0));
    assert!(trend.chance < 1e-8);
}

#[test]
fn one_outlier_changes_nothing() {
    for at in 0..20 {
        let outlier = |i| if i == at { 1e9 } else { 3.0 };
        assert!(!trend((0..20).map(outlier)).grows(), "constant but at {at}");
    }
    // An outlier at 0 would be above all later values, so the last one would not be above the
    // first.
    for at in 1..20 {
        let outlier = |i| if i == at { 1e9 } else { f64::from(i) };
        let trend = trend((0..20).map(outlier));
        assert!(trend.grows(), "growing but at {at}: {trend:?}");
        assert!((trend.slope - 1.0).abs() < 0.1, "{}", trend.slope);
    }
}

#[test]
fn five_observations_suffice_if_each_is_above_the_one_before() {
    let cases: [(&[f64], bool); 8] = [
        (&[1.0, 2.0, 3.0, 4.0], false),
        (&[1.0, 2.0, 3.0, 4.0, 5.0], true),
        (&[1.0, 2.0, 3.0, 5.0, 4.0], false),
        (&[1.0, 2.0, 2.0, 3.0, 4.0], false),
        (&[0.0, 100.0, 200.0, 201.0, 202.0], false),
        (&[1.0, 2.0, 3.0, 4.0, 5.0, 5.0], false),
        (&[1.0, 2.0, 3.0, 4.0, 6.0, 5.0], false),
        (&[1.0, 2.0, 4.0, 3.0, 5.0, 6.0, 7.0], true),
    ];
    for (values, grows) in cases {
        let trend = trend(values.iter().copied());
        assert_eq!(trend.grows(), grows, "{values:?}: {trend:?}");
    }
}

#[test]
fn noise_is_hardly_ever_called_growth() {
    let of_length = |n: u32| growing(|random| (0..n).map(|_| random.noise()).collect());
    let found = [5, 6, 10, 20, 30, 60].map(of_length);
    assert!(found.iter().all(|&series| series <= 3), "{found:?}");
    // Many equal values, as in counts of few blocks.
    let coarse = growing(|random| (0..30).map(|_| (random.uniform() * 4.0).floor()).collect());
    assert!(coarse <= 3, "{coarse}");
}

#[test]
fn periodic_growth_is_not_growth_at_any_phase() {
    for period in 2..=20 {
        for phase in 0..period {
            let trend = trend((0..40).map(|i| f64::from((i + phase) % period)));
            assert!(!trend.grows(), "period {period}, phase {phase}: {trend:?}");
        }
    }
}

/// The limit that the module documents: observations must be independent.
#[test]
fn a_random_walk_is_often_called_growth() {
    let found = growing(|random| {
        let step = |at: &mut f64, _| {
            *at += random.noise();
            Some(*at)
        };
        (0..100).scan(0.0, step).collect()
    });
    assert!((40..=90).contains(&found), "{found}");
}

#[test]
fn a_full_cache_is_seldom_called_growth_whatever_the_noise() {
    for noise in [0.01, 0.1, 1.0, 3.0, 10.0] {
        let found = growing(|random| {
            (0..40).map(|i| f64::from(i.min(20)) + noise * random.noise()).collect()
        });
        assert!(found <= 10, "{found} with noise of {noise}");
    }
}

#[test]
fn growth_is_found_in_noise() {
    let found = growing(|random| (0..40).map(|i| f64::from(i) + 5.0 * random.noise()).collect());
    assert!(found >= 190, "{found}");
}

#[test]
fn the_interval_has_the_slope_in_nineteen_of_twenty_series() {
    for n in [6, 10, 15, 40] {
        let has_slope = |seed: &u64| {
            let mut random = Xorshift::seeded(*seed);
            let trend = trend((0..n).map(|i| f64::from(i) + 3.0 * random.noise()));
            trend.slope_interval.0 <= 1.0 && 1.0 <= trend.slope_interval.1
        };
        let found = (0..200).filter(has_slope).count();
        assert!((183..=199).contains(&found), "{found} of 200 with {n} observations");
    }
}

#[test]
fn a_long_series_is_judged_by_the_minimum_of_each_window() {
    let sawtooth = series((0..100).map(|n| f64::from(n % 10)));
    let minima = Trend::of_minima(&sawtooth).expect("100 values");
    assert_eq!((minima.first, minima.last), ((0.0, 0.0), (95.0, 5.0)));
    let rising = series((0..60).map(|n| f64::from(100 * n + 300 * (n % 3))));
    assert!(Trend::of_minima(&rising).is_some_and(|trend| trend.grows()));
    let few = series([3.0, 1.0, 2.0]);
    assert_eq!(Trend::of_minima(&few), Trend::of(&few));
    assert_eq!(Trend::of_minima(&[]), None);
}

#[test]
fn too_few_values_and_values_that_are_not_finite_have_no_trend() {
    let cases = [
        vec![],
        vec![(1.0, 2.0)],
        vec![(0.0, 2.0), (1.0, f64::NAN)],
        vec![(0.0, 2.0), (f64::INFINITY, 2.0)],
        vec![(0.0, f64::MIN), (1.0, f64::MAX)],
    ];
    for series in cases {
        assert_eq!(Trend::of(&series), None, "{series:?}");
    }
    let trend = Trend::of(&[(0.0, 2.0), (1.0, 2.0)]).expect("two values");
    assert_eq!(trend.slope_interval, (f64::NEG_INFINITY, f64::INFINITY));
    assert!(!trend.grows());
}

fn assert_within(value: f64, expected: f64, error: f64) {
    assert!((value - expected).abs() <= error, "{value} is not {expected}");
}

/// Counts the falling pairs of each order of the values, one by one.
fn by_trying(values: &[u8]) -> Vec<i64> {
    let mut found = vec![0; pairs(values.len()) + 1];
    let mut orders = std::collections::BTreeSet::new();
    arrange(&mut Vec::new(), values, &mut orders);
    for order in orders {
        let later = |(index, one): (usize, &u8)| {
            order[index + 1..].iter().filter(|&other| other < one).count()
        };
        found[order.iter().enumerate().map(later).sum::<usize>()] += 1;
    }
    found
}

fn arrange(before: &mut Vec<u8>, rest: &[u8], orders: &mut std::collections::BTreeSet<Vec<u8>>) {
    if rest.is_empty() {
        orders.insert(before.clone());
    }
    for (index, &value) in rest.iter().enumerate() {
        before.push(value);
        arrange(before, &[&rest[..index], &rest[index + 1..]].concat(), orders);
        before.pop();
    }
}

#[test]
fn the_number_of_orders_equals_that_of_a_full_enumeration() {
    let cases: [(&[u8], &[usize]); 8] = [
        (&[], &[]),
        (&[1], &[]),
        (&[1, 2, 3, 4, 5], &[]),
        (&[1, 2, 3, 4, 5, 6, 7], &[]),
        (&[1, 1, 2, 3, 4, 5, 6], &[2]),
        (&[1, 1, 1, 2, 2, 3, 4], &[3, 2]),
        (&[1, 1, 2, 2, 3, 3, 4], &[2, 2, 2]),
        (&[1, 1, 1, 1], &[4]),
    ];
    for (values, ties) in cases {
        assert_eq!(orders(values.len(), ties), by_trying(values), "{values:?}");
    }
}

#[test]
fn twenty_values_are_counted_and_the_next_are_close_to_normal() {
    let all: i64 = orders(20, &[]).iter().sum();
    assert_eq!(all, (1..=20).product::<i64>());
    for ties in [&[][..], &[5, 3, 2], &[10]] {
        let orders = orders(20, ties);
        let (mean, deviation) = normal(20, ties);
        for falling in 0..=pairs(20) {
            let normal = below((number(falling) + 0.5 - mean) / deviation);
            assert_within(share(&orders, falling), normal, 0.005);
        }
    }
}

#[test]
fn probabilities_match_kendalls_published_tables() {
    // Values, falling pairs, and the probability.
    let cases = [
        (1, 0, 1.0),
        (2, 0, 1.0 / 2.0),
        (3, 0, 1.0 / 6.0),
        (4, 0, 1.0 / 24.0),
        (5, 0, 1.0 / 120.0),
        (5, 1, 5.0 / 120.0),
        (5, 10, 1.0),
        (6, 2, 20.0 / 720.0),
        (10, 11, 0.0233),
        (10, 9, 0.0083),
    ];
    for (values, falling, expected) in cases {
        assert_within(chance(values, &[], falling), expected, 0.00005);
    }
    assert_within(chance(5, &[5], 0), 1.0, 0.0);
    assert_within(chance(50, &[50], 0), 1.0, 0.0);
}

#[test]
fn few_values_have_no_unlikely_number_of_falling_pairs() {
    let cases = [
        (1, None),
        (4, None),
        (5, Some(0)),
        (6, Some(1)),
        (10, Some(11)),
        (20, Some(64)),
        (21, Some(72)),
    ];
    for (values, expected) in cases {
        assert_eq!(unlikely(values), expected, "{values}");
    }
}

#[test]
fn the_normal_distribution_is_known_far_from_its_mean() {
    let cases = [
        (0.0, 0.5),
        (1.0, 0.841_344_746),
        (-1.0, 0.158_655_254),
        (-1.959_963_985, 0.025),
        (-2.326_347_874, 0.01),
        (-6.0, 9.865_876e-10),
    ];
    for (deviations, expected) in cases {
        assert_within(below(deviations), expected, 2e-7 * expected);
    }
}
