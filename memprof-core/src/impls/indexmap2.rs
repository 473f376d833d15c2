//! indexmap 2: a vector of hashes, keys and values, and a hash table of indices into it.
//!
//! The public capacity is the smaller of the vector's capacity and the table's. So both capacities
//! are read from the map's own words and compared with the public figures.

use crate::MemoryProfile;
use crate::impls::ordered::add_but_values;
use crate::impls::std::entries::{add_pairs, add_values};
use crate::impls::std::opaque::mark_opaque;
use crate::keyed::{add_entries, add_first_names, is_keyed_entry};
use crate::layout::indexmap2::RawMap;
use crate::walk::{Keyed, Position, Walk};
use core::fmt::Display;
use indexmap::{IndexMap, IndexSet};

impl<K: MemoryProfile, V: MemoryProfile, S> MemoryProfile for IndexMap<K, V, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_map_but_entries(self, walk, at);
        add_pairs(self.iter(), self.len(), walk, at);
    }
}

/// Names the entries that sort first instead of those inserted first, because maps that differ only
/// in order are equal.
impl<K: MemoryProfile + Display, V: MemoryProfile, S> Keyed for IndexMap<K, V, S> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        if is_keyed_entry(walk, at) {
            self.owned(walk, at);
            return;
        }
        add_first_names(cap, self.len(), walk, at, |add| self.keys().try_for_each(add));
        add_map_but_entries(self, walk, at);
        add_entries(self.iter(), self.len(), cap, walk, at);
    }
}

/// Adds everything in a map except its keys and values.
fn add_map_but_entries<K, V, S>(map: &IndexMap<K, V, S>, walk: &mut Walk<'_>, at: Position) {
    add_but_values::<K, V>(&RawMap::of_map(map), walk, at);
    mark_opaque(map.hasher(), walk, at);
}

impl<T: MemoryProfile, S> MemoryProfile for IndexSet<T, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_but_values::<T, ()>(&RawMap::of_set(self), walk, at);
        mark_opaque(self.hasher(), walk, at);
        add_values(self.iter(), self.len(), walk, at);
    }
}
