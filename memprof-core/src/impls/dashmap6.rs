//! dashmap 6: maps in shards, each behind a lock that is tried for, never waited for.

use crate::impls::std::hash_table::Buckets;
use crate::impls::std::hidden::{hidden, mark_hidden};
use crate::probe::{self, Shard};
use crate::{At, Kind, MemoryProfile, Opaque, Tally, Walk};
use core::hash::{BuildHasher, Hash};
use dashmap::{DashMap, DashSet, ReadOnlyView, SharedValue};

/// The shards are looked at one after the other, so that the whole is no snapshot.
impl<K, V: MemoryProfile, S: BuildHasher + Clone> MemoryProfile for DashMap<K, V, S>
where
    K: MemoryProfile + Eq + Hash,
{
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        if at.is_deep() {
            walk.defer(self, at);
            return;
        }
        let shards = self.shards();
        walk.leaf(at, Kind::Table, size_of_val(shards));
        walk.count_allocations(at, 1);
        mark_hidden(self.hasher(), walk, at);
        for shard in shards {
            match shard.try_read() {
                Some(table) => walk.guarded(&Entries(&table), at),
                None => walk.opaque(at, Opaque::Locked),
            }
        }
    }
}

/// The entries of one shard, while its lock is held.
struct Entries<'g, K, V>(&'g Shard<K, V>);

impl<K: MemoryProfile, V: MemoryProfile> MemoryProfile for Entries<'_, K, V> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        let Self(shard) = self;
        let (bytes, len) = (shard.allocation_info().1.size(), shard.len());
        let (entry, align) = (size_of::<(K, SharedValue<V>)>(), align_of::<(K, SharedValue<V>)>());
        let spare = Buckets::in_bytes(bytes, entry, align).saturating_sub(len) * entry;
        walk.count_allocations(at, usize::from(bytes != 0));
        walk.count_values(at, len);
        walk.leaf(at, Kind::Spare, spare);
        walk.leaf(at, Kind::Table, bytes - spare - len * entry);
        walk.leaf(at, Kind::Padding, len * (entry - size_of::<K>() - size_of::<V>()));
        let keys = walk.keys(at);
        K::inline(walk, keys, len);
        V::inline(walk, at, len);
        if K::is_flat() && V::is_flat() {
            return;
        }
        let (keys, values) = (keys.deeper(), at.deeper());
        let (mut key_tally, mut value_tally) = (Tally::default(), Tally::default());
        for (key, value) in probe::entries_of_shard(shard) {
            key.tally(&mut key_tally, walk, keys);
            value.tally(&mut value_tally, walk, values);
        }
        K::settle(key_tally, walk, keys);
        V::settle(value_tally, walk, values);
    }
}

// Nothing of theirs can be reached but by waiting for a lock.
hidden! {
    [T, S] DashSet<T, S>;
    [K, V, S] ReadOnlyView<K, V, S>;
}
