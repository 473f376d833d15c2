//! lru 0.19: a list of nodes with keys and values, and a table of their addresses.
#![expect(unsafe_code, reason = "a cache does not expose its table")]

use crate::MemoryProfile;
use crate::attributes::add_keyed;
use crate::impls::parts::maps;
use crate::impls::std::scalar::mark_private;
use crate::impls::std::table::{InnerTable, table_in};
use crate::layout::certificate::Certificate;
use crate::layout::observed::Observed;
use crate::layout::word::only;
use crate::tree::LeafKind;
use crate::walk::{Keyed, Position, Walk};
use core::alloc::Layout;
use core::fmt::Display;
use core::hash::{BuildHasher, BuildHasherDefault, Hash};
use core::mem::offset_of;
use core::num::NonZeroUsize;
use lru::LruCache;
use std::hash::DefaultHasher;

maps! { [K: Hash + Eq, V, S: BuildHasher] LruCache<K, V, S>: add_cache; }

/// Names the entries that sort first instead of those used last, because looking up an entry
/// changes the order.
impl<K, V: MemoryProfile, S: BuildHasher> Keyed for LruCache<K, V, S>
where
    K: MemoryProfile + Display + Hash + Eq,
{
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        add_keyed(self, self.iter(), |walk, at| add_cache(self, true, walk, at), cap, walk, at);
    }
}

fn add_cache<K, V, S>(cache: &LruCache<K, V, S>, _: bool, walk: &mut Walk<'_>, at: Position)
where
    K: Hash + Eq,
    S: BuildHasher,
{
    let len = cache.len();
    let table = table_of(cache).unwrap_or_else(|| InnerTable::estimate::<TableEntry>(len, len));
    table.add(len, Layout::new::<TableEntry>(), 0, walk, at);
    add_nodes(cache, walk, at);
    mark_private::<S>(walk, at);
}

/// Leaves out keys and values. The list has one more node at each end, which has neither.
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

/// A copy of the definition of a node, which the compiler lays out the same way.
#[expect(dead_code, reason = "never constructed: only its size and offsets are used")]
struct Node<K, V> {
    key: K,
    value: V,
    previous: *mut (),
    next: *mut (),
}

/// The type of the table's entries: the address of a key, and the address of a node.
type TableEntry = (*const (), *const ());

const fn node_size<K, V>() -> usize {
    size_of::<Node<K, V>>()
}

static CERTIFICATE: Certificate = Certificate::new(observe);

fn nodes_are_known() -> bool {
    CERTIFICATE.is_certified()
}

/// Observes caches of keys and values with different alignments.
fn observe() -> bool {
    matches_layout(1_u8, 2_u8)
        && matches_layout(1_u64, 2_u8)
        && matches_layout([1_u8; 3], 2_u32)
        && matches_layout(1_u16, 2_u128)
        && matches_layout(1_u64, [2_u8; 11])
}

/// Returns whether the value of an entry is as far from its key as in the described node.
fn matches_layout<K: Hash + Eq, V>(key: K, value: V) -> bool {
    let mut cache = LruCache::<K, V, Hasher>::unbounded_with_hasher(Hasher::default());
    cache.put(key, value);
    let Some((key, value)) = cache.iter().next() else { return false };
    let distance = (&raw const *value).addr().wrapping_sub((&raw const *key).addr());
    distance == offset_of!(Node<K, V>, value).wrapping_sub(offset_of!(Node<K, V>, key))
}

type Hasher = BuildHasherDefault<DefaultHasher>;

fn table_of<K: Hash + Eq, V, S: BuildHasher>(cache: &LruCache<K, V, S>) -> Option<InnerTable> {
    let start = table_index()?;
    // SAFETY: a cache changes only through a unique reference.
    unsafe { table_in(cache, start, size_of::<S>(), cache.len()) }
}

/// Found once, in a cache whose hasher has no bytes.
fn table_index() -> Option<usize> {
    static INDEX: Observed<Option<usize>> = Observed::new();
    INDEX.get_or_init(|| {
        // Only the words of the table can be a mask or an address of control bytes.
        let capacity = NonZeroUsize::new(1_001)?;
        let mut cache = LruCache::<u64, u64, Hasher>::with_hasher(capacity, Hasher::default());
        cache.put(1, 1);
        cache.put(2, 2);
        only((0..4).filter(|&start| {
            // SAFETY: the cache was created here.
            let table = unsafe { table_in(&cache, start, 0, cache.len()) };
            table.is_some_and(|table| table.buckets.count == 2_048)
        }))
    })
}

#[cfg(test)]
mod tests {
    use super::{matches_layout, nodes_are_known, table_of};
    use core::num::NonZeroUsize;
    use lru::LruCache;

    #[test]
    fn nodes_have_the_described_layout() {
        assert!(nodes_are_known());
        assert!(matches_layout(String::from("a"), Some(Box::new(1))));
    }

    #[test]
    #[cfg_attr(miri, ignore = "Miri reads no uninitialised words")]
    fn tables_are_found_in_caches_of_any_capacity() {
        for capacity in [1, 3, 7, 15, 16, 63, 64, 127, 4_095, 4_096] {
            let capacity = NonZeroUsize::new(capacity).expect("it is positive");
            let mut cache: LruCache<u32, u32> = LruCache::new(capacity);
            for number in 0..200 {
                let table = table_of(&cache).expect("the words are those of a table");
                assert!(table.capacity >= cache.len(), "{table:?}");
                cache.put(number, number);
            }
        }
    }
}
