//! Maps that keep the order of insertion: a vector of entries, and a hash table of places in it.
//!
//! `indexmap` 2 has them, and `serde_json` 1 with `preserve_order`.

use super::word::WORD;

/// A place in the vector, which is an entry of the table.
pub(crate) type Place = usize;

/// The bytes of an entry's hash.
pub(crate) const HASH: usize = WORD;

/// An entry of the vector, for its size.
#[expect(dead_code, reason = "nobody ever makes one")]
struct Entry<K, V> {
    hash: usize,
    key: K,
    value: V,
}

/// Returns the bytes of an entry.
#[cfg(feature = "indexmap2")]
pub(crate) const fn entry_size<K, V>() -> usize {
    size_of::<Entry<K, V>>()
}

/// Returns the bytes of an entry that only align its parts.
pub(crate) const fn padding<K, V>() -> usize {
    size_of::<Entry<K, V>>() - HASH - size_of::<K>() - size_of::<V>()
}
