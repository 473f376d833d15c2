//! slotmap 1: vectors of slots that keys find by index and version, and maps from such keys.

#![expect(deprecated, reason = "users of the deprecated `HopSlotMap` profile it too")]

use crate::MemoryProfile;
use crate::impls::parts::add_values;
use crate::impls::slots::Slots;
use crate::impls::std::scalar::{impl_flat, mark_private};
use crate::impls::tables::Table;
use crate::layout::slotmap1::{
    DENSE_SLOT, DenseCapacities, dense_capacities, hop_slot_size, secondary_slot_size, slot_size,
    slots_are_known, sparse_entry, sparse_table,
};
use crate::walk::{Position, Walk};
use core::hash::BuildHasher;
use slotmap::{
    DefaultKey, DenseSlotMap, HopSlotMap, Key, KeyData, SecondaryMap, SlotMap, SparseSecondaryMap,
};

/// Implements `MemoryProfile` for maps that are one vector of slots. The first slot is never
/// occupied, and the capacity of the map does not include it.
macro_rules! maps_of_slots {
    ($($map:ident: $slot_size:ident;)*) => {$(
        impl<K: Key, V: MemoryProfile> MemoryProfile for $map<K, V> {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                if let Some(value) = self.values().next() {
                    walk.block_of((&raw const *value).addr(), size_of::<V>());
                }
                let capacity = self.capacity() + 1;
                let slots = Slots {
                    size: $slot_size::<V>(),
                    capacity,
                    occupied: self.len(),
                    // These maps never shrink.
                    kept: capacity,
                    certain: slots_are_known(),
                };
                slots.add(self.values(), walk, at);
            }
        }
    )*};
}

maps_of_slots! {
    SlotMap: slot_size;
    HopSlotMap: hop_slot_size;
    SecondaryMap: secondary_slot_size;
}

/// Vectors of keys, of values and of slots. Only the capacity of the keys is public.
impl<K: Key + MemoryProfile, V: MemoryProfile> MemoryProfile for DenseSlotMap<K, V> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let (keys, values) = (self.keys_as_slice(), self.values_as_slice());
        let known = dense_capacities(self);
        let capacities = known.unwrap_or_else(|| DenseCapacities::estimate(self));
        let DenseCapacities { values: values_capacity, slots, slots_address } = capacities;
        let (len, capacity) = (self.len(), self.capacity());
        // These maps never shrink, so they keep all their capacity.
        let vector = |size: usize, capacity: usize, certain: bool| Slots {
            size,
            capacity,
            occupied: len,
            kept: capacity,
            certain,
        };
        let keys_at = walk.keys(at);
        walk.block_of(keys.as_ptr().addr(), capacity * size_of::<K>());
        vector(size_of::<K>(), capacity, true).add(keys.iter(), walk, keys_at);
        let certain = known.is_some();
        let live_bytes =
            if certain { values_capacity * size_of::<V>() } else { size_of_val(values) };
        walk.block_of(values.as_ptr().addr(), live_bytes);
        vector(size_of::<V>(), values_capacity, certain).add(values.iter(), walk, at);
        walk.block_of(slots_address, slots_address);
        vector(DENSE_SLOT, slots, certain).add_links(walk, at);
    }
}

impl<K: Key, V: MemoryProfile, S: BuildHasher> MemoryProfile for SparseSecondaryMap<K, V, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let table = Table::inner(sparse_table(self), self.len(), sparse_entry::<V>(), walk);
        table.add_fixed(size_of::<V>(), walk, at);
        mark_private::<S>(walk, at);
        add_values(self.values(), self.len(), walk, at);
    }
}

impl_flat! { DefaultKey }

impl_flat! {
    [] KeyData;
}
