//! lru 0.19: a list of nodes with keys and values, and a table of their addresses.

use crate::MemoryProfile;
use crate::attributes::add_keyed_parts;
use crate::impls::maps::maps;
use crate::impls::std::scalar::mark_private;
use crate::impls::tables::Table;
use crate::layout::inner_table::InnerTable;
use crate::layout::lru019::{TableEntry, node_size, nodes_are_known, table_of};
use crate::tree::LeafKind;
use crate::walk::{Keyed, Position, Walk};
use core::alloc::Layout;
use core::fmt::Display;
use core::hash::{BuildHasher, Hash};
use lru::LruCache;

maps! { [K: Hash + Eq, V, S: BuildHasher] LruCache<K, V, S>: add_cache; }

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

fn add_cache<K, V, S>(cache: &LruCache<K, V, S>, _: bool, walk: &mut Walk<'_>, at: Position)
where
    K: Hash + Eq,
    S: BuildHasher,
{
    let len = cache.len();
    let table = table_of(cache).unwrap_or_else(|| InnerTable::estimate::<TableEntry>(len, len));
    Table::inner(table, len, Layout::new::<TableEntry>(), walk).add_fixed(0, walk, at);
    add_nodes(cache, walk, at);
    mark_private::<S>(walk, at);
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
