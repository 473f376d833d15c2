//! ordermap 1: maps and sets of indexmap whose comparison includes the order of the entries.

use super::indexmap2::{RawMap, words_beside};
use ordermap::{OrderMap, OrderSet};

/// Reads a map.
pub(crate) fn raw_map<K, V, S>(map: &OrderMap<K, V, S>) -> RawMap {
    // SAFETY: a map changes only through a unique reference.
    let words = unsafe { words_beside(map, map.hasher()) };
    RawMap::new(words, map.len(), map.capacity(), map.as_slice())
}

/// Reads a set.
pub(crate) fn raw_set<T, S>(set: &OrderSet<T, S>) -> RawMap {
    // SAFETY: as for a map.
    let words = unsafe { words_beside(set, set.hasher()) };
    RawMap::new(words, set.len(), set.capacity(), set.as_slice())
}
