//! `HashMap` and `HashSet`: buckets, used and spare, and the table's control bytes.

use crate::MemoryProfile;
use crate::impls::parts::MapParts;
use crate::impls::parts::SetParts;
use crate::impls::parts::add_parts;
use crate::impls::parts::add_set;
use crate::impls::std::opaque::mark_opaque;
use crate::keyed::add_keyed_parts;
use crate::layout::table::{Buckets, Entry, TableWords, padding, words_of_map, words_of_set};
use crate::tree::LeafKind;
use crate::walk::{Keyed, Position, Walk};
use core::fmt::Display;
use core::ops::Range;
use std::collections::{HashMap, HashSet};

impl<K: MemoryProfile, V: MemoryProfile, S> MemoryProfile for HashMap<K, V, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if walk.defers(self, at) {
            return;
        }
        add_parts(self, walk, at);
    }
}

impl<K, V, S> MapParts for HashMap<K, V, S> {
    type Key = K;
    type Value = V;

    fn entry_count(&self) -> usize {
        self.len()
    }

    fn entries(&self) -> impl Iterator<Item = (&K, &V)> {
        self.iter()
    }

    /// The address of an entry confirms the layout.
    fn add_but_entries(&self, visits_entries: bool, walk: &mut Walk<'_>, at: Position) {
        let words = words_of_map(self);
        let reads_entry = visits_entries || walk.wants_blocks();
        let entry = if reads_entry { self.iter().next().map(address_range_of_pair) } else { None };
        let buckets = Buckets::of::<Entry<K, V>>(words, self.len(), self.capacity(), entry.clone());
        add_table::<Entry<K, V>>(buckets, self.len(), walk, at);
        report_table(words, self.len(), self.capacity(), entry, walk);
        mark_opaque(self.hasher(), walk, at);
        walk.leaf(at, LeafKind::Padding, self.len() * padding::<K, V>());
    }
}

impl<K: MemoryProfile + Display, V: MemoryProfile, S> Keyed for HashMap<K, V, S> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        add_keyed_parts(self, cap, walk, at);
    }
}

impl<T: MemoryProfile, S> MemoryProfile for HashSet<T, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if walk.defers(self, at) {
            return;
        }
        add_set(self, walk, at);
    }
}

impl<T, S> SetParts for HashSet<T, S> {
    type Value = T;

    fn values(&self) -> impl ExactSizeIterator<Item = &T> {
        self.iter()
    }

    /// The address of a value confirms the layout.
    fn add_but_values(&self, visits_values: bool, walk: &mut Walk<'_>, at: Position) {
        let words = words_of_set(self);
        let reads_value = visits_values || walk.wants_blocks();
        let value = if reads_value { self.iter().next().map(address_range) } else { None };
        let buckets = Buckets::of::<T>(words, self.len(), self.capacity(), value.clone());
        add_table::<T>(buckets, self.len(), walk, at);
        report_table(words, self.len(), self.capacity(), value, walk);
        mark_opaque(self.hasher(), walk, at);
    }
}

/// Reports the block of a table. The arguments are those of [`Buckets::of`].
fn report_table(
    words: Option<TableWords>,
    len: usize,
    capacity: usize,
    entry: Option<Range<usize>>,
    walk: &mut Walk<'_>,
) {
    if !walk.wants_blocks() {
        return;
    }
    if let Some(address) = Buckets::address(words, len, capacity, entry) {
        walk.block(address);
    }
}

/// Returns the address range of a value.
fn address_range<T>(value: &T) -> Range<usize> {
    let start = (&raw const *value).addr();
    start..start + size_of::<T>()
}

/// Returns the address range of a key and its value. A zero-sized part takes no bytes, so it is
/// ignored.
fn address_range_of_pair<K, V>((key, value): (&K, &V)) -> Range<usize> {
    match (address_range(key), address_range(value)) {
        (key, _) if size_of::<V>() == 0 => key,
        (_, value) if size_of::<K>() == 0 => value,
        (key, value) => key.start.min(value.start)..key.end.max(value.end),
    }
}

/// Adds the bytes of a table, except those of its `len` live entries of type `E`.
fn add_table<E>(buckets: Buckets, len: usize, walk: &mut Walk<'_>, at: Position) {
    let spare = (buckets.count - len) * size_of::<E>();
    let bytes = buckets.bytes(size_of::<E>(), align_of::<E>());
    let control = bytes - buckets.count * size_of::<E>();
    let shrinkable = buckets.shrinkable_bytes(len, size_of::<E>(), align_of::<E>());
    walk.shrinkable(at, bytes, shrinkable);
    walk.count_allocations(at, usize::from(bytes != 0));
    walk.count_values(at, len);
    walk.leaves(at, [(LeafKind::Spare, spare), (LeafKind::Table, control)], buckets.certain);
}
