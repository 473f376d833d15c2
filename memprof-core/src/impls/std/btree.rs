//! `BTreeMap` and `BTreeSet`: nodes with room for eleven entries each, used or not.

use crate::MemoryProfile;
use crate::impls::std::entries::Remaining;
use crate::layout::tree::{self, is_in_leaf, nodes_are_known};
use crate::layout::tree_census::{CAPACITY, Census, MAX_SINGLE_LEAF_LEN, NodeCount};
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Tally, Walk};
use std::collections::{BTreeMap, BTreeSet};

impl<K: MemoryProfile, V: MemoryProfile> MemoryProfile for BTreeMap<K, V> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if at.is_deep() {
            walk.defer(self, at);
            return;
        }
        let emptied = || tree::leaf_of_emptied_map(self);
        add_entries(self.iter(), self.len(), emptied, walk, at);
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
    let keys = walk.keys(at);
    K::inline(walk, keys, len);
    V::inline(walk, at, len);
    let (keys, values) = (keys.deeper(), at.deeper());
    if walk.is_observed() {
        let visit = |key: &'a K, value: &'a V, walk: &mut Walk<'a>| {
            key.owned(walk, keys);
            value.owned(walk, values);
        };
        let known = nodes_are_known() && entries.clone().next().is_none_or(is_in_leaf);
        let left = add_observed(entries, len, known, leaf_of_emptied, visit, walk, at);
        walk.mark_unvisited(at, left);
        return;
    }
    let flat = K::is_flat() && V::is_flat();
    let mut census = Census::new(entry_step::<K, V>());
    let mut known = nodes_are_known();
    let (mut key_tally, mut value_tally) = (Tally::default(), Tally::default());
    if !flat || len > MAX_SINGLE_LEAF_LEN {
        known &= entries.clone().next().is_none_or(is_in_leaf);
        for (key, value) in entries {
            census.add_key(entry_address(key, value));
            if !flat {
                key.tally(&mut key_tally, walk, keys);
                value.tally(&mut value_tally, walk, values);
            }
        }
        K::settle(key_tally, walk, keys);
        V::settle(value_tally, walk, values);
    }
    let nodes = count_nodes(len, census, leaf_of_emptied, walk);
    add_nodes::<K, V>(nodes.filter(|_| known).ok_or(NodeCount::estimate(len)), len, walk, at);
}

/// Adds everything in a map except its keys and values. The arguments are those of [`add_entries`].
pub(crate) fn add_map_but_entries<'a, K: 'a, V: 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)> + Clone,
    len: usize,
    leaf_of_emptied: impl FnOnce() -> Option<usize>,
    walk: &mut Walk<'_>,
    at: Position,
) {
    let known = nodes_are_known() && entries.clone().next().is_none_or(is_in_leaf);
    if walk.is_observed() {
        // `keyed::add_entries` marks the entries that the walk does not visit.
        add_observed(entries, len, known, leaf_of_emptied, |_, _, _| {}, walk, at);
        return;
    }
    let mut census = Census::new(entry_step::<K, V>());
    for (key, value) in entries {
        census.add_key(entry_address(key, value));
    }
    let nodes = count_nodes(len, census, leaf_of_emptied, walk);
    add_nodes::<K, V>(nodes.filter(|_| known).ok_or(NodeCount::estimate(len)), len, walk, at);
}

/// Adds a map during an observed walk, except the inline bytes of its entries. Calls `visit` for
/// each entry and returns the number of entries not visited because the walk was stopped.
///
/// `known` is true if the nodes have the described layout. The other arguments are those of
/// [`add_entries`]. If the walk stops before the last entry, the minimum possible number of nodes
/// is counted.
fn add_observed<'a, 'w, K: 'a, V: 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)>,
    len: usize,
    known: bool,
    leaf_of_emptied: impl FnOnce() -> Option<usize>,
    visit: impl Fn(&'a K, &'a V, &mut Walk<'w>),
    walk: &mut Walk<'w>,
    at: Position,
) -> usize {
    let mut census = Census::new(entry_step::<K, V>());
    let mut entries = Remaining { entries, len };
    while let Some((key, value)) = entries.next_unless_stopped(walk) {
        census.add_key(entry_address(key, value));
        report_node(key, value, known, walk);
        visit(key, value, walk);
    }
    let nodes = if entries.len == 0 {
        let nodes = count_nodes(len, census, leaf_of_emptied, walk);
        nodes.filter(|_| known).ok_or(NodeCount::estimate(len))
    } else {
        Err(NodeCount::minimum(len))
    };
    add_nodes::<K, V>(nodes, len, walk, at);
    entries.len
}

/// Reports the block of the node that contains an entry.
fn report_node<K, V>(key: &K, value: &V, known: bool, walk: &mut Walk<'_>) {
    if entry_step::<K, V>() != 0 {
        walk.block(entry_address(key, value));
    } else if known {
        // Zero-sized keys may be at the node's end.
        walk.block(tree::node_of_first::<K, V>(key));
    }
}

impl<T: MemoryProfile> MemoryProfile for BTreeSet<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if at.is_deep() {
            walk.defer(self, at);
            return;
        }
        let leaf_of_emptied = || tree::leaf_of_emptied_set(self);
        T::inline(walk, at, self.len());
        if walk.is_observed() {
            let visit = |value: &'a T, &(), walk: &mut Walk<'a>| value.owned(walk, at.deeper());
            let entries = self.iter().map(|value| (value, &()));
            let (len, known) = (self.len(), nodes_are_known());
            let left = add_observed(entries, len, known, leaf_of_emptied, visit, walk, at);
            walk.mark_unvisited(at, left);
            return;
        }
        let mut census = Census::new(size_of::<T>());
        let mut tally = Tally::default();
        if !T::is_flat() || self.len() > MAX_SINGLE_LEAF_LEN {
            for value in self {
                census.add_key(entry_address(value, &()));
                if !T::is_flat() {
                    value.tally(&mut tally, walk, at.deeper());
                }
            }
            T::settle(tally, walk, at.deeper());
        }
        let len = self.len();
        let nodes = count_nodes(len, census, leaf_of_emptied, walk);
        let nodes = nodes.filter(|_| nodes_are_known()).ok_or(NodeCount::estimate(len));
        add_nodes::<T, ()>(nodes, len, walk, at);
    }
}

/// Returns the distance between neighbouring keys of a node. Zero-sized keys all have one address,
/// so for them it returns the distance between neighbouring values.
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
    if certain {
        walk.leaf(at, LeafKind::Spare, spare);
        walk.leaf(at, LeafKind::Nodes, links);
    } else {
        walk.estimated(at, LeafKind::Spare, spare);
        walk.estimated(at, LeafKind::Nodes, links);
        if count == 0 {
            // A zero-byte estimate leaves no mark, but an emptied tree may keep a leaf.
            walk.opaque(at, OpaqueReason::Foreign);
        }
    }
}

fn node_bytes<K, V>(nodes: NodeCount) -> usize {
    nodes.leaves * tree::leaf_size::<K, V>() + nodes.inner * tree::inner_size::<K, V>()
}

#[cfg(test)]
mod tests;
