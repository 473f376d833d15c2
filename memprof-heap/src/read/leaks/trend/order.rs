//! The number of falling pairs of a series without a trend: the distribution of Kendall's
//! statistic.
//!
//! Without a trend, all orders of the values are equally likely. Up to 20 values, the orders are
//! counted; above that, the number of falling pairs is close to normally distributed.

use crate::read::leaks::trend::number;

/// The maximum number of values whose orders can be counted in 63 bits: 20! = 2.4 · 10^18.
const COUNTED: usize = 20;

/// The lower-tail probability of [`unlikely`], and the number of standard deviations below the mean
/// at which a normal distribution has this probability.
const TAIL: (f64, f64) = (0.025, 1.959_964);

/// Returns the number of pairs of `values` values.
pub(crate) const fn pairs(values: usize) -> usize {
    values * values.saturating_sub(1) / 2
}

/// Returns the probability that `values` values in random order have at most `falling` falling
/// pairs.
///
/// `ties` has the sizes of groups of equal values; a pair within a group neither falls nor rises.
pub(crate) fn chance(values: usize, ties: &[usize], falling: usize) -> f64 {
    if values <= COUNTED {
        share(&orders(values, ties), falling)
    } else {
        let (mean, deviation) = normal(values, ties);
        // The range of whole numbers up to `falling` ends half-way to the next number (continuity
        // correction).
        match (number(falling) + 0.5 - mean) / deviation {
            of_equal if of_equal.is_infinite() || of_equal.is_nan() => 1.0,
            deviations => below(deviations),
        }
    }
}

/// Returns the largest `k` for which at most `k` pairs fall with a probability of at most 2.5 %, in
/// a random order of `values` different values. Returns `None` if even `k` = 0 has a higher
/// probability.
pub(crate) fn unlikely(values: usize) -> Option<usize> {
    if values <= COUNTED {
        let orders = orders(values, &[]);
        (0..orders.len()).take_while(|&falling| share(&orders, falling) <= TAIL.0).last()
    } else {
        let (mean, deviation) = normal(values, &[]);
        Some(whole(mean - TAIL.1 * deviation - 0.5))
    }
}

/// Returns the number of orders of the values without a falling pair, with one, with two, and so
/// on.
///
/// A value that is added to smaller ones makes 0, 1, 2, … pairs fall, depending on its position. So
/// the orders of n values are the coefficients of 1 (1 + q) (1 + q + q²) … up to q^(n - 1). Groups
/// of equal values divide this by the polynomial of their own orders.
fn orders(values: usize, ties: &[usize]) -> Vec<i64> {
    let mut orders = vec![0; pairs(values) + 1];
    orders[0] = 1;
    for places in 2..=values {
        multiply(&mut orders, places);
    }
    for places in ties.iter().flat_map(|&equal| 2..=equal) {
        divide(&mut orders, places);
    }
    orders
}

/// Multiplies by 1 + q + … + q^(places - 1), which is (1 - q^places) / (1 - q).
fn multiply(series: &mut [i64], places: usize) {
    for power in (places..series.len()).rev() {
        series[power] -= series[power - places];
    }
    for power in 1..series.len() {
        series[power] += series[power - 1];
    }
}

/// Undoes [`multiply`].
fn divide(series: &mut [i64], places: usize) {
    for power in (1..series.len()).rev() {
        series[power] -= series[power - 1];
    }
    for power in places..series.len() {
        series[power] += series[power - places];
    }
}

/// Returns the share of orders with at most `falling` falling pairs.
#[expect(clippy::cast_precision_loss, reason = "a probability needs at most 52 bits")]
fn share(orders: &[i64], falling: usize) -> f64 {
    let all: i64 = orders.iter().sum();
    let some: i64 = orders.iter().take(falling + 1).sum();
    some as f64 / all as f64
}

/// Returns the mean and the standard deviation of the number of falling pairs (Kendall).
fn normal(values: usize, ties: &[usize]) -> (f64, f64) {
    let sum = |of: fn(f64) -> f64| {
        of(number(values)) - ties.iter().map(|&equal| of(number(equal))).sum::<f64>()
    };
    let mean = sum(|n| n * (n - 1.0)) / 4.0;
    let variance = sum(|n| n * (n - 1.0) * (2.0 * n + 5.0)) / 72.0;
    (mean, variance.max(0.0).sqrt())
}

/// Returns the probability that a normal value is at most `deviations` standard deviations above
/// its mean.
///
/// It uses the approximation of the error function in *Numerical Recipes* (`erfcc`). Its relative
/// error is below 1.2 · 10^-7 everywhere, also for small probabilities.
fn below(deviations: f64) -> f64 {
    const TERMS: [f64; 10] = [
        0.170_872_77,
        -0.822_152_23,
        1.488_515_87,
        -1.135_203_98,
        0.278_868_07,
        -0.186_288_06,
        0.096_784_18,
        0.374_091_96,
        1.000_023_68,
        -1.265_512_23,
    ];
    let x = deviations.abs() / core::f64::consts::SQRT_2;
    let t = 1.0 / (1.0 + x / 2.0);
    let exponent = TERMS.iter().fold(0.0, |sum, term| sum * t + term) - x * x;
    let tail = t * exponent.exp() / 2.0;
    if deviations < 0.0 { tail } else { 1.0 - tail }
}

/// Converts a non-negative number to a count.
#[expect(clippy::cast_sign_loss, reason = "the mean of more than 20 values is far from 0")]
fn whole(number: f64) -> usize {
    number as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn assert_close(value: f64, expected: f64, error: f64) {
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

    fn arrange(
        before: &mut Vec<u8>,
        rest: &[u8],
        orders: &mut std::collections::BTreeSet<Vec<u8>>,
    ) {
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
                assert_close(share(&orders, falling), normal, 0.005);
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
            assert_close(chance(values, &[], falling), expected, 0.00005);
        }
        assert_close(chance(5, &[5], 0), 1.0, 0.0);
        assert_close(chance(50, &[50], 0), 1.0, 0.0);
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
            assert_close(below(deviations), expected, 2e-7 * expected);
        }
    }
}
