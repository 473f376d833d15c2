//! `BTreeMap` and `BTreeSet`: nodes of eleven entries, and the words that lead to them.
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

/// A twin of std's leaf, which the compiler lays out alike.
struct LeafNode<K, V> {
    _parent: *const (),
    _parent_index: u16,
    _len: u16,
    keys: [MaybeUninit<K>; CAPACITY],
    values: [MaybeUninit<V>; CAPACITY],
}

/// A twin of std's inner node.
#[repr(C)]
struct InnerNode<K, V> {
    _entries: LeafNode<K, V>,
    edges: [*const (); CAPACITY + 1],
}

/// The bytes of a leaf.
pub(crate) const fn leaf_size<K, V>() -> usize {
    size_of::<LeafNode<K, V>>()
}

/// The bytes of an inner node.
pub(crate) const fn inner_size<K, V>() -> usize {
    size_of::<InnerNode<K, V>>()
}

/// The nodes of `BTreeMap` and `BTreeSet`.
pub(super) static CERTIFICATE: Certificate = Certificate::new(observe);

/// Returns whether nodes are as described.
pub(crate) fn nodes_are_known() -> bool {
    CERTIFICATE.holds()
}

/// Returns whether the first key and value of a tree are as far apart as in a node as described.
pub(crate) fn stands_in_leaf<K, V>((key, value): (&K, &V)) -> bool {
    let found = (&raw const *value).addr().wrapping_sub((&raw const *key).addr());
    let keys = offset_of!(LeafNode<K, V>, keys);
    found == offset_of!(LeafNode<K, V>, values).wrapping_sub(keys)
}

/// Returns where the node starts whose first key this is.
pub(crate) fn node_of_first<K, V>(key: &K) -> usize {
    (&raw const *key).addr().wrapping_sub(offset_of!(LeafNode<K, V>, keys))
}

/// Returns where a map without entries still has the leaf that its last entry stood in; 0 if it has
/// none.
///
/// `None` if its words are not those of an empty map.
pub(crate) fn leaf_of_emptied_map<K, V>(map: &BTreeMap<K, V>) -> Option<usize> {
    // SAFETY: it is a map of std.
    unsafe { leaf_of_emptied(map) }
}

/// Like [`leaf_of_emptied_map`], for a set.
pub(crate) fn leaf_of_emptied_set<T>(set: &BTreeSet<T>) -> Option<usize> {
    // SAFETY: it is a set of std, which is a map.
    unsafe { leaf_of_emptied(set) }
}

/// Returns whether objects of `serde_json` are B-trees, not maps in order.
///
/// Any crate of a build can turn `preserve_order` on. The two forms differ in size.
#[cfg(feature = "serde_json1")]
pub(crate) const fn json_objects_are_trees() -> bool {
    type Object = serde_json::Map<String, serde_json::Value>;
    size_of::<Object>() == size_of::<BTreeMap<String, serde_json::Value>>()
}

/// Like [`leaf_of_emptied_map`], for an object of `serde_json`: a map and nothing more, or not three
/// words long.
#[cfg(feature = "serde_json1")]
pub(crate) fn leaf_of_emptied_json_object(
    object: &serde_json::Map<String, serde_json::Value>,
) -> Option<usize> {
    // SAFETY: where it has the size of a map it is one; otherwise nothing is read.
    unsafe { leaf_of_emptied(object) }
}

/// # Safety
/// `tree` is a map or a set of std, or of another size.
unsafe fn leaf_of_emptied<M>(tree: &M) -> Option<usize> {
    if size_of::<M>() != WORDS * WORD || align_of::<M>() != align_of::<usize>() {
        return None;
    }
    // SAFETY: the size was checked, and the caller says what it is.
    let [root, len] = unsafe { root_and_len(tree, known_places()?) };
    let plausible = root == 0 || (root >= LOWEST_ADDRESS && root % WORD == 0);
    (len == 0 && plausible).then_some(root)
}

/// The words of a map: root, its height, length.
const WORDS: usize = 3;

/// Where a map keeps its root and its length.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Places {
    pub(super) root: usize,
    pub(super) len: usize,
}

/// Reads root and length. The height is not read: without a root it is not initialised.
///
/// # Safety
/// `tree` is a map or a set of std of three words, whose places these are.
unsafe fn root_and_len<M>(tree: &M, places: Places) -> [usize; 2] {
    [places.root, places.len].map(|place| {
        let at = (&raw const *tree).cast::<usize>().wrapping_add(place);
        // SAFETY: the word lies inside `*tree`, which is borrowed and aligned to words. Root and
        // length are always initialised, and where they are not what they seem `READS_PADDING`, on
        // which `Places` rest, makes any bytes fit.
        unsafe { word_at(at) }
    })
}

/// Returns the places, found once.
fn known_places() -> Option<Places> {
    /// 0 before they are looked for, else the code of the places and 1.
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

/// Returns the places that trees of entries of several sizes and alignments have in common.
fn find_places() -> Option<Places> {
    let places = places_in_map(1_u8, 2_u8).filter(|_| READS_STD)?;
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

/// Returns the places in a map with one entry whose node starts where the entry says, if that leaf
/// is kept when the entry goes.
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

/// Returns the places in a tree of one leaf, `node`.
fn places_in<M>(
    tree: &mut M,
    node: usize,
    clear: impl FnOnce(&mut M),
    pop: impl FnOnce(&mut M) -> bool,
) -> Option<Places> {
    #[cfg(test)]
    let node = super::falsified::node(node);
    // SAFETY: the caller has the only reference. With a root its words are all initialised, or
    // `READS_PADDING`, on which `READS_STD` rests, makes any bytes fit.
    let words: [usize; WORDS] = unsafe { words_of(tree)? };
    let sole_place = |wanted: usize| {
        let mut places = (0..WORDS).filter(|&place| words[place] == wanted);
        places.next().filter(|_| places.next().is_none())
    };
    let places = Places { root: sole_place(node)?, len: sole_place(1)? };
    let popped = pop(tree);
    // SAFETY: the map is of three words, as `words_of` has found.
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
        // Without a byte to spare in a leaf, so that another field would make it larger.
        are_nodes_as_described(places, |number| (number, [number; 3]))
            && are_nodes_as_described(places, |number| (u64::from(number), u32::from(number)))
    })
}

/// Returns whether a tree of full nodes has its entries and the edges of its root where nodes as
/// described have them.
fn are_nodes_as_described<K: Ord, V>(places: Places, entry: impl Fn(u8) -> (K, V)) -> bool {
    const FULL: u8 = (CAPACITY * (CAPACITY + 2)) as u8;
    let map: BTreeMap<K, V> = (0..FULL).map(entry).collect();
    let root = (&raw const map).cast::<usize>().wrapping_add(places.root);
    // SAFETY: the word is inside the map, and the root's place.
    let root = unsafe { pointer_at(root) };
    // Before anything is read there: the first key past the first leaf must be the root's.
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
            // SAFETY: the root has an entry, and so edges, behind its entries or elsewhere: at least
            // `child` of them have been found where they should be, and it has one more.
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
