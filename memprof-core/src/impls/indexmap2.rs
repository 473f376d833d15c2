//! indexmap 2: a vector of hashes, keys and values, and a hash table of indices into it.
//!
//! The public capacity is the smaller one of the capacities of the vector and the table. So both
//! capacities are read from the map's own words and compared with the public figures.

use crate::MemoryProfile;
use crate::attributes::add_keyed_parts;
use crate::impls::ordered::add_but_values;
use crate::impls::parts::{MapParts, SetParts, add_parts, add_set};
use crate::impls::std::scalar::mark_opaque;
use crate::layout::indexmap2::RawMap;
use crate::walk::{Keyed, Position, Walk};
use core::fmt::Display;
use indexmap::{IndexMap, IndexSet};

impl<K: MemoryProfile, V: MemoryProfile, S> MemoryProfile for IndexMap<K, V, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_parts(self, walk, at);
    }
}

impl<K, V, S> MapParts for IndexMap<K, V, S> {
    type Key = K;
    type Value = V;

    fn entry_count(&self) -> usize {
        self.len()
    }

    fn entries(&self) -> impl Iterator<Item = (&K, &V)> {
        self.iter()
    }

    fn add_but_entries(&self, _: bool, walk: &mut Walk<'_>, at: Position) {
        add_but_values::<K, V>(&RawMap::of_map(self), walk, at);
        mark_opaque(self.hasher(), walk, at);
    }
}

/// Names the entries that sort first instead of those inserted first, because maps that differ only
/// in order are equal.
impl<K: MemoryProfile + Display, V: MemoryProfile, S> Keyed for IndexMap<K, V, S> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        add_keyed_parts(self, cap, walk, at);
    }
}

impl<T: MemoryProfile, S> MemoryProfile for IndexSet<T, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_set(self, walk, at);
    }
}

impl<T, S> SetParts for IndexSet<T, S> {
    type Value = T;

    fn values(&self) -> impl ExactSizeIterator<Item = &T> {
        self.iter()
    }

    fn add_but_values(&self, _: bool, walk: &mut Walk<'_>, at: Position) {
        add_but_values::<T, ()>(&RawMap::of_set(self), walk, at);
        mark_opaque(self.hasher(), walk, at);
    }
}
