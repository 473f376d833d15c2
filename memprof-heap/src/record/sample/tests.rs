//! Tests that compare the table with a map that does the same.

use crate::record::live_table::{Filter, Sample};
use crate::record::rate::Random;
use crate::record::sample::{LANES, Table};
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
