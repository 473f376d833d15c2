//! Random maps in shards, and shards that are locked.

use crate::asserted::{assert_exact, assert_marked, reasons};
use crate::hashes::{Build, Plain};
use crate::random::Random;
use crate::values::{Key, Value};
use dashmap::{DashMap, DashSet};
use memprof::Profile;
use memprof::tree::OpaqueReason;

impl<K: Key, V: Value, S: Build> Value for DashMap<K, V, S> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let map = Self::with_hasher_and_shard_amount(S::default(), 2 << random.below(4));
            for (key, value) in <(K, V)>::several(random) {
                map.insert(key, value);
            }
            match random.below(5) {
                0 => map.retain(|_, _| random.flip()),
                1 => map.shrink_to_fit(),
                2 => map.clear(),
                3 => return map.clone(),
                _ => {}
            }
            map
        })
    }
}

#[test]
fn a_locked_shard_is_marked_and_the_others_are_read() {
    let map: DashMap<u64, String, Plain> =
        DashMap::with_hasher_and_shard_amount(Plain::default(), 4);
    for key in 0..100 {
        map.insert(key, key.to_string());
    }
    let whole = Profile::of(&map);
    assert!(whole.is_exact());
    let held = map.get_mut(&7).expect("it is there");
    let profile = Profile::of(&map);
    assert_eq!(reasons(profile.root()), [(OpaqueReason::Locked, 1)], "{profile:?}");
    assert!(profile.total_bytes() < whole.total_bytes());
    drop(held);
    let read = map.get(&7).expect("it is there");
    assert_eq!(Profile::of(&map).total_bytes(), whole.total_bytes());
    drop(read);
}

#[test]
fn an_empty_map_owns_its_shards() {
    assert_exact(|| DashMap::<String, String, Plain>::with_hasher(Plain::default()));
}

#[test]
fn a_set_is_opaque() {
    let set: DashSet<u8, Plain> = DashSet::with_hasher(Plain::default());
    assert_marked(&set, OpaqueReason::Foreign, size_of_val(&set));
}
