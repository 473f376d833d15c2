//! indexmap 2: a vector of hashes, keys and values, and a hash table of indices into it.
//!
//! The public capacity is the smaller one of the capacities of the vector and the table. So both
//! capacities are read from the map's own words and compared with the public figures.

use crate::MemoryProfile;
use crate::attributes::add_keyed_parts;
use crate::impls::maps::{maps, sets};
use crate::impls::ordered::add_but_values;
use crate::impls::std::scalar::mark_opaque;
use crate::layout::indexmap2::RawMap;
use crate::walk::{Keyed, Position, Walk};
use core::fmt::Display;
use indexmap::{IndexMap, IndexSet};

maps! { [K, V, S] IndexMap<K, V, S>: add_map; }

/// Names the entries that sort first instead of those inserted first, because maps that differ only
/// in order are equal.
impl<K: MemoryProfile + Display, V: MemoryProfile, S> Keyed for IndexMap<K, V, S> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        add_keyed_parts(self, cap, walk, at);
    }
}

sets! { [T, S] IndexSet<T, S>: add_set; }

fn add_map<K, V, S>(map: &IndexMap<K, V, S>, _: bool, walk: &mut Walk<'_>, at: Position) {
    add_but_values::<K, V>(&RawMap::of_map(map), walk, at);
    mark_opaque(map.hasher(), walk, at);
}

fn add_set<T, S>(set: &IndexSet<T, S>, _: bool, walk: &mut Walk<'_>, at: Position) {
    add_but_values::<T, ()>(&RawMap::of_set(set), walk, at);
    mark_opaque(set.hasher(), walk, at);
}
