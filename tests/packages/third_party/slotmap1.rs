//! Random slot maps of each kind, and maps from their keys.

#![expect(deprecated, reason = "users of the deprecated `HopSlotMap` profile it too")]

use crate::asserted::assert_exact;
use crate::hashes::Build;
use crate::random::Random;
use crate::values::Value;
use memprof::{MemoryProfile, Profile};
use slotmap::{
    DefaultKey, DenseSlotMap, HopSlotMap, Key, SecondaryMap, SlotMap, SparseSecondaryMap,
};

macro_rules! slot_maps {
    ($($map:ident)*) => {$(
        impl<V: Value> Value for $map<DefaultKey, V> {
            fn random(random: &mut Random) -> Self {
                random.container(|random| {
                    let mut map = Self::with_capacity(random.capacity());
                    for _ in 0..random.below(6) {
                        match random.below(7) {
                            0..3 => V::several(random).into_iter().for_each(|value| {
                                map.insert(value);
                            }),
                            3 => map.retain(|_, _| random.flip()),
                            4 => map = map.clone(),
                            5 => map.reserve(random.capacity()),
                            _ => map.clear(),
                        }
                    }
                    map
                })
            }
        }
    )*};
}

slot_maps! { SlotMap DenseSlotMap HopSlotMap }

/// The deprecated `HopSlotMap`, under a name whose use gives no warning.
pub(crate) type OldSlotMap<V> = HopSlotMap<DefaultKey, V>;

/// Returns random keys, some of which are no longer in their map.
fn keys(random: &mut Random) -> Vec<DefaultKey> {
    let mut slots: SlotMap<DefaultKey, ()> = SlotMap::new();
    let mut keys = Vec::new();
    for _ in 0..random.len() {
        keys.push(slots.insert(()));
        if random.below(3) == 0 {
            slots.remove(keys[random.below(keys.len())]);
        }
    }
    keys.retain(|_| random.below(4) != 0);
    keys
}

impl<V: Value> Value for SecondaryMap<DefaultKey, V> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut map = Self::with_capacity(random.capacity());
            for key in keys(random) {
                map.insert(key, V::random(random));
            }
            match random.below(5) {
                0 => map.retain(|_, _| random.flip()),
                1 => map.clear(),
                2 => map = map.clone(),
                3 => map.set_capacity(random.capacity()),
                _ => {}
            }
            map
        })
    }
}

impl<V: Value, S: Build> Value for SparseSecondaryMap<DefaultKey, V, S> {
    fn random(random: &mut Random) -> Self {
        random.container(|random| {
            let mut map = Self::with_capacity_and_hasher(random.capacity(), S::default());
            for key in keys(random) {
                map.insert(key, V::random(random));
            }
            match random.below(5) {
                0 => map.retain(|_, _| random.flip()),
                1 => map.clear(),
                2 => map = map.clone(),
                3 => map.reserve(random.capacity()),
                _ => {}
            }
            map
        })
    }
}

#[test]
fn empty_maps_own_their_first_slot() {
    assert_exact(SlotMap::<DefaultKey, String>::new);
    assert_exact(DenseSlotMap::<DefaultKey, String>::new);
    assert_exact(HopSlotMap::<DefaultKey, String>::new);
    assert_exact(SecondaryMap::<DefaultKey, String>::new);
    assert_exact(SparseSecondaryMap::<DefaultKey, String>::new);
    assert!(Profile::of(&SlotMap::<DefaultKey, u64>::new()).total_bytes() > 40);
}

#[test]
fn the_vectors_of_a_dense_map_grow_apart() {
    for len in 0..100_u8 {
        assert_exact(|| {
            let mut map = DenseSlotMap::new();
            (0..len).for_each(|value| {
                map.insert(value);
            });
            map
        });
    }
}

#[test]
fn keys_own_nothing() {
    assert!(DefaultKey::is_flat());
    assert_eq!(Profile::of(&vec![DefaultKey::null(); 3]).total_bytes(), 24 + 3 * 8);
}
