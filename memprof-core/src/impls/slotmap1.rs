//! slotmap 1: vectors of slots that keys find by index and version, and maps from such keys.
#![expect(
    unsafe_code,
    reason = "a map exposes neither the capacities of its vectors nor its table"
)]
#![expect(deprecated, reason = "users of the deprecated `HopSlotMap` profile it too")]

use crate::MemoryProfile;
use crate::impls::parts::add_values;
use crate::impls::slots::Slots;
use crate::impls::std::scalar::{impl_flat, mark_private};
use crate::impls::std::table::{InnerTable, table_in};
use crate::layout::certificate::Certificate;
use crate::layout::observed::Observed;
use crate::layout::vector::{VectorIndices, VectorWords};
use crate::layout::word::{BY_INSTRUCTION, words_of};
use crate::walk::{Position, Walk};
use core::alloc::Layout;
use core::hash::BuildHasher;
use core::mem::ManuallyDrop;
use core::num::NonZeroU32;
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
        let (table, entry) = (sparse_table(self), Layout::new::<SparseEntry<V>>());
        table.add(self.len(), entry, size_of::<V>(), walk, at);
        mark_private::<S>(walk, at);
        add_values(self.values(), self.len(), walk, at);
    }
}

impl_flat! { DefaultKey, KeyData }

/// The content of a slot of a [`SlotMap`]: a value, or the index of the next vacant slot.
#[expect(dead_code, reason = "never constructed: only its size is used")]
union Content<T> {
    value: ManuallyDrop<T>,
    next: u32,
}

/// The content of a slot of a [`HopSlotMap`]: a value, or three links of a run of vacant slots.
#[expect(dead_code, reason = "never constructed: only its size is used")]
union HopContent<T> {
    value: ManuallyDrop<T>,
    run: [u32; 3],
}

/// A slot of a [`SlotMap`] or a [`HopSlotMap`]. The compiler lays out this copy the same way.
#[expect(dead_code, reason = "never constructed: only its size is used")]
struct Slot<C> {
    content: C,
    version: u32,
}

#[expect(dead_code, reason = "never constructed: only its size is used")]
enum SecondarySlot<T> {
    Occupied { value: T, version: NonZeroU32 },
    Vacant,
}

/// An entry of the table of a [`SparseSecondaryMap`].
type SparseEntry<T> = (u32, Slot<T>);

/// The bytes of a slot of a [`DenseSlotMap`]: an index and a version.
const DENSE_SLOT: usize = 2 * size_of::<u32>();

const fn slot_size<T>() -> usize {
    size_of::<Slot<Content<T>>>()
}

const fn hop_slot_size<T>() -> usize {
    size_of::<Slot<HopContent<T>>>()
}

const fn secondary_slot_size<T>() -> usize {
    size_of::<SecondarySlot<T>>()
}

static CERTIFICATE: Certificate = Certificate::new(observe);

fn slots_are_known() -> bool {
    CERTIFICATE.is_certified()
}

/// Observes maps of values with different alignments, with and without invalid bit patterns.
fn observe() -> bool {
    matches_layout([1_u8, 2])
        && matches_layout([1_u64, 2])
        && matches_layout([[1_u8; 11], [2; 11]])
        && matches_layout([(1_u64, false), (2, true)])
        && matches_layout([Some(Box::new(1_u8)), None])
        && matches_layout([1_u128, 2])
}

/// Returns whether two neighbouring values are as far apart as the described slots of each map.
fn matches_layout<T: Clone>(values: [T; 2]) -> bool {
    let (mut slots, mut hop, mut secondary) =
        (SlotMap::new(), HopSlotMap::new(), SecondaryMap::new());
    let keys = values.clone().map(|value| slots.insert(value));
    let hop_keys = values.clone().map(|value| hop.insert(value));
    for (key, value) in keys.into_iter().zip(values) {
        secondary.insert(key, value);
    }
    distance(keys.map(|key| slots.get(key))) == Some(slot_size::<T>())
        && distance(hop_keys.map(|key| hop.get(key))) == Some(hop_slot_size::<T>())
        && distance(keys.map(|key: DefaultKey| secondary.get(key)))
            == Some(secondary_slot_size::<T>())
}

fn distance<T>([first, second]: [Option<&T>; 2]) -> Option<usize> {
    let (first, second) = (&raw const *first?, &raw const *second?);
    Some(second.addr().wrapping_sub(first.addr()))
}

fn sparse_table<K: Key, V, S: BuildHasher>(map: &SparseSecondaryMap<K, V, S>) -> InnerTable {
    // SAFETY: a map changes only through a unique reference. Its hasher is the only other part.
    let table = unsafe { table_in(map, 0, size_of::<S>(), map.len()) };
    // The public capacity confirms the words.
    let table = table.filter(|table| table.capacity == map.capacity());
    table.unwrap_or_else(|| InnerTable::estimate::<SparseEntry<V>>(map.len(), map.capacity()))
}

/// The words of a [`DenseSlotMap`]: three vectors, and the first vacant slot.
type DenseWords = [usize; 10];

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DenseCapacities {
    values: usize,
    slots: usize,
    /// The address of the vector of slots, or 0 if it is unknown.
    slots_address: usize,
}

impl DenseCapacities {
    /// Returns the capacities that the map has if it only grew.
    fn estimate<K: Key, V>(map: &DenseSlotMap<K, V>) -> Self {
        let values = if size_of::<V>() == 0 { 0 } else { map.capacity() };
        Self { values, slots: map.capacity() + 1, slots_address: 0 }
    }
}

fn dense_capacities<K: Key, V>(map: &DenseSlotMap<K, V>) -> Option<DenseCapacities> {
    let indices = dense_indices()?;
    let words = dense_words(map)?;
    let vector = |start: usize| indices.vector.read(&words, start);
    let (keys, values, slots) =
        (vector(indices.keys), vector(indices.values), vector(indices.slots));
    let is_expected = keys.address == map.keys_as_slice().as_ptr().addr()
        && keys.len == map.len()
        && keys.capacity == map.capacity()
        && values.address == map.values_as_slice().as_ptr().addr()
        && values.len == map.len()
        && (size_of::<V>() == 0 || values.capacity >= values.len)
        && slots.len > map.len()
        && slots.capacity >= slots.len;
    is_expected.then_some(DenseCapacities {
        values: if size_of::<V>() == 0 { 0 } else { values.capacity },
        slots: slots.capacity,
        slots_address: slots.address,
    })
}

fn dense_words<K: Key, V>(map: &DenseSlotMap<K, V>) -> Option<DenseWords> {
    // The word of the first vacant slot has padding.
    if !BY_INSTRUCTION {
        return None;
    }
    // SAFETY: a map changes only through a unique reference, and an instruction loads the words.
    unsafe { words_of(map) }
}

/// The indices of the first words of a map's vectors.
#[derive(Clone, Copy, Debug)]
struct DenseIndices {
    vector: VectorIndices,
    keys: usize,
    values: usize,
    slots: usize,
}

/// Found once, on a map whose words are known.
fn dense_indices() -> Option<DenseIndices> {
    static INDICES: Observed<Option<DenseIndices>> = Observed::new();
    INDICES.get_or_init(|| {
        let mut map: DenseSlotMap<DefaultKey, u64> = DenseSlotMap::with_capacity(50);
        map.insert(0);
        dense_indices_in(
            &dense_words(&map)?,
            map.keys_as_slice().as_ptr().addr(),
            map.values_as_slice().as_ptr().addr(),
        )
    })
}

/// The map has one value, the capacity 50 for keys and values, and 51 for slots.
fn dense_indices_in(words: &DenseWords, keys: usize, values: usize) -> Option<DenseIndices> {
    let vector = VectorIndices::known()?;
    let mut starts = (0..=words.len() - 3).filter(|&start| {
        let VectorWords { address, capacity, len } = vector.read(words, start);
        match len {
            1 => capacity == 50 && (address == keys || address == values),
            2 => capacity == 51,
            _ => false,
        }
    });
    let found = [starts.next()?, starts.next()?, starts.next()?];
    let start_of = |wanted: usize| {
        found.into_iter().find(|&start| vector.read(words, start).address == wanted)
    };
    let slots = found.into_iter().find(|&start| vector.read(words, start).len == 2)?;
    let indices = DenseIndices { vector, keys: start_of(keys)?, values: start_of(values)?, slots };
    (starts.next().is_none() && indices.keys != indices.values).then_some(indices)
}

#[cfg(test)]
mod tests;
