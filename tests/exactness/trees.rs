//! Random B-trees: built in every order, and emptied in every way.

#![allow(
    clippy::incompatible_msrv,
    reason = "the rust-version is that of the package that includes this"
)]

use crate::random::Random;
use crate::values::{Key, Value};
use std::collections::{BTreeMap, BTreeSet};
use std::mem;

impl<K: Key, V: Value> Value for BTreeMap<K, V> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut map = built(<(K, V)>::several(random), random);
            for _ in 0..random.below(6) {
                change_map(&mut map, random);
            }
            map
        })
    }
}

fn built<K: Key, V: Value>(mut entries: Vec<(K, V)>, random: &mut Random) -> BTreeMap<K, V> {
    match random.below(4) {
        0 => return entries.into_iter().collect(),
        1 => entries.sort_by(|a, b| a.0.cmp(&b.0)),
        2 => entries.sort_by(|a, b| b.0.cmp(&a.0)),
        _ => {}
    }
    let mut map = BTreeMap::new();
    for (key, value) in entries {
        map.insert(key, value);
    }
    map
}

fn change_map<K: Key, V: Value>(map: &mut BTreeMap<K, V>, random: &mut Random) {
    match random.below(16) {
        0..2 => map.extend(<(K, V)>::several(random)),
        2 => map.append(&mut built(<(K, V)>::several(random), random)),
        3 => map.retain(|_, _| random.flip()),
        4 => map.retain(|_, _| random.below(8) == 0),
        5 => map.retain(|_, _| false),
        6 => drop(map.extract_if(.., |_, _| random.flip()).count()),
        7 => while map.len() > 1 && random.below(16) != 0 && map.pop_first().is_some() {},
        8 => while random.below(64) != 0 && map.pop_last().is_some() {},
        9 | 10 => remove_some(map, random),
        11 => split(map, random),
        12 => *map = map.clone(),
        13 => map.clear(),
        14 => drop(mem::take(map)),
        _ => *map = mem::take(map).into_iter().collect(),
    }
}

fn remove_some<K: Key, V: Value>(map: &mut BTreeMap<K, V>, random: &mut Random) {
    let keys: Vec<K> = map.keys().cloned().collect();
    let (from, to) = (random.below(keys.len() + 1), random.below(keys.len() + 1));
    for key in keys.get(from..to).unwrap_or(&keys) {
        map.remove(key);
    }
}

fn split<K: Key, V: Value>(map: &mut BTreeMap<K, V>, random: &mut Random) {
    let place = random.below(map.len() + 1);
    let Some(key) = map.keys().nth(place).cloned() else { return };
    let upper = map.split_off(&key);
    if random.flip() {
        *map = upper;
    }
}

impl<T: Key> Value for BTreeSet<T> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut set: Self = T::several(random).into_iter().collect();
            for _ in 0..random.below(6) {
                match random.below(8) {
                    0 => set.extend(T::several(random)),
                    1 => set.append(&mut T::several(random).into_iter().collect()),
                    2 => set.retain(|_| random.flip()),
                    3 => drop(set.extract_if(.., |_| random.below(8) != 0).count()),
                    4 => while set.pop_first().is_some() {},
                    5 => while random.below(32) != 0 && set.pop_last().is_some() {},
                    6 => set = set.clone(),
                    _ => set.clear(),
                }
            }
            set
        })
    }
}
