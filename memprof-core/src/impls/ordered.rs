//! The entries of maps that keep the order of insertion: a vector of entries, and a hash table of
//! indices into it. indexmap 2 has such maps, and `serde_json` 1 uses them with `preserve_order`.

/// An index into the vector, which is an entry of the table.
pub(super) type EntryIndex = usize;

pub(super) const HASH: usize = size_of::<usize>();

/// An entry of the vector. Only its size is used.
#[expect(dead_code, reason = "never constructed: only its size is used")]
struct Entry<K, V> {
    hash: usize,
    key: K,
    value: V,
}

pub(super) const fn entry_size<K, V>() -> usize {
    size_of::<Entry<K, V>>()
}

pub(super) const fn padding<K, V>() -> usize {
    size_of::<Entry<K, V>>() - HASH - size_of::<K>() - size_of::<V>()
}
