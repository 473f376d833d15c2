//! Maps and sets: B-trees, whose nodes have room for eleven entries each, used or not, and hash tables.

use crate::MemoryProfile;
use crate::attributes::add_keyed_parts;
use crate::impls::parts::{MapParts, maps, sets};
use crate::impls::std::scalar::mark_opaque;
use crate::layout::nodes::{
    self, CAPACITY, Census, MAX_SINGLE_LEAF_LEN, NodeCount, is_in_leaf, nodes_are_known,
};
use crate::layout::prefetch;
use crate::layout::table::{
    Buckets, Entry, Table, TableWords, padding, words_of_map, words_of_set,
};
use crate::tree::LeafKind;
use crate::walk::{Keyed, Position, Walk};
use core::alloc::Layout;
use core::fmt::Display;
use core::ops::Range;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet};

impl<K: MemoryProfile, V: MemoryProfile> MemoryProfile for BTreeMap<K, V> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if walk.defers(self, at) {
            return;
        }
        let emptied = || nodes::leaf_of_emptied_map(self);
        add_entries(self.iter(), self.len(), emptied, walk, at);
    }
}

impl<K, V> MapParts for BTreeMap<K, V> {
    type Key = K;
    type Value = V;
    const IS_SORTED: bool = true;

    fn entry_count(&self) -> usize {
        self.len()
    }

    fn entries(&self) -> impl Iterator<Item = (&K, &V)> {
        self.iter()
    }

    fn add_but_entries(&self, _: bool, walk: &mut Walk<'_>, at: Position) {
        let emptied = || nodes::leaf_of_emptied_map(self);
        add_map_but_entries(self.iter(), self.len(), emptied, walk, at);
    }
}

impl<K: MemoryProfile + Display, V: MemoryProfile> Keyed for BTreeMap<K, V> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        add_keyed_parts(self, cap, walk, at);
    }
}

/// Adds everything that a map of `len` entries owns. `entries` yields the entries in key order.
///
/// `leaf_of_emptied` is called only if the map is empty.
#[inline]
pub(crate) fn add_entries<'a, K: MemoryProfile + 'a, V: MemoryProfile + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)> + Clone,
    len: usize,
    leaf_of_emptied: impl FnOnce() -> Option<usize>,
    walk: &mut Walk<'a>,
    at: Position,
) {
    let keys = walk.add_inline_pairs::<K, V>(len, at);
    let known = nodes_are_known() && entries.clone().next().is_none_or(is_in_leaf);
    add_owned(entries, len, known, leaf_of_emptied, walk, (keys, at));
}

/// Adds the nodes of a tree of `len` entries. Adds what keys own at the position `keys`, and what
/// values own at the position `at`.
///
/// `known` is true if the nodes have the described layout. The other arguments are those of
/// [`add_entries`]. If the walk is stopped before the last entry, the minimum possible number of
/// nodes is counted.
#[inline]
fn add_owned<'a, K: MemoryProfile + 'a, V: MemoryProfile + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)> + Clone,
    len: usize,
    known: bool,
    leaf_of_emptied: impl FnOnce() -> Option<usize>,
    walk: &mut Walk<'a>,
    (keys, at): (Position, Position),
) {
    let is_reported = report_nodes(entries.clone(), known, walk);
    let mut census = Census::new(entry_step::<K, V>());
    let is_flat = K::is_flat() && V::is_flat();
    let is_complete = is_flat && len <= MAX_SINGLE_LEAF_LEN && is_reported || {
        let counted = entries.inspect(|(key, value)| {
            let address = entry_address(*key, *value);
            // The pointer to a node's parent is often in the cache line of its first key. The
            // iterator needs the pointer after the node's last entry.
            prefetch(address);
            census.add_key(address);
        });
        walk.visit_pairs(counted, keys, at)
    };
    add_counted_nodes::<K, V>(census, is_complete, known, len, leaf_of_emptied, walk, at);
}

/// Adds everything in a map except its keys and values. The arguments are those of [`add_entries`].
///
/// If the walk is stopped, `keyed::add_entries` marks the entries that it does not visit.
pub(crate) fn add_map_but_entries<'a, K: 'a, V: 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)> + Clone,
    len: usize,
    leaf_of_emptied: impl FnOnce() -> Option<usize>,
    walk: &mut Walk<'_>,
    at: Position,
) {
    let known = nodes_are_known() && entries.clone().next().is_none_or(is_in_leaf);
    report_nodes(entries.clone(), known, walk);
    let mut census = Census::new(entry_step::<K, V>());
    let mut entries = entries;
    let is_complete = entries.all(|(key, value)| {
        census.add_key(entry_address(key, value));
        !walk.should_stop()
    });
    add_counted_nodes::<K, V>(census, is_complete, known, len, leaf_of_emptied, walk, at);
}

/// Adds the nodes that a census counted. If the census is not complete, or the layout of nodes is
/// not known, adds an estimate.
fn add_counted_nodes<K, V>(
    census: Census,
    is_complete: bool,
    known: bool,
    len: usize,
    leaf_of_emptied: impl FnOnce() -> Option<usize>,
    walk: &mut Walk<'_>,
    at: Position,
) {
    let nodes = if is_complete {
        let nodes = count_nodes(len, census, leaf_of_emptied, walk);
        nodes.filter(|_| known).ok_or(NodeCount::estimate(len))
    } else {
        Err(NodeCount::minimum(len))
    };
    add_nodes::<K, V>(nodes, len, walk, at);
}

/// Reports the blocks of the nodes, if the observer wants addresses. Returns `false` if the observer
/// stopped the walk before the last node.
fn report_nodes<'a, K: 'a, V: 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    known: bool,
    walk: &mut Walk<'_>,
) -> bool {
    if !walk.wants_blocks() {
        return true;
    }
    for (key, value) in entries {
        if walk.should_stop() {
            return false;
        }
        report_node(key, value, known, walk);
    }
    true
}

/// Reports the block of the node that contains an entry.
fn report_node<K, V>(key: &K, value: &V, known: bool, walk: &mut Walk<'_>) {
    if entry_step::<K, V>() != 0 {
        walk.block(entry_address(key, value));
    } else if known {
        // The address of a zero-sized key may be the end of the node, so the start is reported.
        walk.block(nodes::node_of_first::<K, V>(key));
    }
}

impl<T: MemoryProfile> MemoryProfile for BTreeSet<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if walk.defers(self, at) {
            return;
        }
        let emptied = || nodes::leaf_of_emptied_set(self);
        add_set_values(self.iter(), self.len(), emptied, walk, at);
    }
}

/// Adds everything that a set of `len` values owns. `values` yields the values in order.
///
/// `leaf_of_emptied` is called only if the set is empty.
#[inline]
pub(crate) fn add_set_values<'a, T: MemoryProfile + 'a>(
    values: impl Iterator<Item = &'a T> + Clone,
    len: usize,
    leaf_of_emptied: impl FnOnce() -> Option<usize>,
    walk: &mut Walk<'a>,
    at: Position,
) {
    walk.inline(at, T::shape(), len);
    let entries = values.map(|value| (value, &()));
    add_owned(entries, len, nodes_are_known(), leaf_of_emptied, walk, (at, at));
}

/// Returns the distance between neighbouring keys of a node. Zero-sized keys all have one address.
/// For them, this function returns the distance between neighbouring values.
const fn entry_step<K, V>() -> usize {
    if size_of::<K>() == 0 { size_of::<V>() } else { size_of::<K>() }
}

#[inline]
fn entry_address<K, V>(key: &K, value: &V) -> usize {
    if size_of::<K>() == 0 { (&raw const *value).addr() } else { (&raw const *key).addr() }
}

/// Returns the number of nodes, if it is certain.
fn count_nodes(
    len: usize,
    census: Census,
    leaf_of_emptied: impl FnOnce() -> Option<usize>,
    walk: &mut Walk<'_>,
) -> Option<NodeCount> {
    match len {
        0 => leaf_of_emptied().map(|leaf| {
            walk.block_of(leaf, leaf);
            NodeCount { leaves: usize::from(leaf != 0), inner: 0 }
        }),
        1..=MAX_SINGLE_LEAF_LEN => Some(NodeCount { leaves: 1, inner: 0 }),
        _ => census.finish(),
    }
}

/// Adds the bytes of the nodes, except those of the `len` live entries. If the number of nodes is
/// not certain, the bytes are an estimate.
fn add_nodes<K, V>(
    nodes: Result<NodeCount, NodeCount>,
    len: usize,
    walk: &mut Walk<'_>,
    at: Position,
) {
    let certain = nodes.is_ok();
    let nodes = nodes.unwrap_or_else(|estimate| estimate);
    let entry = size_of::<K>() + size_of::<V>();
    let count = nodes.leaves + nodes.inner;
    let bytes = node_bytes::<K, V>(nodes);
    let compact = node_bytes::<K, V>(NodeCount::compact(len));
    walk.compactable(at, bytes, bytes.saturating_sub(compact));
    let spare = (count * CAPACITY).saturating_sub(len) * entry;
    let links = bytes.saturating_sub(len * entry + spare);
    walk.count_allocations(at, count);
    walk.count_nodes(at, count);
    walk.count_values(at, len);
    walk.leaves(at, [(LeafKind::Spare, spare), (LeafKind::Nodes, links)], certain);
}

fn node_bytes<K, V>(nodes: NodeCount) -> usize {
    nodes.leaves * nodes::leaf_size::<K, V>() + nodes.inner * nodes::inner_size::<K, V>()
}

maps! { [K, V, S] HashMap<K, V, S>: add_hash_map; }

impl<K: MemoryProfile + Display, V: MemoryProfile, S> Keyed for HashMap<K, V, S> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        add_keyed_parts(self, cap, walk, at);
    }
}

sets! { [T, S] HashSet<T, S>: add_hash_set; }

/// Adds everything in a map except its entries. The address of an entry confirms the layout.
fn add_hash_map<K, V, S>(
    map: &HashMap<K, V, S>,
    visits_entries: bool,
    walk: &mut Walk<'_>,
    at: Position,
) {
    let reads_entry = visits_entries || walk.wants_blocks();
    let entry = if reads_entry { map.iter().next().map(address_range_of_pair) } else { None };
    add_table::<Entry<K, V>>(words_of_map(map), map.len(), map.capacity(), entry, walk, at);
    mark_opaque(map.hasher(), walk, at);
    walk.leaf(at, LeafKind::Padding, map.len() * padding::<K, V>());
}

/// Adds everything in a set except its values, like [`add_hash_map`].
fn add_hash_set<T, S>(set: &HashSet<T, S>, visits_values: bool, walk: &mut Walk<'_>, at: Position) {
    let reads_value = visits_values || walk.wants_blocks();
    let value = if reads_value { set.iter().next().map(address_range) } else { None };
    add_table::<T>(words_of_set(set), set.len(), set.capacity(), value, walk, at);
    mark_opaque(set.hasher(), walk, at);
}

/// Adds the bytes of a table, except those of its live entries of type `E`, and reports its block.
/// The arguments are those of [`Buckets::of`].
fn add_table<E>(
    words: Option<TableWords>,
    len: usize,
    capacity: usize,
    entry: Option<Range<usize>>,
    walk: &mut Walk<'_>,
    at: Position,
) {
    let buckets = Buckets::of::<E>(words, len, capacity, entry.clone());
    Table::new(buckets, len, Layout::new::<E>()).add(walk, at);
    if walk.wants_blocks() {
        if let Some(address) = Buckets::address(words, len, capacity, entry) {
            walk.block(address);
        }
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

#[cfg(test)]
mod tests;
