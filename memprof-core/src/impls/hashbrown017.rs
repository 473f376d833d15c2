//! hashbrown 0.17: maps, sets and tables, which expose the size of their allocation.

use crate::MemoryProfile;
use crate::attributes::add_keyed;
use crate::impls::parts::{maps, sets};
use crate::impls::std::scalar::mark_opaque;
use crate::impls::std::table::{Entry, Table, padding, report_entry};
use crate::tree::LeafKind;
use crate::walk::{Keyed, Position, Walk};
use core::fmt::Display;
use core::hash::{BuildHasher, Hash};
use hashbrown::{HashMap, HashSet, HashTable};

// Maps and sets expose the size of their allocation only if their keys can be hashed.
maps! { [K: Eq + Hash, V, S: BuildHasher] HashMap<K, V, S>: add_map; }

impl<K, V: MemoryProfile, S: BuildHasher> Keyed for HashMap<K, V, S>
where
    K: MemoryProfile + Display + Eq + Hash,
{
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        add_keyed(self, self.iter(), |walk, at| add_map(self, true, walk, at), cap, walk, at);
    }
}

sets! {
    [T: Eq + Hash, S: BuildHasher] HashSet<T, S>: add_set;
    [T] HashTable<T>: add_hash_table;
}

fn add_map<K, V, S>(map: &HashMap<K, V, S>, _: bool, walk: &mut Walk<'_>, at: Position)
where
    K: Eq + Hash,
    S: BuildHasher,
{
    Table::in_bytes::<Entry<K, V>>(map.allocation_size(), map.len()).add(walk, at);
    report_entry(map.iter(), walk);
    mark_opaque(map.hasher(), walk, at);
    walk.leaf(at, LeafKind::Padding, map.len() * padding::<K, V>());
}

fn add_set<T, S>(set: &HashSet<T, S>, _: bool, walk: &mut Walk<'_>, at: Position)
where
    T: Eq + Hash,
    S: BuildHasher,
{
    Table::in_bytes::<T>(set.allocation_size(), set.len()).add(walk, at);
    report_entry(set.iter().map(|value| (value, &())), walk);
    mark_opaque(set.hasher(), walk, at);
}

fn add_hash_table<T>(table: &HashTable<T>, _: bool, walk: &mut Walk<'_>, at: Position) {
    Table::in_bytes::<T>(table.allocation_size(), table.len()).add(walk, at);
    report_entry(table.iter().map(|value| (value, &())), walk);
}
