//! Random maps, sets and tables: grown, thinned out until tombstones fill them, shrunk.

use crate::allocator::owned_by;
use crate::asserted::assert_exact;
use crate::hashes::{Build, Last};
use crate::random::Random;
use crate::values::{Key, Value};
use hashbrown::{HashMap, HashSet, HashTable};
use memprof::{Profile, total_bytes};
use std::hash::{BuildHasherDefault, DefaultHasher, Hash, Hasher};

type Runs = BuildHasherDefault<Last>;

impl<K: Key, V: Value, S: Build> Value for HashMap<K, V, S> {
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
                    4 => map.retain(|_, _| false),
                    5 => map.shrink_to(random.capacity()),
                    6 => map = map.clone(),
                    7 => map.reserve(random.capacity()),
                    _ => map.clear(),
                }
            }
            map
        })
    }
}

impl<K: Key, S: Build> Value for HashSet<K, S> {
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

impl<K: Key> Value for HashTable<K> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut table = Self::with_capacity(random.capacity());
            for value in K::several(random) {
                table.insert_unique(hash(&value), value, hash);
            }
            match random.below(4) {
                0 => table.retain(|_| random.flip()),
                1 => table.shrink_to_fit(hash),
                2 => table = table.clone(),
                _ => {}
            }
            table
        })
    }
}

fn hash<T: Hash>(value: &T) -> u64 {
    let mut hasher = DefaultHasher::new();
    value.hash(&mut hasher);
    hasher.finish()
}

#[test]
fn maps_are_exact_after_each_removal() {
    let mut map: HashMap<u64, u64, Runs> = HashMap::default();
    let mut owned = 0;
    for key in 0..448_u64 {
        owned += owned_by(|| map.insert(key.swap_bytes(), key)).1;
    }
    for key in 0..448_u64 {
        owned += owned_by(|| map.remove(&key.swap_bytes())).1;
        assert_eq!(total_bytes(&map), size_of_val(&map) as u64 + owned as u64, "{key} removed");
        assert!(Profile::of(&map).is_exact());
    }
}

#[test]
fn a_table_splits_into_values_spare_buckets_and_control_bytes() {
    let map = assert_exact(|| (0..5).map(|key| (key, 0)).collect::<HashMap<u64, u64, Runs>>());
    let profile = Profile::of(&map);
    let bytes = |name: &str| {
        let leaves = profile.leaves().filter(|(path, _)| path.to_string().contains(name));
        leaves.map(|(_, leaf)| leaf.bytes()).sum::<u64>()
    };
    assert_eq!((bytes("[keys]"), bytes("[spare]")), (5 * 8, 3 * 16));
    assert_eq!(bytes("[table]"), total_bytes(&map) - size_of_val(&map) as u64 - 8 * 16);
}
