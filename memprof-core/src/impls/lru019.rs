//! lru 0.19: a list of nodes with keys and values, and a table of their addresses.

use crate::MemoryProfile;
use crate::attributes::add_keyed_parts;
use crate::impls::inner_table::add_table;
use crate::impls::parts::{MapParts, add_parts};
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
        add_parts(self, walk, at);
    }
}

impl<K: Hash + Eq, V, S: BuildHasher> MapParts for LruCache<K, V, S> {
    type Key = K;
    type Value = V;

    fn entry_count(&self) -> usize {
        self.len()
    }

    fn entries(&self) -> impl Iterator<Item = (&K, &V)> {
        self.iter()
    }

    fn add_but_entries(&self, _: bool, walk: &mut Walk<'_>, at: Position) {
        let (len, table) = (self.len(), table_of(self));
        let estimate = || Buckets::of::<TableEntry>(None, len, len, None);
        let buckets = table.map_or_else(estimate, |table| table.buckets);
        if let Some(control) = table.and_then(|table| table.control) {
            walk.block_of(control, buckets.count);
        }
        let entry = (size_of::<TableEntry>(), align_of::<TableEntry>());
        add_table(buckets, len, entry, 0, walk, at);
        add_nodes(self, walk, at);
        walk.count_values(at, len);
        if core::mem::needs_drop::<S>() && size_of::<S>() != 0 {
            // The hasher is private and may own memory.
            walk.opaque(at, OpaqueReason::Foreign);
        }
    }
}

/// Names the entries that sort first instead of those used last, because looking up an entry
/// changes the order.
impl<K, V: MemoryProfile, S: BuildHasher> Keyed for LruCache<K, V, S>
where
    K: MemoryProfile + Display + Hash + Eq,
{
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        add_keyed_parts(self, cap, walk, at);
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
    if walk.wants_blocks() {
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
