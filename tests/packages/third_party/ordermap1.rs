//! Random maps and sets of ordermap.

use crate::asserted::assert_exact;
use crate::hashes::{Build, Plain};
use crate::random::Random;
use crate::values::{Key, Value};
use memprof::Profile;
use ordermap::{OrderMap, OrderSet};

impl<K: Key, V: Value, S: Build> Value for OrderMap<K, V, S> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut map = match random.below(3) {
                0 => Self::default(),
                1 => Self::with_capacity_and_hasher(random.capacity(), S::default()),
                _ => <(K, V)>::several(random).into_iter().collect(),
            };
            for _ in 0..random.below(6) {
                match random.below(9) {
                    0..3 => map.extend(<(K, V)>::several(random)),
                    3 => map.retain(|_, _| random.flip()),
                    4 => map.shrink_to(random.capacity()),
                    5 => map = map.clone(),
                    6 => map.reserve(random.capacity()),
                    7 => map = map.split_off(map.len() / 2),
                    _ => map.clear(),
                }
            }
            map
        })
    }
}

impl<K: Key, S: Build> Value for OrderSet<K, S> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut set: Self = K::several(random).into_iter().collect();
            for _ in 0..random.below(5) {
                match random.below(5) {
                    0 => set.extend(K::several(random)),
                    1 => set.retain(|_| random.flip()),
                    2 => set.shrink_to_fit(),
                    3 => set = set.clone(),
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
        let mut map: OrderMap<u64, String, Plain> =
            (0..100).map(|key| (key, String::new())).collect();
        map.clear();
        map
    });
    assert!(map.is_empty() && Profile::of(&map).total_bytes() > 4_000);
}
