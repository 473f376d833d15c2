//! Random maps and sets in order: grown, thinned out, shrunk, sorted, split.

use crate::asserted::assert_exact;
use crate::hashes::{Build, Last, Plain};
use crate::random::Random;
use crate::values::{Key, Value};
use indexmap::{IndexMap, IndexSet};
use memprof::Profile;
use std::hash::BuildHasherDefault;

impl<K: Key, V: Value, S: Build> Value for IndexMap<K, V, S> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut map = match random.below(3) {
                0 => Self::default(),
                1 => Self::with_capacity_and_hasher(random.capacity(), S::default()),
                _ => <(K, V)>::several(random).into_iter().collect(),
            };
            for _ in 0..random.below(6) {
                match random.below(13) {
                    0..3 => map.extend(<(K, V)>::several(random)),
                    3 => map.retain(|_, _| random.flip()),
                    4 => map.retain(|_, _| false),
                    5 => map.shrink_to(random.capacity()),
                    6 => map = map.clone(),
                    7 => map.reserve(random.capacity()),
                    8 => map.reserve_exact(random.capacity()),
                    9 => map = map.split_off(map.len() / 2),
                    10 => drop(
                        (0..map.len() / 3).map(|_| map.swap_remove_index(0)).collect::<Vec<_>>(),
                    ),
                    11 => map.sort_keys(),
                    _ => map.clear(),
                }
            }
            map
        })
    }
}

impl<K: Key, S: Build> Value for IndexSet<K, S> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut set: Self = K::several(random).into_iter().collect();
            for _ in 0..random.below(5) {
                match random.below(6) {
                    0 => set.extend(K::several(random)),
                    1 => set.retain(|_| random.flip()),
                    2 => set.shrink_to_fit(),
                    3 => set = set.clone(),
                    4 => drop(set.pop()),
                    _ => set.clear(),
                }
            }
            set
        })
    }
}

#[test]
fn an_empty_map_that_kept_its_table_and_its_vector_is_exact() {
    let map = assert_exact(|| {
        let mut map: IndexMap<u64, String, Plain> =
            (0..100).map(|key| (key, String::new())).collect();
        map.clear();
        map
    });
    assert!(map.is_empty() && Profile::of(&map).total_bytes() > 4_000);
}

#[test]
fn a_map_whose_table_is_full_of_tombstones_is_exact() {
    assert_exact(|| {
        let mut map: IndexMap<u64, u64, BuildHasherDefault<Last>> = IndexMap::default();
        map.extend((0..28).map(|key: u64| (key.swap_bytes(), key)));
        while map.pop().is_some() {}
        map
    });
}

#[test]
fn a_new_map_owns_nothing() {
    assert_exact(IndexMap::<String, String, Plain>::default);
    assert_exact(IndexSet::<u8, Plain>::default);
}

#[test]
fn a_large_map_is_exact() {
    assert_exact(|| {
        (0..100_000_u64).map(|key| (key, key as u8)).collect::<IndexMap<_, _, Plain>>()
    });
}
