//! Hash tables inside types of other crates.

use crate::layout::table::Buckets;
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};

/// Adds a table of `len` entries, except `counted` bytes of each entry. `entry` is the size and the
/// alignment of an entry. If the buckets are not certain, the bytes are an estimate.
pub(crate) fn add_table(
    buckets: Buckets,
    len: usize,
    entry: (usize, usize),
    counted: usize,
    walk: &mut Walk<'_>,
    at: Position,
) {
    let (size, align) = entry;
    let bytes = buckets.bytes(size, align);
    let spare = buckets.count.saturating_sub(len) * size;
    let table = bytes.saturating_sub(spare + len * counted);
    walk.count_allocations(at, usize::from(bytes != 0));
    // The types that contain these tables have no function that shrinks them.
    walk.shrinkable(at, bytes, 0);
    walk.leaves(at, [(LeafKind::Spare, spare), (LeafKind::Table, table)], buckets.certain);
}
