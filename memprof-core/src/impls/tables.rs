//! The bytes of a hash table, of std or of another crate.

#[cfg(any(feature = "lru019", feature = "slotmap1"))]
use crate::layout::inner_table::InnerTable;
use crate::layout::table::Buckets;
use crate::tree::LeafKind;
use crate::walk::{Position, Walk};
use core::alloc::Layout;

/// A hash table with entries of one size.
pub(crate) struct Table {
    buckets: Buckets,
    /// The bytes of the allocation.
    bytes: usize,
    /// The number of live entries.
    len: usize,
    entry: Layout,
}

impl Table {
    pub(crate) fn new(buckets: Buckets, len: usize, entry: Layout) -> Self {
        Self { buckets, bytes: buckets.bytes(entry), len, entry }
    }

    /// Returns a table of `T` values whose allocation has `bytes` bytes. If the layout is a different
    /// one, all bytes go to `[table]`, so the sum is still correct.
    #[cfg(any(feature = "hashbrown017", feature = "dashmap6"))]
    pub(crate) fn in_bytes<T>(bytes: usize, len: usize) -> Self {
        let entry = Layout::new::<T>();
        let buckets = Buckets { count: Buckets::in_bytes(bytes, entry), certain: true };
        Self { buckets, bytes, len, entry }
    }

    /// Returns a table whose words were read, and reports its block.
    #[cfg(any(feature = "lru019", feature = "slotmap1"))]
    pub(crate) fn inner(table: InnerTable, len: usize, entry: Layout, walk: &mut Walk<'_>) -> Self {
        if let Some(control) = table.control {
            walk.block_of(control, table.buckets.count);
        }
        Self::new(table.buckets, len, entry)
    }

    /// Adds the table, except its live entries. If the buckets are not certain, the bytes are an
    /// estimate.
    pub(crate) fn add(self, walk: &mut Walk<'_>, at: Position) {
        let shrinkable = self.buckets.shrinkable_bytes(self.len, self.entry);
        let counted = self.entry.size();
        self.add_parts(counted, shrinkable, walk, at);
    }

    /// Adds the table of a type that never shrinks, except `counted` bytes of each live entry.
    #[cfg(any(feature = "lru019", feature = "slotmap1"))]
    pub(crate) fn add_fixed(self, counted: usize, walk: &mut Walk<'_>, at: Position) {
        self.add_parts(counted, 0, walk, at);
    }

    fn add_parts(self, counted: usize, shrinkable: usize, walk: &mut Walk<'_>, at: Position) {
        let Self { buckets, bytes, len, entry } = self;
        let spare = buckets.count.saturating_sub(len) * entry.size();
        let table = bytes.saturating_sub(spare + len * counted);
        walk.shrinkable(at, bytes, shrinkable);
        walk.count_allocations(at, usize::from(bytes != 0));
        walk.count_values(at, len);
        walk.leaves(at, [(LeafKind::Spare, spare), (LeafKind::Table, table)], buckets.certain);
    }
}

/// Reports the block of a collection by the address of an entry. If there are no entries, or if they
/// are zero-sized, the address is unknown.
#[cfg(any(feature = "hashbrown017", feature = "dashmap6"))]
pub(crate) fn report_entry<'e, K: 'e, V: 'e>(
    mut entries: impl Iterator<Item = (&'e K, &'e V)>,
    walk: &mut Walk<'_>,
) {
    if !walk.wants_blocks() {
        return;
    }
    if let Some((key, value)) = entries.next() {
        walk.block_of((&raw const *key).addr(), size_of::<K>());
        walk.block_of((&raw const *value).addr(), size_of::<V>());
    }
}
