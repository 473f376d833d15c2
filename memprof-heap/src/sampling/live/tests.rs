//! Tests that compare the table with a map that does the same.

use super::filter::Filter;
use super::losses::Losses;
use super::{LANES, Sample, Table};
use crate::sampling::gap::Random;
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
        share: 0,
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
    static TABLE: Table<512, 1024> = Table::new();
    let address = |block: usize| (0x5555 << (usize::BITS - 32)) + 48 * block;
    let inserted = (0..4096).filter(|block| TABLE.insert(sample(address(2 * block)))).count();
    assert!(inserted > 4096 - 8, "{inserted}");
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
    assert_eq!([(); 4].map(|()| FILTER.add(hash)), [true, true, true, false]);
    assert!(FILTER.may_have(hash) && !FILTER.may_have(beside));
    assert!(FILTER.add(beside));
    (0..3).for_each(|_| FILTER.remove(hash));
    assert!(!FILTER.may_have(hash) && FILTER.may_have(beside));
}

#[test]
fn estimates_are_corrected_for_samples_that_found_no_place() {
    const TAKEN: usize = 64;
    static TABLE: Table<1, 64> = Table::new();
    let losses = Losses::none();
    for number in 1..=TAKEN {
        insert(&TABLE, &losses, 4096 * number);
    }
    let kept = samples_of(&TABLE).len();
    assert!(kept <= LANES, "{kept} of {TAKEN} have a place");
    let estimate = estimate(&TABLE, &losses);
    assert!((estimate - TAKEN as f64).abs() < 1e-9, "{estimate}");
}

#[test]
fn a_loss_changes_only_the_weights_of_samples_of_its_window() {
    static TABLE: Table<1, 64> = Table::new();
    let losses = Losses::none();
    let before = insert(&TABLE, &losses, 1 << 20);
    assert!(before);
    let one_by_one = |blocks: usize| {
        for number in 1..=blocks {
            assert!(insert(&TABLE, &losses, 16 * number));
            assert!(TABLE.take(16 * number).is_some());
        }
    };
    // Ends the window of the first sample.
    one_by_one(1100);
    for number in 1..=100 {
        insert(&TABLE, &losses, 4096 * number);
    }
    let of_burst = |sample: &&Sample| sample.address != 1 << 20;
    let factors = || -> Vec<f64> {
        let all = samples_of(&TABLE);
        all.iter().filter(of_burst).map(|sample| losses.factor(sample.share)).collect()
    };
    let during = factors();
    assert_eq!((during.len() as u64, losses.lost()), (15, 85));
    // This adds samples in the rest of the window and in later windows.
    for sample in samples_of(&TABLE).iter().filter(of_burst).take(5) {
        assert!(TABLE.take(sample.address).is_some());
    }
    one_by_one(3000);
    let settled = factors();
    assert_eq!(settled.len(), 10);
    assert!(settled.iter().all(|factor| (1.01..during[0]).contains(factor)), "{settled:?}");
    assert!(insert(&TABLE, &losses, 16));
    let factor = |address| {
        let all = samples_of(&TABLE);
        let found = all.iter().find(|sample| sample.address == address).expect("it is live");
        losses.factor(found.share)
    };
    assert!([16, 1 << 20].map(factor).iter().all(|factor| factor.to_bits() == 1_f64.to_bits()));
}

#[test]
fn kept_samples_estimate_all_blocks_of_a_window() {
    const BLOCKS: usize = 1024;
    static TABLE: Table<32, 1024> = Table::new();
    let losses = Losses::none();
    let kept = (1..=BLOCKS).filter(|number| insert(&TABLE, &losses, 48 * number)).count();
    assert!(losses.lost() > 0 && kept == samples_of(&TABLE).len());
    let settled = estimate(&TABLE, &losses);
    assert!((settled - BLOCKS as f64).abs() < 1e-9, "{settled}");
}

/// Does the same as [`super::insert`], in a table of the test.
fn insert<const GROUPS: usize, const WORDS: usize>(
    table: &Table<GROUPS, WORDS>,
    losses: &Losses,
    address: usize,
) -> bool {
    let share = losses.share();
    let is_kept = table.insert(Sample { share, ..sample(address) });
    if let Some(settled) = losses.count(share, is_kept) {
        table.settle(settled.from, settled.to);
    }
    is_kept
}

fn samples_of<const GROUPS: usize, const WORDS: usize>(
    table: &Table<GROUPS, WORDS>,
) -> Vec<Sample> {
    let mut all = Vec::new();
    table.for_each(|sample| all.push(sample));
    all
}

/// Returns the estimated number of inserted samples.
fn estimate<const GROUPS: usize, const WORDS: usize>(
    table: &Table<GROUPS, WORDS>,
    losses: &Losses,
) -> f64 {
    samples_of(table).iter().map(|sample| losses.factor(sample.share)).sum()
}
