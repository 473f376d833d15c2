//! The vector and the table of maps and sets that keep the order of insertion.

use crate::layout::indexmap2::RawMap;
use crate::layout::ordered::{EntryIndex, HASH, entry_size, padding};
use crate::layout::table::Buckets;
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};
use core::alloc::Layout;

/// Adds everything in a map or set except its keys and values.
pub(crate) fn add_but_values<K, V>(raw: &RawMap, walk: &mut Walk<'_>, at: Position) {
    let RawMap { len, capacity, .. } = *raw;
    let entry = entry_size::<K, V>();
    let found = raw.read().filter(|_| raw.entries_bytes == len * entry);
    let certain = found.is_some();
    report_blocks(raw, certain, walk);
    let (entries_capacity, indices) =
        found.unwrap_or_else(|| (capacity, Buckets::of::<EntryIndex>(None, len, capacity, None)));
    let index = Layout::new::<EntryIndex>();
    let indices_bytes = indices.bytes(index);
    let spare_indices = indices.count.saturating_sub(len) * index.size();
    let spare = entries_capacity.saturating_sub(len) * entry + spare_indices;
    // The indices and hashes of live entries only serve look-ups, so they count as `[table]`, like
    // control bytes.
    let table = indices_bytes - spare_indices + len * HASH;
    walk.count_values(at, len);
    walk.count_allocations(
        at,
        usize::from(entries_capacity != 0) + usize::from(indices_bytes != 0),
    );
    walk.leaf(at, LeafKind::Padding, len * padding::<K, V>());
    let shrinkable = indices.shrinkable_bytes(len, index);
    walk.shrinkable(
        at,
        entries_capacity * entry + indices_bytes,
        (entries_capacity - len) * entry + shrinkable,
    );
    walk.leaves(at, [(LeafKind::Spare, spare), (LeafKind::Table, table)], certain);
}

/// Reports the vector's block, and the table's block if the words are known.
fn report_blocks(raw: &RawMap, certain: bool, walk: &mut Walk<'_>) {
    // A map with entries has a vector. Without entries, the words show whether there is one.
    walk.block_of(raw.entries, raw.entries_bytes);
    let Some((control, mask, capacity)) = raw.table().filter(|_| certain) else { return };
    walk.block_of(raw.entries, capacity);
    walk.block_of(control, mask);
}
