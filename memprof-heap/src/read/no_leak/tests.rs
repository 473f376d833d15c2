//! Tests with made-up rounds, some of which grow.

use crate::read::no_leak::{Judged, LeakError, Rounds, WARM_UP, amount};
use crate::record::live_table::Sample;

type Live = fn(i64) -> i64;

struct MadeUp<F> {
    rounds: Rounds,
    live: F,
}

impl<F: Fn(i64) -> i64> Judged for MadeUp<F> {
    fn run(&mut self) -> Result<(), LeakError> {
        let warm = i64::from(WARM_UP);
        let round = warm + i64::from(self.rounds.count()) + 1;
        self.rounds.bytes.push((self.live)(round) - (self.live)(warm));
        Ok(())
    }

    fn rounds(&mut self) -> &mut Rounds {
        &mut self.rounds
    }

    fn sample_every_block(&mut self) {}

    fn live(&self) -> Vec<Sample> {
        Vec::new()
    }
}

fn leaks(rounds: u32, live: impl Fn(i64) -> i64) -> (bool, u32) {
    let mut made_up = MadeUp { rounds: Rounds::default(), live };
    let found = made_up.find_growth(rounds).expect("no error");
    let leaks = found && made_up.confirm().expect("no error").is_some();
    (leaks, made_up.rounds.count())
}

/// Returns the bytes of a buffer that holds this number of values of 8 bytes.
fn doubling(values: i64) -> i64 {
    8 * values.cast_unsigned().next_power_of_two().cast_signed()
}

/// The first page holds 32 units, and each further page has twice the units of the page before.
fn pages(units: i64) -> i64 {
    i64::from((units / 32 + 1).cast_unsigned().ilog2())
}

#[test]
fn growth_is_distinguished_from_similar_series() {
    let cases: [(&str, Live, (bool, u32)); 19] = [
        ("nothing", |_| 0, (false, 10)),
        ("the same each time", |n| 8 * n, (true, 58)),
        ("more each time", |n| n * n, (true, 58)),
        ("every third round", |n| n / 3 * 24, (true, 197)),
        ("every tenth round", |n| n / 10 * 80, (true, 197)),
        ("a buffer that doubles", doubling, (true, 197)),
        ("a buffer of three more", |n| doubling(3 * n), (true, 197)),
        ("pages, each twice as far away", |n| 4096 * pages(4 * n), (true, 197)),
        ("the same with fewer units a round", |n| 4096 * pages(3 * n), (true, 197)),
        ("something made once", |n| i64::from(n > 5) * 100, (false, 29)),
        ("made once, late", |n| i64::from(n > 20) * 100, (false, 10)),
        ("less each time", |n| -8 * n, (false, 10)),
        ("a cache that is full after 9 rounds", |n| 100 * n.min(9), (false, 29)),
        ("a cache that is full after 16 rounds", |n| 100 * n.min(16), (false, 77)),
        ("a cache that is full after 30 rounds", |n| 100 * n.min(30), (false, 58)),
        ("a leak behind something large", |n| 8 * n + i64::from(n > 9) * 9000, (true, 197)),
        ("filled and cleared", |n| n % 7 * 100, (false, 29)),
        ("filled and cleared less often", |n| n % 25 * 100, (false, 77)),
        ("a leak beside what is filled and cleared", |n| 8 * n + n % 4 * 10, (true, 154)),
    ];
    let found: Vec<_> = cases.iter().map(|(name, live, _)| (*name, leaks(10, live))).collect();
    let expected: Vec<_> = cases.iter().map(|(name, _, leak)| (*name, *leak)).collect();
    assert_eq!(found, expected);
}

#[test]
fn five_rounds_are_enough() {
    assert_eq!(leaks(5, |n| 8 * n), (true, 34));
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

#[test]
fn a_pass_reports_the_last_round_with_growth() {
    let after = |live: &[i64]| {
        let seen = Rounds { bytes: live.to_vec(), ..Rounds::default() };
        (seen.no_leak().last_growth, seen.no_leak().to_string())
    };
    let texts = [&[0, 0, 0][..], &[0, 8, 8], &[-8, 4096, 0]].map(after);
    let behind = |bytes: &str, round: u32| {
        format!(
            "no leak in 3 rounds, which left {bytes} behind; the last growth was in round {round}"
        )
    };
    let expected = [
        (None, "no leak in 3 rounds".to_owned()),
        (Some(2), behind("8 B", 2)),
        (Some(2), behind("0 B", 2)),
    ];
    assert_eq!(texts, expected);
}

#[test]
fn averages_of_bytes_and_blocks_are_grouped() {
    let cases = [
        (8.0, 1.0, "8 B in 1 block"),
        (1024.0, 0.02, "1,024 B"),
        (352_104.5, 1_204.25, "352,104.5 B in 1,204.3 blocks"),
        (-12.34, -1_000.0, "−12.3 B in −1,000 blocks"),
        (0.02, 1.96, "0 B in 2 blocks"),
    ];
    for (bytes, blocks, expected) in cases {
        assert_eq!(amount(bytes, blocks), expected);
    }
}
