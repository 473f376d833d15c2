//! dashmap 6: sharded maps. The walk tries the lock of each shard and never waits for it.
#![expect(unsafe_code, reason = "the entries of a raw table are read under the lock of the table")]

use crate::MemoryProfile;
use crate::attributes::{add_entries, add_first_names, is_keyed_entry};
use crate::impls::std::scalar::{impl_opaque, mark_opaque};
use crate::impls::std::table::{Table, report_entry};
use crate::tree::{LeafKind, OpaqueReason};
use crate::walk::{Keyed, Position, Walk};
use core::fmt::Display;
use core::hash::{BuildHasher, Hash};
use core::ops::Deref;
use dashmap::{DashMap, DashSet, ReadOnlyView, SharedValue};

/// The walk reads the shards one after the other, so the result is not a snapshot of the whole map.
impl<K, V: MemoryProfile, S: BuildHasher + Clone> MemoryProfile for DashMap<K, V, S>
where
    K: MemoryProfile + Eq + Hash,
{
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        add_shards(self, add_unnamed, walk, at);
    }
}

/// The walk reads the shards twice: first for the names, then for the entries. An entry may be
/// inserted in between, or its shard may be locked during the first pass. Such an entry goes to
/// `[other]`, unless its name already exists at this position.
impl<K, V: MemoryProfile, S: BuildHasher + Clone> Keyed for DashMap<K, V, S>
where
    K: MemoryProfile + Display + Eq + Hash,
{
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        if is_keyed_entry(walk, at) {
            self.owned(walk, at);
            return;
        }
        // The number of entries may change before they are added, so this pass chooses all names.
        add_first_names(cap, usize::MAX, walk, at, |add| {
            let mut tables = self.shards().iter().filter_map(|shard| shard.try_read());
            tables.try_for_each(|table| entries_of(&table).try_for_each(|(key, _)| add(key)))
        });
        add_shards(self, add_named, walk, at);
    }
}

fn add_shards<'a, K: Eq + Hash, V, S: BuildHasher + Clone>(
    map: &'a DashMap<K, V, S>,
    add: Add<K, V>,
    walk: &mut Walk<'a>,
    at: Position,
) {
    let shards = map.shards();
    walk.leaf(at, LeafKind::Table, size_of_val(shards));
    walk.count_allocations(at, 1);
    walk.block(shards.as_ptr().addr());
    mark_opaque(map.hasher(), walk, at);
    for shard in shards {
        match shard.try_read() {
            Some(shard) => walk.guarded(Box::new(LockedShard { shard, add }), at),
            None => walk.opaque(at, OpaqueReason::Locked),
        }
    }
}

type Add<K, V> = for<'a> fn(&'a Shard<K, V>, &mut Walk<'a>, Position);

struct LockedShard<G, K, V> {
    shard: G,
    add: Add<K, V>,
}

impl<G: Deref<Target = Shard<K, V>>, K, V> MemoryProfile for LockedShard<G, K, V> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let Self { shard, add } = self;
        let (bytes, len) = (shard.allocation_info().1.size(), shard.len());
        Table::in_bytes::<(K, SharedValue<V>)>(bytes, len).add(walk, at);
        let padding = size_of::<(K, SharedValue<V>)>() - size_of::<K>() - size_of::<V>();
        walk.leaf(at, LeafKind::Padding, len * padding);
        report_entry(entries_of(shard), walk);
        add(shard, walk, at);
    }
}

fn add_unnamed<'a, K: MemoryProfile, V: MemoryProfile>(
    shard: &'a Shard<K, V>,
    walk: &mut Walk<'a>,
    at: Position,
) {
    let keys = walk.add_inline_pairs::<K, V>(shard.len(), at);
    if !(K::is_flat() && V::is_flat()) {
        walk.visit_pairs(entries_of(shard), keys, at);
    }
}

fn add_named<'a, K: MemoryProfile + Display, V: MemoryProfile>(
    shard: &'a Shard<K, V>,
    walk: &mut Walk<'a>,
    at: Position,
) {
    add_entries(entries_of(shard), shard.len(), 0, walk, at);
}

// Reading these types would mean waiting for a lock.
impl_opaque! {
    [T, S] DashSet<T, S>;
    [K, V, S] ReadOnlyView<K, V, S>;
}

type Shard<K, V> = hashbrown_014::raw::RawTable<(K, SharedValue<V>)>;

/// Yields the entries of a shard whose lock is held.
fn entries_of<K, V>(shard: &Shard<K, V>) -> impl Iterator<Item = (&K, &V)> {
    // SAFETY: the iterator borrows the table, so the table is neither changed nor dropped before
    // the iterator is dropped.
    let buckets = unsafe { shard.iter() };
    buckets.map(|bucket| {
        // SAFETY: the iterator yields only full buckets. The table is borrowed as above, and values
        // change only under the shard's write lock.
        let (key, value) = unsafe { bucket.as_ref() };
        (key, value.get())
    })
}
