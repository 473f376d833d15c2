//! ordermap 1: maps and sets of indexmap whose comparison includes the order of the entries.
#![expect(unsafe_code, reason = "a map does not expose both of its capacities")]

use crate::MemoryProfile;
use crate::attributes::add_keyed;
use crate::impls::indexmap2::{RawMap, add_but_values, words_beside};
use crate::impls::parts::{maps, sets};
use crate::impls::std::scalar::mark_opaque;
use crate::walk::{Keyed, Position, Walk};
use core::fmt::Display;
use ordermap::{OrderMap, OrderSet};

maps! { [K, V, S] OrderMap<K, V, S>: add_map; }

/// Names the entries that sort first, like an `IndexMap`.
impl<K: MemoryProfile + Display, V: MemoryProfile, S> Keyed for OrderMap<K, V, S> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        add_keyed(self, self.iter(), |walk, at| add_map(self, true, walk, at), cap, walk, at);
    }
}

sets! { [T, S] OrderSet<T, S>: add_set; }

fn add_map<K, V, S>(map: &OrderMap<K, V, S>, _: bool, walk: &mut Walk<'_>, at: Position) {
    add_but_values::<K, V>(&raw_map(map), walk, at);
    mark_opaque(map.hasher(), walk, at);
}

fn add_set<T, S>(set: &OrderSet<T, S>, _: bool, walk: &mut Walk<'_>, at: Position) {
    add_but_values::<T, ()>(&raw_set(set), walk, at);
    mark_opaque(set.hasher(), walk, at);
}

fn raw_map<K, V, S>(map: &OrderMap<K, V, S>) -> RawMap {
    // SAFETY: a map changes only through a unique reference.
    let words = unsafe { words_beside(map, map.hasher()) };
    RawMap::new(words, map.len(), map.capacity(), map.as_slice())
}

fn raw_set<T, S>(set: &OrderSet<T, S>) -> RawMap {
    // SAFETY: as for a map.
    let words = unsafe { words_beside(set, set.hasher()) };
    RawMap::new(words, set.len(), set.capacity(), set.as_slice())
}
