//! `HashMap` and `HashSet`: buckets, used and spare, and the table's control bytes.

use crate::MemoryProfile;
use crate::impls::std::entries::{add_pairs, add_values};
use crate::impls::std::opaque::mark_opaque;
use crate::layout::table::{Buckets, Entry, TableWords, padding, words_of_map, words_of_set};
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};
use core::ops::Range;
use std::collections::{HashMap, HashSet};

impl<K: MemoryProfile, V: MemoryProfile, S> MemoryProfile for HashMap<K, V, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if walk.defers(self, at) {
            return;
        }
        add_map_but_entries(self, !(K::is_flat() && V::is_flat()), walk, at);
        add_pairs(self.iter(), self.len(), walk, at);
    }
}

/// Adds everything in a map except its keys and values.
///
/// An entry's address confirms the layout, but reading it may miss the cache. So the caller sets
/// `reads_entry` only if it visits the entries anyway.
pub(crate) fn add_map_but_entries<K, V, S>(
    map: &HashMap<K, V, S>,
    reads_entry: bool,
    walk: &mut Walk<'_>,
    at: Position,
) {
    let words = words_of_map(map);
    let reads_entry = reads_entry || walk.tells_blocks();
    let entry = if reads_entry { map.iter().next().map(address_range_of_pair) } else { None };
    let buckets = Buckets::of::<Entry<K, V>>(words, map.len(), map.capacity(), entry.clone());
    add_table::<Entry<K, V>>(buckets, map.len(), walk, at);
    report_table(words, map.len(), map.capacity(), entry, walk);
    mark_opaque(map.hasher(), walk, at);
    walk.leaf(at, LeafKind::Padding, map.len() * padding::<K, V>());
}

impl<T: MemoryProfile, S> MemoryProfile for HashSet<T, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if walk.defers(self, at) {
            return;
        }
        let words = words_of_set(self);
        let reads_entry = !T::is_flat() || walk.tells_blocks();
        let entry = if reads_entry { self.iter().next().map(address_range) } else { None };
        let buckets = Buckets::of::<T>(words, self.len(), self.capacity(), entry.clone());
        add_table::<T>(buckets, self.len(), walk, at);
        report_table(words, self.len(), self.capacity(), entry, walk);
        mark_opaque(self.hasher(), walk, at);
        add_values(self.iter(), self.len(), walk, at);
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
    if !walk.tells_blocks() {
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
