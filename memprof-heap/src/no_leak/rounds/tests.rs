//! What is taken for growth, of rounds that are made up.

use super::{Rounds, WARM_UP};

/// Bytes that are live after a round; rounds are counted from 1, those to warm up among them.
type Live = fn(i64) -> i64;

/// Whether it leaks, and how many rounds were run.
fn leaks(rounds: u32, live: impl Fn(i64) -> i64) -> (bool, u32) {
    let warm = i64::from(WARM_UP);
    let more = |seen: &mut Rounds, rounds: u32| {
        for _ in 0..rounds {
            let round = warm + i64::from(seen.count()) + 1;
            seen.bytes.push(live(round) - live(warm));
        }
        Ok(())
    };
    let mut seen = Rounds::default();
    let found = seen.find_growth(rounds, more).expect("no error");
    if found {
        let again = seen.count();
        more(&mut seen, again).expect("no error");
    }
    (found && seen.goes_on(), seen.count())
}

/// What a buffer holds of so many values of 8 bytes.
fn doubling(values: i64) -> i64 {
    8 * values.cast_unsigned().next_power_of_two().cast_signed()
}

#[test]
fn growth_is_told_from_what_looks_like_it() {
    let cases: [(&str, Live, (bool, u32)); 17] = [
        ("nothing", |_| 0, (false, 10)),
        ("the same each time", |n| 8 * n, (true, 46)),
        ("more each time", |n| n * n, (true, 46)),
        ("every third round", |n| n / 3 * 24, (true, 98)),
        ("every tenth round", |n| n / 10 * 80, (true, 98)),
        ("a buffer that doubles", doubling, (true, 98)),
        ("a buffer of three more", |n| doubling(3 * n), (true, 98)),
        ("something made once", |n| i64::from(n > 5) * 100, (false, 23)),
        ("made once, late", |n| i64::from(n > 20) * 100, (false, 10)),
        ("less each time", |n| -8 * n, (false, 10)),
        ("a cache that is full after 9 rounds", |n| 100 * n.min(9), (false, 23)),
        ("a cache that is full after 16 rounds", |n| 100 * n.min(16), (false, 49)),
        ("a cache that is full after 30 rounds", |n| 100 * n.min(30), (false, 46)),
        ("a leak behind something large", |n| 8 * n + i64::from(n > 9) * 9000, (true, 98)),
        ("filled and cleared", |n| n % 7 * 100, (false, 23)),
        ("filled and cleared less often", |n| n % 25 * 100, (false, 49)),
        ("a leak beside what is filled and cleared", |n| 8 * n + n % 4 * 10, (true, 98)),
    ];
    let found: Vec<_> = cases.iter().map(|(name, live, _)| (*name, leaks(10, live))).collect();
    let expected: Vec<_> = cases.iter().map(|(name, _, leak)| (*name, *leak)).collect();
    assert_eq!(found, expected);
}

#[test]
fn five_rounds_are_enough() {
    assert_eq!(leaks(5, |n| 8 * n), (true, 26));
    assert_eq!(leaks(5, |_| 0), (false, 5));
}

#[test]
fn noise_is_hardly_ever_taken_for_a_leak() {
    let noise = |n: i64, seed: i64| {
        let mixed = (n + 1000 * seed).cast_unsigned().wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (mixed >> 48).cast_signed()
    };
    let found = (0..500).filter(|seed| leaks(10, |n| noise(n, *seed)).0).count();
    assert!(found <= 1, "{found} of 500");
}
