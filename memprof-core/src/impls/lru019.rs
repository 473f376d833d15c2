//! lru 0.19: a list of nodes with keys and values, and a table of their addresses.

use crate::MemoryProfile;
use crate::impls::inner_table::add_table;
use crate::impls::std::entries::add_pairs;
use crate::keyed::{add_entries, add_first_names, is_keyed_entry};
use crate::layout::lru019::{TableEntry, node_size, nodes_are_known, table_of};
use crate::layout::table::Buckets;
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Keyed, Position, Walk};
use core::fmt::Display;
use core::hash::{BuildHasher, Hash};
use lru::LruCache;

impl<K, V: MemoryProfile, S: BuildHasher> MemoryProfile for LruCache<K, V, S>
where
    K: MemoryProfile + Hash + Eq,
{
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_but_entries(self, walk, at);
        add_pairs(self.iter(), self.len(), walk, at);
    }
}

/// Names the entries that sort first instead of those used last, because looking up an entry
/// changes the order.
impl<K, V: MemoryProfile, S: BuildHasher> Keyed for LruCache<K, V, S>
where
    K: MemoryProfile + Display + Hash + Eq,
{
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        if is_keyed_entry(walk, at) {
            self.owned(walk, at);
            return;
        }
        add_first_names(cap, self.len(), walk, at, |add| {
            self.iter().map(|(key, _)| key).try_for_each(add)
        });
        add_but_entries(self, walk, at);
        add_entries(self.iter(), self.len(), cap, walk, at);
    }
}

/// Adds everything in a cache except its keys and values.
fn add_but_entries<K: Hash + Eq, V, S: BuildHasher>(
    cache: &LruCache<K, V, S>,
    walk: &mut Walk<'_>,
    at: Position,
) {
    let table = table_of(cache);
    let estimate = || Buckets::of::<TableEntry>(None, cache.len(), cache.len(), None);
    let buckets = table.map_or_else(estimate, |table| table.buckets);
    if let Some(control) = table.and_then(|table| table.control) {
        walk.block_of(control, buckets.count);
    }
    let entry = (size_of::<TableEntry>(), align_of::<TableEntry>());
    add_table(buckets, cache.len(), entry, 0, walk, at);
    add_nodes(cache, walk, at);
    walk.count_values(at, cache.len());
    if core::mem::needs_drop::<S>() && size_of::<S>() != 0 {
        // The hasher is private and may own memory.
        walk.opaque(at, OpaqueReason::Foreign);
    }
}

/// Adds the nodes, except their keys and values. The list has one more node at each end, without a
/// key and a value.
fn add_nodes<K: Hash + Eq, V, S: BuildHasher>(
    cache: &LruCache<K, V, S>,
    walk: &mut Walk<'_>,
    at: Position,
) {
    let len = cache.len();
    let node = node_size::<K, V>();
    let bytes = (len + 2) * node - len * (size_of::<K>() + size_of::<V>());
    walk.count_allocations(at, len + 2);
    walk.count_nodes(at, len + 2);
    walk.leaves(at, [(LeafKind::Nodes, bytes)], nodes_are_known());
    if walk.tells_blocks() {
        // If the walk is stopped here, the loop over the entries marks them.
        for (key, value) in cache {
            if walk.should_stop() {
                break;
            }
            walk.block_of((&raw const *key).addr(), size_of::<K>());
            walk.block_of((&raw const *value).addr(), size_of::<V>());
        }
    }
}
