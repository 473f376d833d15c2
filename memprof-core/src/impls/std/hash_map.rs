//! `HashMap` and `HashSet`: buckets, used and spare, and the table's control bytes.

use crate::impls::std::hash_table::Buckets;
use crate::{At, Kind, MemoryProfile, Walk, probe};
use std::collections::{HashMap, HashSet};

impl<K: MemoryProfile, V: MemoryProfile, S> MemoryProfile for HashMap<K, V, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        if at.is_deep() {
            walk.defer(self, at);
            return;
        }
        let words = probe::table_words(self, self.hasher());
        let buckets = Buckets::of(words, self.len(), self.capacity());
        add_table::<(K, V)>(buckets, self.len(), walk, at);
        let keys = walk.keys(at);
        K::inline(walk, keys, self.len());
        V::inline(walk, at, self.len());
        let padding = size_of::<(K, V)>() - size_of::<K>() - size_of::<V>();
        walk.leaf(at, Kind::Padding, self.len() * padding);
        if K::is_flat() && V::is_flat() {
            return;
        }
        let (keys, values) = (keys.deeper(), at.deeper());
        for (key, value) in self {
            key.owned(walk, keys);
            value.owned(walk, values);
        }
    }
}

impl<T: MemoryProfile, S> MemoryProfile for HashSet<T, S> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: At) {
        if at.is_deep() {
            walk.defer(self, at);
            return;
        }
        let words = probe::table_words(self, self.hasher());
        let buckets = Buckets::of(words, self.len(), self.capacity());
        add_table::<T>(buckets, self.len(), walk, at);
        T::inline(walk, at, self.len());
        if !T::is_flat() {
            for value in self {
                value.owned(walk, at.deeper());
            }
        }
    }
}

/// Adds the bytes of a table that are not those of its `len` live entries of type `E`.
fn add_table<E>(buckets: Buckets, len: usize, walk: &mut Walk<'_>, at: At) {
    let spare = (buckets.count - len) * size_of::<E>();
    let bytes = buckets.bytes(size_of::<E>(), align_of::<E>());
    let control = bytes - buckets.count * size_of::<E>();
    walk.count_allocations(at, usize::from(bytes != 0));
    walk.count_values(at, len);
    if buckets.certain {
        walk.leaf(at, Kind::Spare, spare);
        walk.leaf(at, Kind::Table, control);
    } else {
        walk.estimated(at, Kind::Spare, spare);
        walk.estimated(at, Kind::Table, control);
    }
}
