//! Comparisons of the table of shared memory with a map of std.

use super::Batch;
use super::batch::BATCH;
use super::table::AllocationTable;
use std::collections::BTreeMap;

/// A xorshift generator, which gives the same numbers in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
}

/// Returns an address, either typical of an allocator or impossible for one. It returns one of
/// 20,000 addresses, so addresses repeat.
fn address(random: &mut Random) -> usize {
    let index = (random.next() % 5_000) as usize;
    match random.next() % 4 {
        0 => (0x7f << (usize::BITS - 24)) + 16 * index,
        1 => index + 1,
        2 => usize::MAX - index,
        _ => (index + 1) << (usize::BITS - 20),
    }
}

#[test]
fn the_table_counts_handles_like_a_map() {
    let mut random = Random(88_172_645_463_325_252);
    let (mut table, mut map) = (AllocationTable::default(), BTreeMap::new());
    for round in 0..400 {
        let addresses: Vec<usize> = (0..=round % BATCH).map(|_| address(&mut random)).collect();
        let mut batch = Batch::of(addresses.iter().copied());
        table.count_known(&mut batch);
        let new: Vec<usize> = batch.into_unresolved().indices().collect();
        let expected: Vec<usize> =
            (0..addresses.len()).filter(|&index| !map.contains_key(&addresses[index])).collect();
        assert_eq!(new, expected, "round {round}");
        for address in &addresses {
            if let Some((_, handles)) = map.get_mut(address) {
                *handles += 1;
            }
        }
        for index in new {
            let (address, context) = (addresses[index], map.len() as u32 + 1);
            match table.find_or_insert(address, context, 1) {
                Some((known, handles)) => {
                    *handles += 1;
                    let (expected, handles) = map.get_mut(&address).expect("it is known");
                    *handles += 1;
                    assert_eq!(known, *expected);
                }
                None => assert_eq!(map.insert(address, (context, 1)), None),
            }
        }
        if round == 200 {
            table.reserve(50_000);
        }
    }
    assert!(map.len() > 10_000, "the table grew: {}", map.len());
    let handles = table.root_handles(map.len());
    for (address, (context, count)) in map {
        assert_eq!(
            table.find(address).map(|(context, count)| (context, *count)),
            Some((context, count))
        );
        assert_eq!(handles[context as usize], count);
    }
    assert_eq!(table.find(0x1234_567b).map(|found| found.0), None);
}

#[test]
fn counts_saturate() {
    let mut table = AllocationTable::default();
    table.find_or_insert(64, 1, u32::MAX - 1);
    for _ in 0..3 {
        table.count_known(&mut Batch::of([64].into_iter()));
    }
    assert!(table.count_in_home_group(64));
    assert_eq!(table.root_handles(1), [0, u32::MAX]);
}
