//! moka 0.12: concurrent caches. The walk iterates over the entries and clones each value.
//!
//! A clone of an `Arc` is one more handle while the walk visits it. A clone of any other value has
//! its own memory. The walk visits this memory instead of the memory of the cached value.

use crate::MemoryProfile;
use crate::impls::std::shared::COUNTS;
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};
use core::hash::{BuildHasher, Hash};
use moka::sync::Cache;

/// The bytes of an entry besides its key and its value, as measured on caches of 10,000 entries: a
/// bucket, the times and the weight of the entry, and its nodes in the queues.
const ENTRY: usize = 25 * size_of::<usize>();

/// The bytes of a cache without entries, as measured: mostly the channels of recent reads and
/// writes.
const CACHE: usize = 4_500 * size_of::<usize>();

/// All bytes except those of the keys and values are an estimate.
impl<K, V, S> MemoryProfile for Cache<K, V, S>
where
    K: MemoryProfile + Hash + Eq + Send + Sync + 'static,
    V: MemoryProfile + Clone + Send + Sync + 'static,
    S: BuildHasher + Clone + Send + Sync + 'static,
{
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let keys = walk.keys(at);
        let mut count = 0;
        for (key, value) in self {
            if !walk.should_continue(at, 1) {
                break;
            }
            walk.estimated(keys, LeafKind::Counts, COUNTS);
            walk.guarded_pointee(key, keys);
            walk.inline(at, V::shape(), 1);
            walk.guarded(Box::new(value), at);
            count += 1;
        }
        walk.count_values(at, count);
        walk.count_allocations(at, count);
        walk.estimated(at, LeafKind::Table, CACHE + count * ENTRY);
    }
}
