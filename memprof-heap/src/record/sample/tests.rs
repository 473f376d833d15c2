//! Tests that compare the table with a map that does the same, and of the rate.

use crate::record::live_table::{Filter, Sample};
use crate::record::sample::{LANES, Random, Samples, Table, coarser};
use std::collections::HashMap;

type Small = Table<8, 8>;

const ROUNDS: u32 = if cfg!(miri) { 500 } else { 100_000 };

fn sample(address: usize) -> Sample {
    let size = address as u64 % 1000 + 1;
    Sample {
        address,
        size,
        mean: 64,
        site: 3,
        operation: 4,
        sampling_run: 1,
        thread: 2,
        allocated_at: 5,
    }
}

fn samples(table: &Small) -> Vec<Sample> {
    let mut all = Vec::new();
    table.for_each(|sample| all.push(sample));
    all.sort_by_key(|sample| sample.address);
    all
}

#[test]
fn an_inserted_sample_is_found_until_it_is_taken() {
    static TABLE: Small = Small::new();
    let random = Random::new();
    random.seed(1);
    let mut model = HashMap::new();
    for _ in 0..ROUNDS {
        let address = 4096 + 16 * (random.gap(1000) as usize % 200);
        let wanted = model.remove(&address);
        assert!(TABLE.may_have(address) || wanted.is_none());
        assert_eq!(TABLE.take(address), wanted);
        if wanted.is_none() && TABLE.insert(sample(address)) {
            model.insert(address, sample(address));
        }
        assert_eq!(TABLE.count.load(super::Relaxed), model.len() as u64);
    }
    let mut left: Vec<_> = model.into_values().collect();
    left.sort_by_key(|sample| sample.address);
    assert_eq!(samples(&TABLE), left);
    TABLE.retain(|_| None);
    assert_eq!(samples(&TABLE), []);
    assert!(TABLE.filter.words.iter().all(|word| word.load(super::Relaxed) == 0));
}

#[test]
fn a_full_group_takes_no_more() {
    static TABLE: Table<1, 1024> = Table::new();
    for address in 1..=LANES {
        assert!(TABLE.insert(sample(16 * address)));
    }
    assert!(!TABLE.insert(sample(16 * (LANES + 1))));
    assert!(TABLE.take(16).is_some());
    assert!(TABLE.insert(sample(16 * (LANES + 1))));
}

#[test]
fn few_addresses_are_taken_for_others() {
    static TABLE: Table<512, 2048> = Table::new();
    let address = |block: usize| (0x5555 << (usize::BITS - 32)) + 48 * block;
    let inserted = (0..4096).filter(|block| TABLE.insert(sample(address(2 * block)))).count();
    assert_eq!(inserted, 4096);
    let wrong = (0..4096).filter(|block| TABLE.may_have(address(2 * block + 1))).count();
    assert!(wrong < 4096 / 8, "{wrong}");
    assert!(TABLE.count.load(super::Relaxed) == inserted as u64);
}

#[test]
fn samples_that_are_kept_get_their_new_mean() {
    static TABLE: Small = Small::new();
    for block in 1..50 {
        TABLE.insert(sample(32 * block));
    }
    TABLE.retain(|sample| (sample.address > 320).then_some(128));
    let all = samples(&TABLE);
    assert!(all.len() > 30 && all.iter().all(|sample| sample.mean == 128));
}

#[test]
fn a_counter_that_is_full_takes_no_more_and_leaves_its_neighbours() {
    static FILTER: Filter<1> = Filter { words: [const { super::AtomicU64::new(0) }; 1] };
    let (hash, beside) = (5 << 49, 6 << 49);
    assert_eq!((0..20).filter(|_| FILTER.add(hash)).count(), 15);
    assert!(FILTER.may_have(hash) && !FILTER.may_have(beside));
    assert!(FILTER.add(beside));
    (0..15).for_each(|_| FILTER.remove(hash));
    assert!(!FILTER.may_have(hash) && FILTER.may_have(beside));
}

const START: u64 = 512 * 1024;

fn after(taken: u64, milliseconds: u64, mean: u64) -> Option<u64> {
    let samples = Samples { taken, nanoseconds: milliseconds * 1_000_000, live: 0 };
    samples.mean_after(mean, START, 1024)
}

#[test]
fn a_burst_doubles_the_mean() {
    assert_eq!(after(1024, 999, START), Some(2 * START));
    assert_eq!(after(1024, 1000, START), Some(START));
    assert_eq!(coarser(0), 256);
}

#[test]
fn four_times_the_samples_may_cost_four_times_as_much() {
    let after = |taken, milliseconds: u64, mean| {
        let samples = Samples { taken, nanoseconds: milliseconds * 1_000_000, live: 0 };
        samples.mean_after(mean, START, 4096)
    };
    assert_eq!(after(1024, 249, START), Some(2 * START));
    assert_eq!(after(1024, 250, START), Some(START));
    assert_eq!(after(1024, 1000, 4 * START), Some(4 * START), "1024 a second");
    assert_eq!(after(1024, 1001, 4 * START), Some(2 * START), "1023 a second");
}

#[test]
fn few_samples_after_a_burst_bring_the_first_mean_back() {
    assert_eq!(after(1, 64_000, 128 * START), Some(START));
    assert_eq!(after(0, 4000, 128 * START), Some(START));
    assert_eq!(after(900, 4000, 8 * START), Some(4 * START), "225 a second");
    assert_eq!(after(900, 3000, 8 * START), None, "too early");
    assert_eq!(after(1024, 3000, 8 * START), Some(8 * START), "341 a second");
}

#[test]
fn samples_that_are_live_keep_the_mean_where_it_is() {
    let quiet = |live| Samples { taken: 1, nanoseconds: 64_000_000_000, live };
    assert_eq!(quiet(2048).mean_after(8 * START, START, 1024), Some(8 * START));
    assert_eq!(quiet(1000).mean_after(8 * START, START, 1024), Some(START));
}

#[test]
#[cfg_attr(miri, ignore = "draws by the 100,000")]
fn gaps_have_the_mean_they_are_asked_for() {
    const DRAWS: u32 = 100_000;
    for mean in [1, 100, 524_288] {
        let random = Random::new();
        random.seed(mean);
        let sum: f64 = (0..DRAWS).map(|_| random.gap(mean) as f64).sum();
        // Truncated to whole bytes, the mean gap is `1 / (exp(1 / mean) - 1)`.
        let wanted = 1.0 / (1.0 / mean as f64).exp_m1();
        let error = (sum / f64::from(DRAWS) - wanted).abs() / wanted;
        assert!(error < 0.02, "{mean}: {error}");
    }
}

#[test]
fn neighbouring_seeds_draw_different_gaps() {
    let draw = |seed| {
        let random = Random::new();
        random.seed(seed);
        random.gap(1 << 40)
    };
    assert_ne!(draw(1), draw(2));
    assert_eq!(draw(3), draw(3));
}
