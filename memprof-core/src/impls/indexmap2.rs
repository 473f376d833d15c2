//! indexmap 2: a vector of hashes, keys and values, and a hash table of indices into it. The maps
//! of ordermap and petgraph contain such maps.
//!
//! The public capacity is the smaller one of the capacities of the vector and the table. So both
//! capacities are read from the map's own words and compared with the public figures.
#![expect(unsafe_code, reason = "a map does not expose both of its capacities")]

use crate::MemoryProfile;
use crate::attributes::add_keyed;
use crate::impls::ordered::{EntryIndex, HASH, entry_size, padding};
use crate::impls::parts::{maps, sets};
use crate::impls::std::scalar::mark_opaque;
use crate::impls::std::table::Buckets;
use crate::layout::observed::Observed;
use crate::layout::word::{READS_PADDING, index_of, index_of_other, words_except};
use crate::tree::LeafKind;
use crate::walk::{Keyed, Position, Walk};
use core::alloc::Layout;
use core::fmt::Display;
use core::hash::BuildHasherDefault;
use indexmap::{IndexMap, IndexSet};
use std::hash::DefaultHasher;

maps! { [K, V, S] IndexMap<K, V, S>: add_map; }

/// Names the entries that sort first instead of those inserted first, because maps that differ only
/// in order are equal.
impl<K: MemoryProfile + Display, V: MemoryProfile, S> Keyed for IndexMap<K, V, S> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        add_keyed(self, self.iter(), |walk, at| add_map(self, true, walk, at), cap, walk, at);
    }
}

sets! { [T, S] IndexSet<T, S>: add_set; }

fn add_map<K, V, S>(map: &IndexMap<K, V, S>, _: bool, walk: &mut Walk<'_>, at: Position) {
    add_but_values::<K, V>(&RawMap::of_map(map), walk, at);
    mark_opaque(map.hasher(), walk, at);
}

fn add_set<T, S>(set: &IndexSet<T, S>, _: bool, walk: &mut Walk<'_>, at: Position) {
    add_but_values::<T, ()>(&RawMap::of_set(set), walk, at);
    mark_opaque(set.hasher(), walk, at);
}

pub(super) fn add_but_values<K, V>(raw: &RawMap, walk: &mut Walk<'_>, at: Position) {
    let RawMap { len, capacity, .. } = *raw;
    let entry = entry_size::<K, V>();
    let found = raw.read().filter(|_| raw.entries_bytes == len * entry);
    let certain = found.is_some();
    report_blocks(raw, certain, walk);
    let (entries_capacity, indices) =
        found.unwrap_or_else(|| (capacity, Buckets::of::<EntryIndex>(None, len, capacity, None)));
    let index = Layout::new::<EntryIndex>();
    let indices_bytes = indices.bytes(index);
    let spare_indices = indices.count.saturating_sub(len) * index.size();
    let spare = entries_capacity.saturating_sub(len) * entry + spare_indices;
    // The indices and hashes of live entries only serve lookups, so they count as `[table]`, like
    // control bytes.
    let table = indices_bytes - spare_indices + len * HASH;
    walk.count_values(at, len);
    walk.count_allocations(
        at,
        usize::from(entries_capacity != 0) + usize::from(indices_bytes != 0),
    );
    walk.leaf(at, LeafKind::Padding, len * padding::<K, V>());
    let shrinkable = indices.shrinkable_bytes(len, index);
    walk.shrinkable(
        at,
        entries_capacity * entry + indices_bytes,
        (entries_capacity - len) * entry + shrinkable,
    );
    walk.leaves(at, [(LeafKind::Spare, spare), (LeafKind::Table, table)], certain);
}

fn report_blocks(raw: &RawMap, certain: bool, walk: &mut Walk<'_>) {
    // A map with entries has a vector. Without entries, the words show whether there is one.
    walk.block_of(raw.entries, raw.entries_bytes);
    let Some((control, mask, capacity)) = raw.table().filter(|_| certain) else { return };
    walk.block_of(raw.entries, capacity);
    walk.block_of(control, mask);
}

/// The words of an `IndexMap` other than its hasher: the words of a table and of a vector, in the
/// order that the compiler chose.
type IndexWords = [usize; 7];

/// Returns `None` if the map is not exactly seven words and a hasher.
///
/// # Safety
/// The map changes only through a unique reference.
pub(super) unsafe fn words_beside<M, S>(map: &M, hasher: &S) -> Option<IndexWords> {
    if !READS_PADDING {
        return None;
    }
    // SAFETY: no thread writes to the map, as the caller guarantees, and padding may be read.
    unsafe { words_except(map, hasher) }
}

fn words_of_map<K, V, S>(map: &IndexMap<K, V, S>) -> Option<IndexWords> {
    // SAFETY: it is a map of indexmap.
    unsafe { words_beside(map, map.hasher()) }
}

/// The public figures of a map or set, and its private words.
pub(super) struct RawMap {
    words: Option<IndexWords>,
    pub(super) len: usize,
    pub(super) capacity: usize,
    /// The address of the vector of entries, and the bytes of its live entries.
    pub(super) entries: usize,
    pub(super) entries_bytes: usize,
}

impl RawMap {
    pub(super) fn of_map<K, V, S>(map: &IndexMap<K, V, S>) -> Self {
        Self::new(words_of_map(map), map.len(), map.capacity(), map.as_slice())
    }

    pub(super) fn of_set<T, S>(set: &IndexSet<T, S>) -> Self {
        // SAFETY: it is a set of indexmap, which is a map.
        let words = unsafe { words_beside(set, set.hasher()) };
        Self::new(words, set.len(), set.capacity(), set.as_slice())
    }

    pub(super) fn new<E: ?Sized>(
        words: Option<IndexWords>,
        len: usize,
        capacity: usize,
        entries: &E,
    ) -> Self {
        let (entries, entries_bytes) = ((&raw const *entries).cast::<()>(), size_of_val(entries));
        Self { words, len, capacity, entries: entries.addr(), entries_bytes }
    }

    /// Returns the figures of a map that is private to another value.
    pub(super) fn unread(len: usize, capacity: usize) -> Self {
        Self { words: None, len, capacity, entries: 0, entries_bytes: 0 }
    }

    /// Returns the table's address, the table's mask and the vector's capacity. The mask is 0 if
    /// the table has no allocation.
    pub(super) fn table(&self) -> Option<(usize, usize, usize)> {
        let (words, word_indices) = self.words.zip(word_indices())?;
        Some((words[word_indices.control], words[word_indices.mask], words[word_indices.capacity]))
    }

    /// Returns the vector's capacity and the table's buckets, if the words are plausible.
    pub(super) fn read(&self) -> Option<(usize, Buckets)> {
        let words = self.words?;
        let word_indices = word_indices()?;
        let (growth_left, capacity) =
            (words[word_indices.growth_left], words[word_indices.capacity]);
        let table_capacity = self.len.checked_add(growth_left)?;
        let plausible = words[word_indices.entries] == self.entries
            && words[word_indices.lens.0] == self.len
            && words[word_indices.lens.1] == self.len
            && capacity >= self.len
            && capacity.min(table_capacity) == self.capacity;
        let table = [words[word_indices.mask], words[word_indices.control], self.len, growth_left];
        let buckets = Buckets::of::<usize>(Some(table), self.len, table_capacity, None);
        (plausible && buckets.certain).then_some((capacity, buckets))
    }
}

/// The indices of a map's words. They are the same in all maps, because no word's type depends on
/// the keys or the values.
#[derive(Clone, Copy, Debug)]
struct WordIndices {
    mask: usize,
    control: usize,
    growth_left: usize,
    capacity: usize,
    entries: usize,
    lens: (usize, usize),
}

/// Found once, in a map whose words have known values.
fn word_indices() -> Option<WordIndices> {
    static INDICES: Observed<Option<WordIndices>> = Observed::new();
    INDICES.get_or_init(|| {
        type Hasher = BuildHasherDefault<DefaultHasher>;
        let mut map: IndexMap<u64, u64, Hasher> =
            IndexMap::with_capacity_and_hasher(5, Hasher::default());
        map.insert(0, 0);
        let words = words_of_map(&map)?;
        indices_in(words, (&raw const *map.as_slice()).addr())
    })
}

/// Returns the indices in the words of a map with one entry and a vector of capacity five. The
/// map's table has eight buckets and can use seven of them.
fn indices_in(words: IndexWords, entries: usize) -> Option<WordIndices> {
    let mut lens = (0..words.len()).filter(|&index| words[index] == 1);
    Some(WordIndices {
        mask: index_of(&words, 7)?,
        growth_left: index_of(&words, 6)?,
        capacity: index_of(&words, 5)?,
        entries: index_of(&words, entries)?,
        lens: (lens.next()?, lens.next()?),
        // Exactly one word is left.
        control: index_of_other(&words, &[7, 6, 5, entries, 1])?,
    })
}

#[cfg(test)]
mod tests;
