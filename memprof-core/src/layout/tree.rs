//! `BTreeMap` and `BTreeSet`: the layout of nodes with eleven entries, and of the map's words.
//!
//! ```text
//!  map: root ──► | leaf: parent, keys, values, index, length | edges … |    inner node
//!                                                              └──► leaf, twelve times
//! ```

use super::certificate::Certificate;
use super::tree_census::CAPACITY;
use super::word::{LOWEST_ADDRESS, READS_STD, WORD, pointer_at, word_at, words_of};
use core::mem::{MaybeUninit, offset_of};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU8, Ordering};

/// A copy of the definition of std's leaf node, which the compiler lays out the same way.
struct LeafNode<K, V> {
    _parent: *const (),
    _parent_index: u16,
    _len: u16,
    keys: [MaybeUninit<K>; CAPACITY],
    values: [MaybeUninit<V>; CAPACITY],
}

/// A copy of the definition of std's inner node.
#[repr(C)]
struct InnerNode<K, V> {
    _entries: LeafNode<K, V>,
    edges: [*const (); CAPACITY + 1],
}

/// Returns the bytes of a leaf.
pub(crate) const fn leaf_size<K, V>() -> usize {
    size_of::<LeafNode<K, V>>()
}

/// Returns the bytes of an inner node.
pub(crate) const fn inner_size<K, V>() -> usize {
    size_of::<InnerNode<K, V>>()
}

/// The certificate of the nodes of `BTreeMap` and `BTreeSet`.
pub(super) static CERTIFICATE: Certificate = Certificate::new(observe);

/// Returns whether nodes have the described layout.
pub(crate) fn nodes_are_known() -> bool {
    CERTIFICATE.is_certified()
}

/// Returns whether the first value of a tree is as far from the first key as in the described node.
pub(crate) fn is_in_leaf<K, V>((key, value): (&K, &V)) -> bool {
    let found = (&raw const *value).addr().wrapping_sub((&raw const *key).addr());
    let keys = offset_of!(LeafNode<K, V>, keys);
    found == offset_of!(LeafNode<K, V>, values).wrapping_sub(keys)
}

/// Returns the start of the node whose first key is `key`.
pub(crate) fn node_of_first<K, V>(key: &K) -> usize {
    (&raw const *key).addr().wrapping_sub(offset_of!(LeafNode<K, V>, keys))
}

/// Returns the address of the leaf that a map without entries still keeps, or 0 if it keeps none.
///
/// Returns `None` if the words are not those of an empty map.
pub(crate) fn leaf_of_emptied_map<K, V>(map: &BTreeMap<K, V>) -> Option<usize> {
    // SAFETY: it is a map of std.
    unsafe { leaf_of_emptied(map) }
}

/// Returns the address of an empty set's leaf, like [`leaf_of_emptied_map`].
pub(crate) fn leaf_of_emptied_set<T>(set: &BTreeSet<T>) -> Option<usize> {
    // SAFETY: it is a set of std, whose only field is a map.
    unsafe { leaf_of_emptied(set) }
}

/// Returns whether objects of `serde_json` are B-trees, not insertion-ordered maps.
///
/// Any crate of a build can turn on `preserve_order`. The two forms differ in size.
#[cfg(feature = "serde_json1")]
pub(crate) const fn json_objects_are_trees() -> bool {
    type Object = serde_json::Map<String, serde_json::Value>;
    size_of::<Object>() == size_of::<BTreeMap<String, serde_json::Value>>()
}

/// Returns the address of an empty `serde_json` object's leaf, like [`leaf_of_emptied_map`]. The
/// object is either a `BTreeMap` and nothing else, or not three words long.
#[cfg(feature = "serde_json1")]
pub(crate) fn leaf_of_emptied_json_object(
    object: &serde_json::Map<String, serde_json::Value>,
) -> Option<usize> {
    // SAFETY: an object with the size of a map is a map; otherwise nothing is read.
    unsafe { leaf_of_emptied(object) }
}

/// # Safety
/// `tree` is a map or a set of std, or a value of another size.
unsafe fn leaf_of_emptied<M>(tree: &M) -> Option<usize> {
    if size_of::<M>() != WORDS * WORD || align_of::<M>() != align_of::<usize>() {
        return None;
    }
    // SAFETY: the size was checked, and the caller guarantees that a value of this size is a map or
    // a set.
    leaf_in(unsafe { root_and_len(tree, known_word_indices()?) })
}

/// Returns the root if these are the root and the length of a tree without entries.
fn leaf_in([root, len]: [usize; 2]) -> Option<usize> {
    let plausible = root == 0 || (root >= LOWEST_ADDRESS && root % WORD == 0);
    (len == 0 && plausible).then_some(root)
}

/// The number of words of a map: root, height and length.
const WORDS: usize = 3;

/// The indices of the words with a map's root and length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WordIndices {
    pub(super) root: usize,
    pub(super) len: usize,
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

/// Returns the indices, found once.
fn known_word_indices() -> Option<WordIndices> {
    /// 0 before the search, 1 plus the code of the indices if they were found, otherwise `NONE`.
    static CODE: AtomicU8 = AtomicU8::new(0);
    const NONE: u8 = u8::MAX;
    let code = |indices: WordIndices| (indices.root * WORDS + indices.len) as u8;
    let known = CODE.load(Ordering::Relaxed);
    if known == 0 {
        let found = find_word_indices();
        CODE.store(found.map_or(NONE, |indices| code(indices) + 1), Ordering::Relaxed);
        return found;
    }
    let code = usize::from(known - 1);
    (known != NONE).then_some(WordIndices { root: code / WORDS, len: code % WORDS })
}

/// Returns the indices, if trees of entries of several sizes and alignments all have the same
/// indices. Each further type adds a hundred functions of std to every program, so the tests try more
/// types than a process does.
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

/// Returns the indices in a map with one entry. Returns `None` unless the leaf starts where the
/// entry implies.
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
    let unique_index = |wanted: usize| {
        let mut indices = (0..WORDS).filter(|&index| words[index] == wanted);
        indices.next().filter(|_| indices.next().is_none())
    };
    Some(WordIndices { root: unique_index(node)?, len: unique_index(1)? })
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
    let edges = [0, 1].map(|child| {
        // SAFETY: the root has an entry, so it has two edges, after its entries or elsewhere.
        unsafe { word_at(root.wrapping_byte_add(edges + child * WORD)) }
    });
    let is_at = |(key, value): (&K, &V), node: usize, slot: usize| {
        let keys = node.wrapping_add(offset_of!(LeafNode<K, V>, keys));
        let values = node.wrapping_add(offset_of!(LeafNode<K, V>, values));
        (&raw const *key).addr() == keys.wrapping_add(slot * size_of::<K>())
            && (&raw const *value).addr() == values.wrapping_add(slot * size_of::<V>())
    };
    // In order: the entries of a leaf, the root's only entry, and those of the other leaf.
    let (mut leaf, mut slot) = (edges[0], 0);
    map.iter().all(|entry| {
        if leaf != edges[1] && is_at(entry, root.addr(), 0) {
            (leaf, slot) = (edges[1], 0);
            return true;
        }
        slot += 1;
        is_at(entry, leaf, slot - 1)
    })
}

#[cfg(test)]
mod tests;
