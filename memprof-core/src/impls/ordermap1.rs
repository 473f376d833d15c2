//! ordermap 1: maps and sets of indexmap whose comparison includes the order of the entries.

use crate::MemoryProfile;
use crate::attributes::add_keyed_parts;
use crate::impls::ordered::add_but_values;
use crate::impls::parts::{MapParts, SetParts, add_parts, add_set};
use crate::impls::std::scalar::mark_opaque;
use crate::layout::ordermap1::{raw_map, raw_set};
use crate::walk::{Keyed, Position, Walk};
use core::fmt::Display;
use ordermap::{OrderMap, OrderSet};

impl<K: MemoryProfile, V: MemoryProfile, S> MemoryProfile for OrderMap<K, V, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_parts(self, walk, at);
    }
}

impl<K, V, S> MapParts for OrderMap<K, V, S> {
    type Key = K;
    type Value = V;

    fn entry_count(&self) -> usize {
        self.len()
    }

    fn entries(&self) -> impl Iterator<Item = (&K, &V)> {
        self.iter()
    }

    fn add_but_entries(&self, _: bool, walk: &mut Walk<'_>, at: Position) {
        add_but_values::<K, V>(&raw_map(self), walk, at);
        mark_opaque(self.hasher(), walk, at);
    }
}

/// Names the entries that sort first, like an `IndexMap`.
impl<K: MemoryProfile + Display, V: MemoryProfile, S> Keyed for OrderMap<K, V, S> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        add_keyed_parts(self, cap, walk, at);
    }
}

impl<T: MemoryProfile, S> MemoryProfile for OrderSet<T, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_set(self, walk, at);
    }
}

impl<T, S> SetParts for OrderSet<T, S> {
    type Value = T;

    fn values(&self) -> impl ExactSizeIterator<Item = &T> {
        self.iter()
    }

    fn add_but_values(&self, _: bool, walk: &mut Walk<'_>, at: Position) {
        add_but_values::<T, ()>(&raw_set(self), walk, at);
        mark_opaque(self.hasher(), walk, at);
    }
}
