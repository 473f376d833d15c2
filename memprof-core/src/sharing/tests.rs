//! Comparisons of the table of shared memory with a map of std.

use super::{AllocationTable, Context, Kind};
use crate::list::List;
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
    let mut contexts = List::<Context>::default();
    for round in 0..100_000 {
        let address = address(&mut random);
        let is_known = map.contains_key(&address);
        assert_eq!(table.count(address), is_known, "round {round}");
        let next = contexts.next();
        let (context, handles) = map.entry(address).or_insert((next, 0));
        *handles += 1;
        if !is_known {
            contexts.push(Context { own: 0, kind: Kind::Target });
            assert_eq!(table.find_or_insert(address, *context, 1), None);
        } else if round % 3 == 0 {
            let known = table.find_or_insert(address, next, 1);
            assert_eq!(
                known.map(|(context, handles)| (context, *handles)),
                Some((*context, *handles))
            );
        }
        if round == 1_000 {
            table.reserve(5_000);
        }
    }
    assert!(map.len() > 10_000, "the table grew: {}", map.len());
    let handles = table.root_handles(map.len());
    for (address, (context, count)) in map {
        assert_eq!(
            table.find(address).map(|(context, count)| (context, *count)),
            Some((context, count))
        );
        assert_eq!(handles[context], count);
    }
    assert_eq!(table.find(0x1234_567b).map(|found| found.0), None);
}

#[test]
fn counts_saturate() {
    let mut table = AllocationTable::default();
    table.find_or_insert(64, List::<Context>::default().next(), u32::MAX - 1);
    assert!((0..3).all(|_| table.count(64)));
    assert_eq!(table.root_handles(1).0, [u32::MAX]);
}
