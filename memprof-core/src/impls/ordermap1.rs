//! ordermap 1: maps and sets of indexmap whose comparison includes the order of the entries.

use crate::MemoryProfile;
use crate::attributes::add_keyed_parts;
use crate::impls::maps::{maps, sets};
use crate::impls::ordered::add_but_values;
use crate::impls::std::scalar::mark_opaque;
use crate::layout::ordermap1::{raw_map, raw_set};
use crate::walk::{Keyed, Position, Walk};
use core::fmt::Display;
use ordermap::{OrderMap, OrderSet};

maps! { [K, V, S] OrderMap<K, V, S>: add_map; }

/// Names the entries that sort first, like an `IndexMap`.
impl<K: MemoryProfile + Display, V: MemoryProfile, S> Keyed for OrderMap<K, V, S> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        add_keyed_parts(self, cap, walk, at);
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
