//! `quick_cache` 0.7: caches that expose the bytes of their entries and of their table.

use crate::MemoryProfile;
use crate::impls::parts::add_pairs;
use crate::impls::std::scalar::impl_opaque;
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Position, Walk};
use core::hash::{BuildHasher, Hash};
use quick_cache::{Lifecycle, Weighter, sync, unsync};

/// The cache does not expose the excess capacity of its entries, so all bytes except those of keys
/// and values are an estimate.
impl<K, V: MemoryProfile, W, S, L> MemoryProfile for unsync::Cache<K, V, W, S, L>
where
    K: MemoryProfile + Eq + Hash,
    W: Weighter<K, V>,
    S: BuildHasher,
    L: Lifecycle<K, V>,
{
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let len = self.len();
        let used = self.memory_used();
        let counted = len * (size_of::<K>() + size_of::<V>());
        walk.count_allocations(at, usize::from(used.entries != 0) + usize::from(used.map != 0));
        walk.count_values(at, len);
        walk.estimated(at, LeafKind::Nodes, used.entries.saturating_sub(counted));
        walk.estimated(at, LeafKind::Table, used.map);
        if used.total() == 0 || core::mem::needs_drop::<(W, S, L)>() {
            // A zero-byte estimate leaves no mark, but the entries may have capacity. The weighter,
            // the hasher and the lifecycle are private.
            walk.opaque(at, OpaqueReason::Foreign);
        }
        add_pairs(self.iter(), len, walk, at);
    }
}

// Reading this type would mean waiting for the locks of its shards.
impl_opaque! {
    [K, V, W, S, L] sync::Cache<K, V, W, S, L>;
}
