//! dashmap 6: the tables of its shards.

/// The table of one shard of a `DashMap`.
pub(crate) type Shard<K, V> = hashbrown_014::raw::RawTable<(K, dashmap::SharedValue<V>)>;

/// Yields the entries of a shard whose lock is held.
pub(crate) fn entries_of<K, V>(shard: &Shard<K, V>) -> impl Iterator<Item = (&K, &V)> {
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
