//! Slots of further types, and maps with unexpected words.

use super::{
    DENSE_SLOT, dense_capacities, dense_indices, dense_indices_in, dense_words, matches_layout,
    slots_are_known, sparse_table,
};
use slotmap::{DefaultKey, DenseSlotMap, SlotMap, SparseSecondaryMap};

#[test]
fn slots_have_the_described_sizes() {
    assert!(slots_are_known());
    assert!(matches_layout([String::from("a"), String::new()]));
    assert!(matches_layout([(Some(1_u32), 'a', true); 2]));
}

#[test]
#[cfg_attr(miri, ignore = "Miri reads no padding")]
fn dense_maps_have_the_described_words() {
    let mut map: DenseSlotMap<DefaultKey, String> = DenseSlotMap::new();
    for number in 0..100 {
        let capacities = dense_capacities(&map).expect("the words are those of a map");
        assert!(capacities.values >= map.len() && capacities.slots > map.len(), "{capacities:?}");
        map.insert(number.to_string());
    }
    assert_eq!(DENSE_SLOT, 8);
}

#[test]
#[cfg_attr(miri, ignore = "Miri reads no padding")]
fn ambiguous_words_of_dense_maps_have_no_indices() {
    let mut map: DenseSlotMap<DefaultKey, u64> = DenseSlotMap::with_capacity(50);
    map.insert(0);
    let (keys, values) =
        (map.keys_as_slice().as_ptr().addr(), map.values_as_slice().as_ptr().addr());
    let words = dense_words(&map).expect("ten words");
    let indices = dense_indices().expect("the layout is known");
    for start in [indices.keys, indices.values, indices.slots] {
        let mut changed = words;
        changed[start + indices.vector.capacity] += 1;
        assert!(dense_indices_in(&changed, keys, values).is_none(), "word {start} of {words:?}");
    }
}

#[test]
#[cfg_attr(miri, ignore = "Miri reads no uninitialised words")]
fn tables_of_sparse_maps_are_found_beside_any_hasher() {
    let mut slots: SlotMap<DefaultKey, ()> = SlotMap::new();
    let mut map: SparseSecondaryMap<DefaultKey, u16> = SparseSecondaryMap::new();
    for number in 0..100 {
        assert!(sparse_table(&map).buckets.certain, "{number}");
        map.insert(slots.insert(()), number);
    }
}
