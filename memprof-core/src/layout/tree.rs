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

/// The layout of the nodes of `BTreeMap` and `BTreeSet`.
pub(super) static CERTIFICATE: Certificate = Certificate::new(observe);

/// Returns whether nodes have the described layout.
pub(crate) fn nodes_are_known() -> bool {
    CERTIFICATE.holds()
}

/// Returns whether the distance from the first key to the first value of a tree is that of the
/// described node.
pub(crate) fn stands_in_leaf<K, V>((key, value): (&K, &V)) -> bool {
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

/// Like [`leaf_of_emptied_map`], for a set.
pub(crate) fn leaf_of_emptied_set<T>(set: &BTreeSet<T>) -> Option<usize> {
    // SAFETY: it is a set of std, which is a map.
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

/// Like [`leaf_of_emptied_map`], for an object of `serde_json`. The object is either a `BTreeMap`
/// and nothing else, or not three words long.
#[cfg(feature = "serde_json1")]
pub(crate) fn leaf_of_emptied_json_object(
    object: &serde_json::Map<String, serde_json::Value>,
) -> Option<usize> {
    // SAFETY: an object with the size of a map is a map; otherwise nothing is read.
    unsafe { leaf_of_emptied(object) }
}

/// # Safety
/// `tree` is a map or a set of std, or has another size than those.
unsafe fn leaf_of_emptied<M>(tree: &M) -> Option<usize> {
    if size_of::<M>() != WORDS * WORD || align_of::<M>() != align_of::<usize>() {
        return None;
    }
    // SAFETY: the size was checked, and the caller guarantees that a value of this size is a map or
    // a set.
    let [root, len] = unsafe { root_and_len(tree, known_places()?) };
    let plausible = root == 0 || (root >= LOWEST_ADDRESS && root % WORD == 0);
    (len == 0 && plausible).then_some(root)
}

/// The number of words of a map: root, height and length.
const WORDS: usize = 3;

/// The places of a map's root and length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) root: usize,
    pub(super) len: usize,
}

/// Reads the root and the length. The height is not read, because it is not initialised without a
/// root.
///
/// # Safety
/// `tree` is a map or a set of std of three words, and `places` are its places.
unsafe fn root_and_len<M>(tree: &M, places: Places) -> [usize; 2] {
    [places.root, places.len].map(|place| {
        let at = (&raw const *tree).cast::<usize>().wrapping_add(place);
        // SAFETY: the word lies inside `*tree`, which is borrowed and aligned to words. If std is
        // known, the root and the length are always initialised. Otherwise `READS_PADDING` is true, as
        // `find_places` checked `READS_STD`, and any bytes may be read.
        unsafe { word_at(at) }
    })
}

/// Returns the places, found once.
fn known_places() -> Option<Places> {
    /// 0 before the search, otherwise 1 plus the code of the places.
    static CODE: AtomicU8 = AtomicU8::new(0);
    const NONE: u8 = u8::MAX;
    let code = |places: Places| (places.root * WORDS + places.len) as u8;
    #[cfg(test)]
    if super::falsified::is_falsified() {
        return find_places().map(super::falsified::places);
    }
    let known = CODE.load(Ordering::Relaxed);
    if known == 0 {
        let found = find_places();
        CODE.store(found.map_or(NONE, |places| code(places) + 1), Ordering::Relaxed);
        return found;
    }
    let code = usize::from(known - 1);
    (known != NONE).then_some(Places { root: code / WORDS, len: code % WORDS })
}

/// Returns the places, if trees of entries of several sizes and alignments all have the same ones.
fn find_places() -> Option<Places> {
    // Before any read: the words of a map may be padding if this is false.
    if !READS_STD {
        return None;
    }
    let places = places_in_map(1_u8, 2_u8)?;
    let others = [
        places_in_map(1_u16, [0_u8; 3]),
        places_in_map(1_u64, 1_u64),
        places_in_map(1_u8, 1_u128),
        places_in_map(1_u128, ()),
        places_in_map((), 1_u32),
        places_in_set(1_u8),
        places_in_set(1_u64),
    ];
    others.iter().all(|&other| other == Some(places)).then_some(places)
}

/// Returns the places in a map with one entry. They count only if the node starts where the entry
/// implies, and if the map keeps that leaf when the entry is removed.
fn places_in_map<K: Ord, V>(key: K, value: V) -> Option<Places> {
    let mut map = BTreeMap::from([(key, value)]);
    let node = map.first_key_value().filter(|&entry| stands_in_leaf(entry))?.0;
    let node = node_of_first::<K, V>(node);
    places_in(&mut map, node, BTreeMap::clear, |map| map.pop_first().is_some())
}

/// Like [`places_in_map`], for a set.
fn places_in_set<T: Ord>(value: T) -> Option<Places> {
    let mut set = BTreeSet::from([value]);
    let node = node_of_first::<T, ()>(set.first()?);
    places_in(&mut set, node, BTreeSet::clear, |set| set.pop_first().is_some())
}

/// Returns the places in a tree with a single leaf, `node`.
fn places_in<M>(
    tree: &mut M,
    node: usize,
    clear: impl FnOnce(&mut M),
    pop: impl FnOnce(&mut M) -> bool,
) -> Option<Places> {
    #[cfg(test)]
    let node = super::falsified::node(node);
    // SAFETY: the caller has the only reference. If std is known, all words of a map with a root
    // are initialised. Otherwise `READS_PADDING` is true, as `find_places` checked `READS_STD`, and
    // any bytes may be read.
    let words: [usize; WORDS] = unsafe { words_of(tree)? };
    let sole_place = |wanted: usize| {
        let mut places = (0..WORDS).filter(|&place| words[place] == wanted);
        places.next().filter(|_| places.next().is_none())
    };
    let places = Places { root: sole_place(node)?, len: sole_place(1)? };
    let popped = pop(tree);
    // SAFETY: the map has three words, as `words_of` checked.
    let emptied = unsafe { root_and_len(tree, places) };
    clear(tree);
    // SAFETY: as above.
    let cleared = unsafe { root_and_len(tree, places) };
    (popped && emptied[1] == 0 && emptied[0] == words[places.root] && cleared == [0, 0])
        .then_some(places)
}

/// Observes trees of one leaf and of thirteen nodes.
fn observe() -> bool {
    known_places().is_some_and(|places| {
        // These leaves have no spare byte, so another field would make them larger.
        are_nodes_as_described(places, |number| (number, [number; 3]))
            && are_nodes_as_described(places, |number| (u64::from(number), u32::from(number)))
    })
}

/// Returns whether a tree of full nodes has its entries, and the edges of its root, where the
/// described nodes have them.
fn are_nodes_as_described<K: Ord, V>(places: Places, entry: impl Fn(u8) -> (K, V)) -> bool {
    const FULL: u8 = (CAPACITY * (CAPACITY + 2)) as u8;
    let map: BTreeMap<K, V> = (0..FULL).map(entry).collect();
    let root = (&raw const map).cast::<usize>().wrapping_add(places.root);
    // SAFETY: the word is inside the map, at the place of the root.
    let root = unsafe { pointer_at(root) };
    // This check comes before anything is read there: the first key after the first leaf must be
    // the root's.
    let root_key = map.keys().nth(CAPACITY).map(node_of_first::<K, V>);
    if root_key != Some(root.addr()) {
        return false;
    }
    let edges = offset_of!(InnerNode<K, V>, edges);
    #[cfg(test)]
    let edges = super::falsified::edges(edges);
    let mut leaf = 0;
    map.iter().enumerate().all(|(index, (key, value))| {
        let (child, place) = (index / (CAPACITY + 1), index % (CAPACITY + 1));
        if place == 0 {
            leaf = node_of_first::<K, V>(key);
            // SAFETY: the root has an entry, so it has edges, after its entries or elsewhere. At
            // least `child` of them were found at the described place, and the root has one more.
            let edge = unsafe { word_at(root.wrapping_byte_add(edges + child * WORD)) };
            if edge != leaf {
                return false;
            }
        }
        let (node, place) = if place == CAPACITY { (root.addr(), child) } else { (leaf, place) };
        let keys = node + offset_of!(LeafNode<K, V>, keys);
        let values = node + offset_of!(LeafNode<K, V>, values);
        (&raw const *key).addr() == keys + place * size_of::<K>()
            && (&raw const *value).addr() == values + place * size_of::<V>()
    })
}

#[cfg(test)]
mod tests;
