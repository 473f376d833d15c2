//! The only unsafe code of the crate: reading words that std and a few other crates keep private, but
//! have initialised.
//!
//! What is read is never believed as it is: callers check it against what std says of the same
//! value in public, and mark the leaf as estimated where that fails. `docs/unsafe.md` has the list.
#![expect(unsafe_code, reason = "std has no public way to ask for these facts")]

use core::cell::UnsafeCell;
use core::mem::ManuallyDrop;
use core::pin::Pin;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::OnceLock;

/// The words of a hash table beside its hasher: mask, control pointer, values, room left; in the
/// order that the compiler chose.
pub(crate) type TableWords = [usize; 4];

const WORD: usize = size_of::<usize>();

/// Below the first page nothing is ever allocated.
pub(crate) const LOWEST_ADDRESS: usize = 4096;

/// The words of a `HashMap` or `HashSet` that are not its hasher's.
///
/// `None` where the map is not exactly four words and a hasher.
pub(crate) fn table_words<M, S>(map: &M, hasher: &S) -> Option<TableWords> {
    #[cfg_attr(not(test), expect(unused_mut, reason = "tests falsify the words"))]
    let mut words = words_beside(map, hasher)?;
    #[cfg(test)]
    falsified::words(&mut words);
    Some(words)
}

/// The words of an `IndexMap` beside its hasher: those of a table and of a vector, in the order that
/// the compiler chose.
#[cfg(feature = "indexmap2")]
pub(crate) type IndexWords = [usize; 7];

/// The words of an `IndexMap` or `IndexSet` that are not its hasher's.
///
/// `None` where the map is not exactly seven words and a hasher.
#[cfg(feature = "indexmap2")]
pub(crate) fn index_words<M, S>(map: &M, hasher: &S) -> Option<IndexWords> {
    words_beside(map, hasher)
}

/// The words of a map that are not its hasher's, if there are `N` of them, side by side.
///
/// Only for maps that are made of tables and vectors, and a hasher.
fn words_beside<const N: usize, M, S>(map: &M, hasher: &S) -> Option<[usize; N]> {
    let hasher_size = size_of::<S>().next_multiple_of(WORD);
    if size_of::<M>() != N * WORD + hasher_size || align_of::<M>() != align_of::<usize>() {
        return None;
    }
    let start = (&raw const *map).addr();
    let hasher_at = (&raw const *hasher).addr().wrapping_sub(start) / WORD;
    let hasher_words = match size_of::<S>() {
        0 => 0..0,
        _ => hasher_at..hasher_at.checked_add(hasher_size / WORD)?,
    };
    // Before the table or after it, so that the table's words follow each other.
    if hasher_words.start != 0 && hasher_words.start != N {
        return None;
    }
    let first = (&raw const *map).cast::<usize>();
    let places = (0..size_of::<M>() / WORD).filter(|place| !hasher_words.contains(place));
    let mut words = [0; N];
    for (word, place) in words.iter_mut().zip(places) {
        let at = first.wrapping_add(place);
        // SAFETY: the word lies inside `*map`, which is borrowed and aligned to words. It is not
        // the hasher's, which takes up the only other words. The four words of a table, a pointer
        // and three integers, and the three of a vector, a pointer and two integers, have no
        // padding and are initialised in every map.
        *word = unsafe { at.read() };
    }
    Some(words)
}

/// Where a `BTreeMap` without entries still has the leaf that its last entry stood in; 0 if it has
/// none.
///
/// `None` where its words are not those of an empty map.
pub(crate) fn leaf_of_emptied_btree_map<K, V>(map: &BTreeMap<K, V>) -> Option<usize> {
    leaf_of_empty_tree(map)
}

/// Like [`leaf_of_emptied_btree_map`], for a set.
pub(crate) fn leaf_of_emptied_btree_set<T>(set: &BTreeSet<T>) -> Option<usize> {
    leaf_of_empty_tree(set)
}

/// Like [`leaf_of_emptied_btree_map`], for an object of `serde_json`: a B-tree and nothing more,
/// or else not three words long.
#[cfg(feature = "serde_json1")]
pub(crate) fn leaf_of_emptied_json_object(
    object: &serde_json::Map<String, serde_json::Value>,
) -> Option<usize> {
    leaf_of_empty_tree(object)
}

/// Where a `BTreeMap` keeps its words.
#[derive(Clone, Copy, Debug)]
struct TreeLayout {
    root: usize,
    height: usize,
    len: usize,
}

/// The layout of B-trees, found once on a map that is known to hold one entry.
fn tree_layout() -> Option<TreeLayout> {
    static LAYOUT: OnceLock<Option<TreeLayout>> = OnceLock::new();
    let layout = *LAYOUT.get_or_init(|| {
        if size_of::<BTreeMap<u64, u64>>() != 3 * WORD {
            return None;
        }
        let map = BTreeMap::from([(0_u64, 0_u64)]);
        let first = (&raw const map).cast::<usize>();
        let mut words = [0; 3];
        for (place, word) in words.iter_mut().enumerate() {
            let at = first.wrapping_add(place);
            // SAFETY: the map is three words long and has a root, so that root, height and length
            // are all initialised.
            *word = unsafe { at.read() };
        }
        tree_layout_from(words)
    });
    #[cfg(test)]
    let layout = falsified::tree_layout(layout);
    layout
}

/// The layout that the words of a map with one entry show, if they show one.
fn tree_layout_from(words: [usize; 3]) -> Option<TreeLayout> {
    let place_of = |wanted: fn(usize) -> bool| {
        let mut places = (0..3).filter(|&place| wanted(words[place]));
        places.next().filter(|_| places.next().is_none())
    };
    Some(TreeLayout {
        root: place_of(|word| word >= LOWEST_ADDRESS)?,
        height: place_of(|word| word == 0)?,
        len: place_of(|word| word == 1)?,
    })
}

fn leaf_of_empty_tree<M>(tree: &M) -> Option<usize> {
    let layout = tree_layout()?;
    if size_of::<M>() != 3 * WORD || align_of::<M>() != align_of::<usize>() {
        return None;
    }
    let first = (&raw const *tree).cast::<usize>();
    let len = first.wrapping_add(layout.len);
    // SAFETY: the word lies inside `*tree`, borrowed and aligned to words. All B-trees have the
    // same three words, whose types don't depend on the entries', so this is the length, always
    // initialised.
    let len = unsafe { len.read() };
    let root = first.wrapping_add(layout.root);
    // SAFETY: as above; this is the root, which is initialised: null when there is none.
    let root = unsafe { root.read() };
    if len != 0 {
        return None;
    }
    if root == 0 {
        return Some(0);
    }
    let height = first.wrapping_add(layout.height);
    // SAFETY: as above; this is the height, which is initialised when there is a root.
    let height = unsafe { height.read() };
    let plausible = height == 0 && root >= LOWEST_ADDRESS && root.is_multiple_of(WORD);
    plausible.then_some(root)
}

/// The table of one shard of a `DashMap`.
#[cfg(feature = "dashmap6")]
pub(crate) type Shard<K, V> = hashbrown_014::raw::RawTable<(K, dashmap::SharedValue<V>)>;

/// The entries of a shard whose lock is held.
#[cfg(feature = "dashmap6")]
pub(crate) fn entries_of_shard<K, V>(shard: &Shard<K, V>) -> impl Iterator<Item = (&K, &V)> {
    // SAFETY: the iterator borrows the table, so that this is neither dropped nor changed before.
    let buckets = unsafe { shard.iter() };
    buckets.map(|bucket| {
        // SAFETY: the iterator yields buckets that are full; the table is borrowed as above, and
        // whoever changes a value holds the shard's lock for writing.
        let (key, value) = unsafe { bucket.as_ref() };
        (key, value.get())
    })
}

/// The four words of a `Bytes` that no other thread sees: address, length, data and kind of view, in the
/// order that the compiler chose.
#[cfg(feature = "bytes1")]
pub(crate) fn words_of_bytes(bytes: &bytes::Bytes) -> Option<[usize; 4]> {
    let whole = size_of::<bytes::Bytes>() == 4 * WORD && align_of::<bytes::Bytes>() == WORD;
    whole.then(|| core::array::from_fn(|place| word_of_bytes(bytes, place)))
}

/// One of the words of a `Bytes` that never change while it is borrowed.
#[cfg(feature = "bytes1")]
pub(crate) fn word_of_bytes(bytes: &bytes::Bytes, place: usize) -> usize {
    assert!(place < size_of::<bytes::Bytes>() / WORD, "the word is inside the value");
    let at = (&raw const *bytes).cast::<usize>().wrapping_add(place);
    // SAFETY: the word lies inside `*bytes`, which is borrowed, aligned to words, and four words
    // that are all initialised: two pointers, an atomic pointer and an integer.
    unsafe { at.read() }
}

/// The word of a `Bytes` that other threads may change, by cloning it for the first time.
#[cfg(feature = "bytes1")]
pub(crate) fn data_of_bytes(bytes: &bytes::Bytes, place: usize) -> usize {
    use core::sync::atomic::{AtomicUsize, Ordering};
    assert!(place < size_of::<bytes::Bytes>() / WORD, "the word is inside the value");
    let at = (&raw const *bytes).cast::<usize>().wrapping_add(place);
    // SAFETY: as above; the word is the atomic one, so that others change it atomically too.
    unsafe { AtomicUsize::from_ptr(at.cast_mut()) }.load(Ordering::Relaxed)
}

/// The four words of a `BytesMut`: address, length, capacity and data.
#[cfg(feature = "bytes1")]
pub(crate) fn words_of_bytes_mut(bytes: &bytes::BytesMut) -> Option<[usize; 4]> {
    let whole = size_of::<bytes::BytesMut>() == 4 * WORD && align_of::<bytes::BytesMut>() == WORD;
    whole.then(|| core::array::from_fn(|place| word_of_bytes_mut(bytes, place)))
}

/// One word of a `BytesMut`.
#[cfg(feature = "bytes1")]
pub(crate) fn word_of_bytes_mut(bytes: &bytes::BytesMut, place: usize) -> usize {
    assert!(place < size_of::<bytes::BytesMut>() / WORD, "the word is inside the value");
    let at = (&raw const *bytes).cast::<usize>().wrapping_add(place);
    // SAFETY: the word lies inside `*bytes`, which is borrowed, aligned to words, and four words
    // that are all initialised; without a unique reference none of them changes.
    unsafe { at.read() }
}

/// The three words of a buffer of arrow: its header's address, its own, and its length.
#[cfg(feature = "arrow60")]
pub(crate) fn words_of_buffer(buffer: &arrow_buffer::Buffer) -> Option<[usize; 3]> {
    type Buffer = arrow_buffer::Buffer;
    if size_of::<Buffer>() != 3 * WORD || align_of::<Buffer>() != WORD {
        return None;
    }
    let first = (&raw const *buffer).cast::<usize>();
    Some(core::array::from_fn(|place| {
        let at = first.wrapping_add(place);
        // SAFETY: the word lies inside `*buffer`, which is borrowed, aligned to words, and three
        // words that are all initialised: an `Arc`, a pointer and an integer.
        unsafe { at.read() }
    }))
}

/// The words of an array: at most three of a buffer, a pointer, and a length and a stride for each of
/// at most six dimensions; the rest is 0.
#[cfg(feature = "ndarray017")]
pub(crate) type ArrayWords = [usize; 16];

/// The words of an array that owns or shares its buffer.
///
/// `None` where its number of dimensions isn't fixed, or where it isn't made of words alone.
#[cfg(feature = "ndarray017")]
pub(crate) fn words_of_array<S: OfWords, D: ndarray::Dimension>(
    array: &ndarray::ArrayBase<S, D>,
) -> Option<ArrayWords> {
    type Whole<S, D> = ndarray::ArrayBase<S, D>;
    let mut words = [0; 16];
    let count = S::WORDS + 1 + 2 * D::NDIM?;
    let whole = size_of::<Whole<S, D>>() == count * WORD && align_of::<Whole<S, D>>() == WORD;
    if !whole || count > words.len() {
        return None;
    }
    let first = (&raw const *array).cast::<usize>();
    for (place, word) in words.iter_mut().enumerate().take(count) {
        let at = first.wrapping_add(place);
        // SAFETY: the word lies inside `*array`, which is borrowed and aligned to words. As many
        // words as the whole is large are known to be initialised: those of the buffer, the pointer
        // to the first element, and the lengths and strides, which are arrays of integers.
        *word = unsafe { at.read() };
    }
    Some(words)
}

/// What an array keeps of its buffer, where that is made of initialised words.
#[cfg(feature = "ndarray017")]
pub(crate) trait OfWords: ndarray::RawData {
    const WORDS: usize;
}

/// A pointer, a length, a capacity.
#[cfg(feature = "ndarray017")]
impl<A> OfWords for ndarray::OwnedRepr<A> {
    const WORDS: usize = 3;
}

/// An `Arc`.
#[cfg(feature = "ndarray017")]
impl<A> OfWords for ndarray::OwnedArcRepr<A> {
    const WORDS: usize = 1;
}

/// The same value, as one that the compiler need not know how to drop.
#[inline]
pub(crate) fn undropped<T>(value: &T) -> &ManuallyDrop<T> {
    // SAFETY: `ManuallyDrop<T>` is a transparent wrapper of `T`, and nothing can be moved out of a
    // shared reference to it.
    unsafe { &*(&raw const *value).cast::<ManuallyDrop<T>>() }
}

/// Asks for the cache line at an address that will be read soon.
#[inline]
pub(crate) fn prefetch(address: usize) {
    #[cfg(all(target_arch = "x86_64", not(miri)))]
    // SAFETY: a prefetch is a hint; the processor ignores it where the address is not readable.
    unsafe {
        use core::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        _mm_prefetch::<_MM_HINT_T0>(core::ptr::without_provenance(address));
    }
    #[cfg(not(all(target_arch = "x86_64", not(miri))))]
    let _ = address;
}

/// Asks for the KiB from an address on: a buffer that will be read, and what was allocated after
/// it, which as a rule is what its values own.
///
/// On a tree of 3 M nodes 1.0 times the hand-written sum, where half as much takes 1.08 and none
/// 1.2; on vectors in random order no slower than none. Not inlined: it is called per vector, and
/// compiled once and not once per type.
#[inline(never)]
pub(crate) fn read_ahead(address: usize) {
    const LINES: usize = 16;
    for line in 0..LINES {
        prefetch(address.wrapping_add(64 * line));
    }
}

/// The size and alignment of the value behind a `Weak` whose value is gone, or `None` if the
/// handle never pointed to memory.
pub(crate) fn layout_behind_weak<T: ?Sized>(value: *const T) -> Option<(usize, usize)> {
    // A handle made by `Weak::new` has the address `usize::MAX`. An allocation never has an odd
    // one plus counts of two words.
    if value.addr() == usize::MAX {
        return None;
    }
    // As a cell, for the thread that gave up the last owning handle may still be dropping the
    // value: a reference to a cell claims nothing about the bytes inside.
    let value = value as *const UnsafeCell<T>;
    // SAFETY: the caller holds a weak handle, so that the allocation is still there and `value`
    // points into it, aligned. Only the pointer's metadata is looked at, never the dropped value.
    let value = unsafe { &*value };
    Some((size_of_val(value), align_of_val(value)))
}

/// The pointer in a `Pin`, to look at.
///
/// Only for pointers of std: those can't move what they point to through a shared reference.
pub(crate) fn unpinned<P>(pin: &Pin<P>) -> &P {
    let pointer = (&raw const *pin).cast::<P>();
    // SAFETY: `Pin` is `repr(transparent)` over its pointer, as std documents, so the reference is
    // to a valid `P`. It is shared, so that the pointee stays where it is.
    unsafe { &*pointer }
}

#[cfg(test)]
pub(crate) mod falsified;
#[cfg(test)]
mod tests;
