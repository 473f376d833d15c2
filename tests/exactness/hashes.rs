//! Random hash maps and sets: grown, thinned out until tombstones fill them, shrunk, split.

use crate::random::Random;
use crate::values::{Key, Value};
use memprof::MemoryProfile;
use memprof::walk::{Position, Walk};
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, Hasher};
use std::mem;

/// A hasher that a map may hold.
pub(crate) trait Build: BuildHasher + Clone + Default + 'static {}

impl<S: BuildHasher + Clone + Default + 'static> Build for S {}

/// A hasher without a seed.
pub(crate) type Plain = BuildHasherDefault<DefaultHasher>;

/// A hasher that returns the last word written. Consecutive keys are next to each other, so that
/// tables fill in runs and removals leave tombstones.
#[derive(Clone, Default)]
pub(crate) struct Last(u64);

impl Hasher for Last {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 << 8) | u64::from(byte);
        }
    }
}

/// A hasher whose seed has an odd size, so that the map has padding.
#[derive(Clone, Default)]
pub(crate) struct Seeded([u8; 5]);

impl BuildHasher for Seeded {
    type Hasher = Last;

    fn build_hasher(&self) -> Last {
        Last(u64::from(self.0[0]))
    }
}

/// A hasher with six words of state, more than the table itself has.
#[derive(Clone, Default)]
pub(crate) struct Wide([u64; 6]);

impl BuildHasher for Wide {
    type Hasher = Last;

    fn build_hasher(&self) -> Last {
        Last(self.0[5])
    }
}

impl<K: Key, V: Value, S: Build> Value for HashMap<K, V, S> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut map = match random.below(3) {
                0 => Self::default(),
                1 => Self::with_capacity_and_hasher(random.capacity(), S::default()),
                _ => <(K, V)>::several(random).into_iter().collect(),
            };
            for _ in 0..random.below(6) {
                change_map(&mut map, random);
            }
            map
        })
    }
}

fn change_map<K: Key, V: Value, S: Build>(map: &mut HashMap<K, V, S>, random: &mut Random) {
    match random.below(15) {
        0..3 => map.extend(<(K, V)>::several(random)),
        3 => fill(map, random),
        4 => map.retain(|_, _| random.flip()),
        5 => map.retain(|_, _| random.below(8) == 0),
        6 => map.retain(|_, _| false),
        7 => remove_some(map, random),
        8 => drop(map.extract_if(|_, _| random.flip()).count()),
        9 => map.shrink_to_fit(),
        10 => map.shrink_to(random.capacity()),
        11 => *map = map.clone(),
        12 => map.reserve(random.capacity()),
        13 => map.clear(),
        _ => drop(mem::take(map)),
    }
}

/// Adds entries until the next one would grow the table.
fn fill<K: Key, V: Value, S: Build>(map: &mut HashMap<K, V, S>, random: &mut Random) {
    for _ in 0..400 {
        if map.len() == map.capacity() {
            break;
        }
        map.insert(K::random(random), V::random(random));
    }
}

fn remove_some<K: Key, V: Value, S: Build>(map: &mut HashMap<K, V, S>, random: &mut Random) {
    let keys: Vec<K> = map.keys().cloned().collect();
    let keep = random.below(keys.len() + 1);
    for key in &keys[keep..] {
        map.remove(key);
    }
}

impl<K: Key, S: Build> Value for HashSet<K, S> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut set = match random.below(3) {
                0 => Self::default(),
                1 => Self::with_capacity_and_hasher(random.capacity(), S::default()),
                _ => K::several(random).into_iter().collect(),
            };
            for _ in 0..random.below(5) {
                match random.below(8) {
                    0..2 => set.extend(K::several(random)),
                    2 => set.retain(|_| random.flip()),
                    3 => drop(set.extract_if(|_| random.below(8) != 0).count()),
                    4 => set.shrink_to_fit(),
                    5 => set = set.clone(),
                    6 => set.clear(),
                    _ => set = set.into_iter().filter(|_| random.flip()).collect(),
                }
            }
            set
        })
    }
}

/// A map whose hasher does not implement `MemoryProfile`, because hashers need not.
#[derive(Clone)]
pub(crate) struct Wrapped<K, V>(HashMap<K, V, Wide>);

impl<K: Key, V: Value> MemoryProfile for Wrapped<K, V> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.0.owned(walk, at);
    }
}

impl<K: Key, V: Value> Value for Wrapped<K, V> {
    fn random(random: &mut Random) -> Self {
        Self(HashMap::random(random))
    }
}
