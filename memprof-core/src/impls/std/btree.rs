//! B-trees: maps and sets whose nodes have room for eleven entries each, used or not.
//!
//! ```text
//!  map: root ──► | leaf: parent, keys, values, index, length | edges … |    inner node
//!                                                              └──► leaf, twelve times
//! ```
//!
//! A [`Census`] counts the nodes of a B-tree by the addresses of its keys. In key order, the keys
//! of one leaf follow each other in memory. The first key that does not follow the previous one is
//! in an inner node, and the key after it starts another leaf:
//!
//! ```text
//!            [ e         j ]              inner node: e, then j directly after it
//!           /      |        \
//!  [a b c d]   [f g h i]   [k l m]        leaves
//! ```
//!
//! So the walk, which visits the keys anyway, finds every node without reading a node.
#![expect(unsafe_code, reason = "std exposes neither the nodes nor the words of a map")]

use crate::MemoryProfile;
use crate::attributes;
use crate::layout::certificate::Certificate;
use crate::layout::observed::Observed;
use crate::layout::prefetch;
use crate::layout::word::{
    LOWEST_ADDRESS, READS_STD, WORD, index_of, pointer_at, word_at, words_of,
};
use crate::tree::LeafKind;
use crate::walk::{Keyed, Position, Walk};
use core::fmt::Display;
use core::mem::{MaybeUninit, offset_of};
use std::collections::{BTreeMap, BTreeSet};

impl<K: MemoryProfile, V: MemoryProfile> MemoryProfile for BTreeMap<K, V> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if walk.defers(self, at) {
            return;
        }
        add_entries(self.iter(), self.len(), self, walk, at);
    }
}

impl<K: MemoryProfile + Display, V: MemoryProfile> Keyed for BTreeMap<K, V> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        if attributes::is_keyed_entry(walk, at) {
            self.owned(walk, at);
            return;
        }
        // The entries are in order, so the first ones get the names.
        add_map_but_entries(self.iter(), self.len(), self, walk, at);
        attributes::add_entries(self.iter(), self.len(), cap, walk, at);
    }
}

/// `entries` yields the entries of `tree` in key order.
#[inline]
pub(crate) fn add_entries<'a, K: MemoryProfile + 'a, V: MemoryProfile + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)> + Clone,
    len: usize,
    tree: &impl Tree,
    walk: &mut Walk<'a>,
    at: Position,
) {
    let keys = walk.add_inline_pairs::<K, V>(len, at);
    let known = nodes_are_known() && entries.clone().next().is_none_or(is_in_leaf);
    add_owned(entries, len, known, tree, walk, (keys, at));
}

/// Adds what keys own at `keys`, and what values own at `at`. `known` is true if the nodes have the
/// described layout. The other arguments are those of [`add_entries`]. If the walk is stopped
/// before the last entry, the minimum possible number of nodes is counted.
#[inline]
fn add_owned<'a, K: MemoryProfile + 'a, V: MemoryProfile + 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)> + Clone,
    len: usize,
    known: bool,
    tree: &impl Tree,
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
    add_nodes::<K, V>(census, is_complete, known, tree, len, walk, at);
}

/// The arguments are those of [`add_entries`]. If the walk is stopped, `keyed::add_entries` marks
/// the entries that it does not visit.
pub(crate) fn add_map_but_entries<'a, K: 'a, V: 'a>(
    entries: impl Iterator<Item = (&'a K, &'a V)> + Clone,
    len: usize,
    tree: &impl Tree,
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
    add_nodes::<K, V>(census, is_complete, known, tree, len, walk, at);
}

/// Returns `false` if the observer stopped the walk before the last node.
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
        if entry_step::<K, V>() != 0 {
            walk.block(entry_address(key, value));
        } else if known {
            // The address of a zero-sized key may be the end of the node, so the start is reported.
            walk.block(node_of_first::<K, V>(key));
        }
    }
    true
}

impl<T: MemoryProfile> MemoryProfile for BTreeSet<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        if walk.defers(self, at) {
            return;
        }
        add_set_values(self.iter(), self.len(), self, walk, at);
    }
}

/// `values` yields the values of `tree` in order.
#[inline]
pub(crate) fn add_set_values<'a, T: MemoryProfile + 'a>(
    values: impl Iterator<Item = &'a T> + Clone,
    len: usize,
    tree: &impl Tree,
    walk: &mut Walk<'a>,
    at: Position,
) {
    walk.inline(at, T::shape(), len);
    let entries = values.map(|value| (value, &()));
    add_owned(entries, len, nodes_are_known(), tree, walk, (at, at));
}

/// Zero-sized keys all have one address, so the step is then that of the values.
const fn entry_step<K, V>() -> usize {
    if size_of::<K>() == 0 { size_of::<V>() } else { size_of::<K>() }
}

#[inline]
fn entry_address<K, V>(key: &K, value: &V) -> usize {
    if size_of::<K>() == 0 { (&raw const *value).addr() } else { (&raw const *key).addr() }
}

fn count_nodes(
    len: usize,
    census: Census,
    tree: &impl Tree,
    walk: &mut Walk<'_>,
) -> Option<NodeCount> {
    match len {
        0 => leaf_of_emptied(tree).map(|leaf| {
            walk.block_of(leaf, leaf);
            NodeCount { leaves: usize::from(leaf != 0), inner: 0 }
        }),
        1..=MAX_SINGLE_LEAF_LEN => Some(NodeCount { leaves: 1, inner: 0 }),
        _ => census.finish(),
    }
}

/// Adds the bytes of the nodes, except those of the `len` live entries. They are an estimate if the
/// layout of nodes is not `known`, or if the census is not complete or does not fit.
fn add_nodes<K, V>(
    census: Census,
    is_complete: bool,
    known: bool,
    tree: &impl Tree,
    len: usize,
    walk: &mut Walk<'_>,
    at: Position,
) {
    let counted = if is_complete { count_nodes(len, census, tree, walk) } else { None };
    let counted = counted.filter(|_| known);
    let guessed = if is_complete { NodeCount::estimate } else { NodeCount::minimum };
    let nodes = counted.unwrap_or_else(|| guessed(len));
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
    walk.leaves(at, [(LeafKind::Spare, spare), (LeafKind::Nodes, links)], counted.is_some());
}

fn node_bytes<K, V>(nodes: NodeCount) -> usize {
    nodes.leaves * leaf_size::<K, V>() + nodes.inner * inner_size::<K, V>()
}

/// A copy of the definition of std's leaf node, which the compiler lays out the same way.
struct LeafNode<K, V> {
    _parent: *const (),
    _parent_index: u16,
    _len: u16,
    keys: [MaybeUninit<K>; CAPACITY],
    values: [MaybeUninit<V>; CAPACITY],
}

#[repr(C)]
struct InnerNode<K, V> {
    _entries: LeafNode<K, V>,
    edges: [*const (); CAPACITY + 1],
}

pub(crate) const fn leaf_size<K, V>() -> usize {
    size_of::<LeafNode<K, V>>()
}

pub(crate) const fn inner_size<K, V>() -> usize {
    size_of::<InnerNode<K, V>>()
}

pub(crate) static CERTIFICATE: Certificate = Certificate::new(observe);

fn nodes_are_known() -> bool {
    CERTIFICATE.is_certified()
}

/// Returns whether the first value of a tree is as far from the first key as in the described node.
fn is_in_leaf<K, V>((key, value): (&K, &V)) -> bool {
    let found = (&raw const *value).addr().wrapping_sub((&raw const *key).addr());
    let keys = offset_of!(LeafNode<K, V>, keys);
    found == offset_of!(LeafNode<K, V>, values).wrapping_sub(keys)
}

/// Returns the start of the node whose first key is `key`.
fn node_of_first<K, V>(key: &K) -> usize {
    (&raw const *key).addr().wrapping_sub(offset_of!(LeafNode<K, V>, keys))
}

/// A B-tree of std, or a type around one.
///
/// # Safety
/// A value that is three words large is a map or a set of std and nothing else.
pub(crate) unsafe trait Tree {}

// SAFETY: it is a map of std.
unsafe impl<K, V> Tree for BTreeMap<K, V> {}
// SAFETY: it is a set of std, whose only field is a map.
unsafe impl<T> Tree for BTreeSet<T> {}
// SAFETY: an object is a map of std, or an insertion-ordered map, which is larger.
#[cfg(feature = "serde_json1")]
unsafe impl Tree for serde_json::Map<String, serde_json::Value> {}

/// Returns 0 if the tree keeps no leaf, and `None` if the words are not those of an empty tree.
fn leaf_of_emptied<M: Tree>(tree: &M) -> Option<usize> {
    if size_of::<M>() != WORDS * WORD || align_of::<M>() != align_of::<usize>() {
        return None;
    }
    // SAFETY: the size was checked, and `Tree` guarantees that a value of this size is a map or a set.
    leaf_in(unsafe { root_and_len(tree, known_word_indices()?) })
}

/// Returns the root if these are the root and the length of a tree without entries.
fn leaf_in([root, len]: [usize; 2]) -> Option<usize> {
    let plausible = root == 0 || (root >= LOWEST_ADDRESS && root % WORD == 0);
    (len == 0 && plausible).then_some(root)
}

/// The number of words of a map: root, height and length.
const WORDS: usize = 3;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct WordIndices {
    root: usize,
    len: usize,
}

/// Reads the root and the length. The height is not read, because it is not initialised without a
/// root.
///
/// # Safety
/// `tree` is a map or a set of std of three words, and `indices` are its indices.
unsafe fn root_and_len<M>(tree: &M, indices: WordIndices) -> [usize; 2] {
    [indices.root, indices.len].map(|index| {
        let at = (&raw const *tree).cast::<usize>().wrapping_add(index);
        // SAFETY: the word lies inside `*tree`, which is borrowed and aligned to words. If std is
        // known, the root and the length are always initialised. Otherwise `READS_PADDING` is true,
        // as `find_word_indices` checked `READS_STD`, and any bytes may be read.
        unsafe { word_at(at) }
    })
}

fn known_word_indices() -> Option<WordIndices> {
    static INDICES: Observed<Option<WordIndices>> = Observed::new();
    INDICES.get_or_init(find_word_indices)
}

/// Each further type of entry adds a hundred functions of std to every program, so the tests try
/// more types than a process does.
fn find_word_indices() -> Option<WordIndices> {
    // This check precedes any read, because the words of a map may be padding if it fails.
    if !READS_STD {
        return None;
    }
    let indices = indices_in_map(1_u8, [0_u8; 3])?;
    let others = [indices_in_map(1_u64, 1_u32), indices_in_map(1_u128, ())];
    let all_agree = others.iter().all(|&other| other == Some(indices));
    (all_agree && emptied_map_keeps_leaf(indices)).then_some(indices)
}

/// Returns `None` unless the leaf starts where the entry implies.
fn indices_in_map<K: Ord, V>(key: K, value: V) -> Option<WordIndices> {
    // `BTreeMap::from` would add a sort to every program.
    let mut map = BTreeMap::new();
    map.insert(key, value);
    let node = map.first_key_value().filter(|&entry| is_in_leaf(entry))?.0;
    indices_in(&map, node_of_first::<K, V>(node))
}

/// Returns the indices in a tree of one entry, whose only leaf is `node`.
fn indices_in<M>(tree: &M, node: usize) -> Option<WordIndices> {
    // SAFETY: nothing changes the borrowed tree. If std is known, all words of a map with a root
    // are initialised. Otherwise `READS_PADDING` is true, as `find_word_indices` checked
    // `READS_STD`, and any bytes may be read.
    let words: [usize; WORDS] = unsafe { words_of(tree)? };
    Some(WordIndices { root: index_of(&words, node)?, len: index_of(&words, 1)? })
}

/// Returns whether a map keeps its leaf when its only entry is removed, and has none after `clear`.
fn emptied_map_keeps_leaf(indices: WordIndices) -> bool {
    let mut map = BTreeMap::new();
    map.insert(1_u64, 1_u32);
    // SAFETY: the map has three words, as the indices were found in one of this type.
    let words = |map: &BTreeMap<u64, u32>| unsafe { root_and_len(map, indices) };
    let [leaf, len] = words(&map);
    let popped = map.pop_first();
    let emptied = words(&map);
    map.clear();
    len == 1 && popped.is_some() && emptied == [leaf, 0] && words(&map) == [0, 0]
}

/// Returns whether trees of one leaf and of three nodes have the described layout.
fn observe() -> bool {
    known_word_indices().is_some_and(|indices| {
        // These leaves have no spare byte, so another field would make them larger.
        nodes_match_layout(indices, 0, |number| (number, [number; 3]))
            && nodes_match_layout(indices, 0, |number| (u64::from(number), u32::from(number)))
    })
}

/// Returns whether the nodes of a tree of two leaves match the description: the positions of the
/// entries, and of the root's edges, which are `shift` bytes later.
fn nodes_match_layout<K: Ord, V>(
    indices: WordIndices,
    shift: usize,
    entry: impl Fn(u8) -> (K, V),
) -> bool {
    let mut map = BTreeMap::new();
    for (key, value) in (0..=CAPACITY as u8).map(entry) {
        map.insert(key, value);
    }
    let root = (&raw const map).cast::<usize>().wrapping_add(indices.root);
    // SAFETY: the word is inside the map, at the index of the root.
    let root = unsafe { pointer_at(root) };
    // This check precedes any read in the root: it has an entry, and is not the first leaf.
    let begins_root = |key: &K| node_of_first::<K, V>(key) == root.addr();
    if !map.keys().skip(1).any(begins_root) {
        return false;
    }
    let edges = offset_of!(InnerNode<K, V>, edges) + shift;
    // SAFETY: the root has edges, after its entries or elsewhere.
    let first = unsafe { word_at(root.wrapping_byte_add(edges)) };
    if map.keys().next().map(node_of_first::<K, V>) != Some(first) {
        return false;
    }
    // SAFETY: the root has an entry, so an edge follows the one that was found.
    let last = unsafe { word_at(root.wrapping_byte_add(edges + WORD)) };
    let is_at = |(key, value): (&K, &V), node: usize, slot: usize| {
        let keys = node.wrapping_add(offset_of!(LeafNode<K, V>, keys));
        let values = node.wrapping_add(offset_of!(LeafNode<K, V>, values));
        (&raw const *key).addr() == keys.wrapping_add(slot * size_of::<K>())
            && (&raw const *value).addr() == values.wrapping_add(slot * size_of::<V>())
    };
    // In order: the entries of a leaf, the root's only entry, and those of the other leaf.
    let (mut leaf, mut slot) = (first, 0);
    map.iter().all(|entry| {
        if leaf != last && is_at(entry, root.addr(), 0) {
            (leaf, slot) = (last, 0);
            return true;
        }
        slot += 1;
        is_at(entry, leaf, slot - 1)
    })
}

/// The number of keys that a node can hold. Every node except the root has at least `MIN_LEN` keys.
const CAPACITY: usize = 11;
const MIN_LEN: usize = 5;
/// A tree of at most this many keys is a single leaf, because two leaves need a key above them.
const MAX_SINGLE_LEAF_LEN: usize = 2 * MIN_LEN;
/// The maximum number of levels counted. A tree with more levels would hold more than 6^24 keys.
const MAX_LEVELS: usize = 24;

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct NodeCount {
    pub(crate) leaves: usize,
    pub(crate) inner: usize,
}

impl NodeCount {
    /// Returns the nodes of a typical tree of `len` keys, with leaves that are two thirds full.
    pub(crate) fn estimate(len: usize) -> Self {
        let leaves = len.div_ceil(8);
        Self { leaves, inner: leaves.saturating_sub(1).div_ceil(7) }
    }

    /// Returns the nodes of a tree that was built from `len` keys in order. Every node is full,
    /// except the last ones. Between two neighbouring nodes at one height, there is one key of a
    /// higher level.
    fn compact(len: usize) -> Self {
        let leaves = if len == 0 { 0 } else { (len + 1).div_ceil(CAPACITY + 1) };
        let (mut inner, mut below) = (0, leaves);
        while below > 1 {
            below = below.div_ceil(CAPACITY + 1);
            inner += below;
        }
        Self { leaves, inner }
    }

    /// Returns the minimum number of leaves that hold `len` keys. Inner nodes are not counted.
    fn minimum(len: usize) -> Self {
        Self { leaves: len.div_ceil(CAPACITY), inner: 0 }
    }
}

/// A census in progress. It records the addresses of all keys in order.
#[derive(Debug)]
struct Census {
    key_size: usize,
    /// The address that the next key of the current leaf would have; 0 if the next key starts a
    /// leaf.
    next_in_leaf: usize,
    leaf_len: usize,
    shortest_leaf: usize,
    leaves: usize,
    too_high: bool,
    levels: [Level; MAX_LEVELS],
}

/// The inner nodes at one height above the leaves.
#[derive(Clone, Copy, Debug)]
struct Level {
    /// The address that the next key of the current node would have; 0 if there is no current node.
    next: usize,
    len: usize,
    /// The number of keys of the shortest completed node.
    shortest: usize,
    keys: usize,
    nodes: usize,
}

impl Level {
    const NONE: Self = Self { next: 0, len: 0, shortest: usize::MAX, keys: 0, nodes: 0 };

    fn end_node(&mut self) {
        self.shortest = self.shortest.min(self.len);
        self.next = 0;
    }
}

impl Census {
    fn new(key_size: usize) -> Self {
        Self {
            key_size,
            next_in_leaf: 0,
            leaf_len: 0,
            shortest_leaf: usize::MAX,
            leaves: 0,
            too_high: false,
            levels: [Level::NONE; MAX_LEVELS],
        }
    }

    #[inline]
    fn add_key(&mut self, address: usize) {
        if self.next_in_leaf == address && self.leaf_len < CAPACITY {
            self.leaf_len += 1;
            self.next_in_leaf = address + self.key_size;
        } else if self.next_in_leaf == 0 {
            self.leaves += 1;
            self.leaf_len = 1;
            self.next_in_leaf = address + self.key_size;
        } else {
            self.add_inner_key(address);
        }
    }

    fn add_inner_key(&mut self, address: usize) {
        self.end_leaf();
        for level in &mut self.levels {
            // A full node cannot hold another key, even if one follows it in memory.
            let known = level.next == address && level.len < CAPACITY;
            if known || level.next == 0 {
                level.keys += 1;
                level.nodes += usize::from(!known);
                level.len = if known { level.len + 1 } else { 1 };
                level.next = address + self.key_size;
                return;
            }
            // The key that was added last ended the level's current node. The next key at this
            // height starts another node.
            level.end_node();
        }
        self.too_high = true;
    }

    fn end_leaf(&mut self) {
        self.shortest_leaf = self.shortest_leaf.min(self.leaf_len);
        self.leaf_len = 0;
        self.next_in_leaf = 0;
    }

    /// Returns the nodes if the addresses are those of a B-tree. In a B-tree every node has a
    /// permitted number of keys, and every node except the root is the child of another.
    fn finish(mut self) -> Option<NodeCount> {
        // Zero-sized keys all have one address, which reveals nothing.
        if self.next_in_leaf == 0 || self.key_size == 0 || self.too_high {
            return None;
        }
        self.end_leaf();
        let mut below = self.leaves;
        let mut inner = 0;
        for level in self.levels.iter_mut().take_while(|level| level.nodes > 0) {
            level.end_node();
            let is_only = level.nodes == 1;
            if level.keys + level.nodes != below || (!is_only && level.shortest < MIN_LEN) {
                return None;
            }
            below = level.nodes;
            inner += level.nodes;
        }
        let is_only = self.leaves == 1;
        (below == 1 && (is_only || self.shortest_leaf >= MIN_LEN))
            .then_some(NodeCount { leaves: self.leaves, inner })
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod census_tests;

#[cfg(test)]
mod key_tests;
