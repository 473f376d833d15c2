//! hashbrown 0.17: maps, sets and tables, which expose the size of their allocation.

use crate::MemoryProfile;
use crate::attributes::add_keyed_parts;
use crate::impls::parts::{MapParts, SetParts, add_parts, add_set};
use crate::impls::std::scalar::mark_opaque;
use crate::layout::table::{Buckets, Entry, padding};
use crate::tree::LeafKind;
use crate::walk::{Keyed, Position, Walk};
use core::fmt::Display;
use core::hash::{BuildHasher, Hash};
use hashbrown::{HashMap, HashSet, HashTable};

/// A map exposes the size of its allocation only if its keys can be hashed.
impl<K, V: MemoryProfile, S: BuildHasher> MemoryProfile for HashMap<K, V, S>
where
    K: MemoryProfile + Eq + Hash,
{
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_parts(self, walk, at);
    }
}

impl<K: Eq + Hash, V, S: BuildHasher> MapParts for HashMap<K, V, S> {
    type Key = K;
    type Value = V;

    fn entry_count(&self) -> usize {
        self.len()
    }

    fn entries(&self) -> impl Iterator<Item = (&K, &V)> {
        self.iter()
    }

    fn add_but_entries(&self, _: bool, walk: &mut Walk<'_>, at: Position) {
        add_table::<Entry<K, V>>(self.allocation_size(), self.len(), walk, at);
        report_table(|| self.iter().next(), walk);
        mark_opaque(self.hasher(), walk, at);
        walk.leaf(at, LeafKind::Padding, self.len() * padding::<K, V>());
    }
}

impl<K, V: MemoryProfile, S: BuildHasher> Keyed for HashMap<K, V, S>
where
    K: MemoryProfile + Display + Eq + Hash,
{
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        add_keyed_parts(self, cap, walk, at);
    }
}

impl<T: MemoryProfile + Eq + Hash, S: BuildHasher> MemoryProfile for HashSet<T, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_set(self, walk, at);
    }
}

impl<T: Eq + Hash, S: BuildHasher> SetParts for HashSet<T, S> {
    type Value = T;

    fn values(&self) -> impl ExactSizeIterator<Item = &T> {
        self.iter()
    }

    fn add_but_values(&self, _: bool, walk: &mut Walk<'_>, at: Position) {
        add_table::<T>(self.allocation_size(), self.len(), walk, at);
        report_table(|| Some((self.iter().next()?, &())), walk);
        mark_opaque(self.hasher(), walk, at);
    }
}

impl<T: MemoryProfile> MemoryProfile for HashTable<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_set(self, walk, at);
    }
}

impl<T> SetParts for HashTable<T> {
    type Value = T;

    fn values(&self) -> impl ExactSizeIterator<Item = &T> {
        self.iter()
    }

    fn add_but_values(&self, _: bool, walk: &mut Walk<'_>, at: Position) {
        add_table::<T>(self.allocation_size(), self.len(), walk, at);
        report_table(|| Some((self.iter().next()?, &())), walk);
    }
}

/// Reports a table's block by the address of an entry. If there are no entries, or if they are
/// zero-sized, the address is unknown.
fn report_table<'e, K: 'e, V: 'e>(
    entry: impl FnOnce() -> Option<(&'e K, &'e V)>,
    walk: &mut Walk<'_>,
) {
    if walk.wants_blocks()
        && let Some((key, value)) = entry()
    {
        walk.block_of((&raw const *key).addr(), size_of::<K>());
        walk.block_of((&raw const *value).addr(), size_of::<V>());
    }
}

/// Adds the bytes of a table, except those of its `len` live entries of type `E`.
fn add_table<E>(bytes: usize, len: usize, walk: &mut Walk<'_>, at: Position) {
    let count = Buckets::in_bytes(bytes, size_of::<E>(), align_of::<E>());
    let buckets = Buckets { count, certain: true };
    // If the layout is a different one, all bytes go to `[table]`, so the sum is still correct.
    let spare = buckets.count.saturating_sub(len) * size_of::<E>();
    walk.count_allocations(at, usize::from(bytes != 0));
    walk.count_values(at, len);
    walk.leaf(at, LeafKind::Spare, spare);
    let shrinkable = buckets.shrinkable_bytes(len, size_of::<E>(), align_of::<E>());
    walk.shrinkable(at, bytes, shrinkable);
    walk.leaf(at, LeafKind::Table, bytes - spare - len * size_of::<E>());
}
