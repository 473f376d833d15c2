//! The hash table inside a type of another crate: its buckets, read from the table's own words.

use super::{Buckets, DecodedWords, Table, TableWords, tables_are_known};
use crate::layout::word::{BY_INSTRUCTION, WORD, atomic_word_at};
use crate::walk::{Position, Walk};
use core::alloc::Layout;

/// A table whose words were found.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InnerTable {
    pub(crate) buckets: Buckets,
    pub(crate) capacity: usize,
    /// The address where the entries end, if the words determine it.
    control: Option<usize>,
}

impl InnerTable {
    /// Returns the table of `len` entries whose words were not found.
    pub(crate) fn estimate<E>(len: usize, capacity: usize) -> Self {
        Self { buckets: Buckets::of::<E>(None, len, capacity, None), capacity, control: None }
    }

    /// Adds the table, which has `len` entries and never shrinks, except `counted` bytes of each entry.
    /// Also reports its block.
    pub(crate) fn add(
        self,
        len: usize,
        entry: Layout,
        counted: usize,
        walk: &mut Walk<'_>,
        at: Position,
    ) {
        if let Some(control) = self.control {
            walk.block_of(control, self.buckets.count);
        }
        Table::new(self.buckets, len, entry).add_parts(counted, 0, walk, at);
    }

    /// Returns what both readings of a table agree on. Returns `None` if their sizes differ.
    ///
    /// If a word of the hasher looks like an address, the words can be read in two ways that differ
    /// only in the address.
    fn agreed(self, other: Self) -> Option<Self> {
        let control = self.control.filter(|&control| other.control == Some(control));
        let same = (self.buckets, self.capacity) == (other.buckets, other.capacity);
        same.then_some(Self { control, ..self })
    }
}

/// Returns the table of `len` values that begins with the word `start` of `value`, or `hasher_size`
/// bytes later. The compiler may put the hasher before the table.
///
/// Returns `None` if the words at neither place fit a table, or if those at both places fit but
/// disagree.
///
/// # Safety
/// No thread writes to the value during the call, except to its hasher.
pub(crate) unsafe fn table_in<T>(
    value: &T,
    start: usize,
    hasher_size: usize,
    len: usize,
) -> Option<InnerTable> {
    // A hasher may have words that are not initialised.
    if !BY_INSTRUCTION || align_of::<T>() != align_of::<usize>() {
        return None;
    }
    let after_hasher = start + hasher_size.div_ceil(WORD);
    // SAFETY: the caller's guarantee.
    let first = unsafe { words_at(value, start) };
    let first = first.and_then(|words| decode(words, len));
    if after_hasher == start {
        return first;
    }
    // SAFETY: the caller's guarantee.
    let second = unsafe { words_at(value, after_hasher) };
    let second = second.and_then(|words| decode(words, len));
    match (first, second) {
        (Some(first), Some(second)) => first.agreed(second),
        (first, second) => first.or(second),
    }
}

/// Returns `None` if the value is too short.
///
/// # Safety
/// The caller guarantees what [`table_in`] requires. `BY_INSTRUCTION` is true, and the value is
/// aligned to words.
unsafe fn words_at<T>(value: &T, start: usize) -> Option<TableWords> {
    if size_of::<T>() < (start + 4) * WORD {
        return None;
    }
    let first = (&raw const *value).cast::<usize>().wrapping_add(start);
    Some(core::array::from_fn(|index| {
        // SAFETY: the word lies inside `*value`, which is borrowed and aligned to words.
        // `BY_INSTRUCTION` is true, so an assembly instruction loads the word, which may be
        // uninitialised. Other threads write at most to words of the hasher.
        unsafe { atomic_word_at(first.wrapping_add(index)) }
    }))
}

/// Returns `None` if no word fits as the growth left, or if several fit but give different tables.
fn decode(words: TableWords, len: usize) -> Option<InnerTable> {
    if !tables_are_known() {
        return None;
    }
    let mut found: Option<InnerTable> = None;
    for growth_left in words {
        let Some(capacity) = len.checked_add(growth_left) else { continue };
        let Some(decoded) = DecodedWords::of(words, len, capacity) else { continue };
        let DecodedWords { mask, control } = decoded;
        let count = if mask == 0 { 0 } else { mask + 1 };
        let buckets = Buckets { count, certain: true };
        let table = InnerTable { buckets, capacity, control: Some(control) };
        found = Some(found.map_or(Some(table), |found| found.agreed(table))?);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::{decode, table_in};
    use std::collections::HashMap;
    use std::hash::{BuildHasherDefault, DefaultHasher, RandomState};

    #[test]
    #[cfg_attr(miri, ignore = "Miri reads no uninitialised words")]
    fn tables_are_found_without_their_capacity() {
        let mut plain: HashMap<u64, u64, BuildHasherDefault<DefaultHasher>> = HashMap::default();
        let mut seeded: HashMap<u64, u64, RandomState> = HashMap::default();
        for key in 0..1_000 {
            for removed in [false, true] {
                // SAFETY: this thread owns the maps.
                let table = unsafe { table_in(&plain, 0, 0, plain.len()) };
                assert_eq!(table.map(|table| table.capacity), Some(plain.capacity()), "{key}");
                let size = size_of::<RandomState>();
                // SAFETY: as above.
                let table = unsafe { table_in(&seeded, 0, size, seeded.len()) };
                assert_eq!(table.map(|table| table.capacity), Some(seeded.capacity()), "{key}");
                if !removed && key % 3 == 0 {
                    plain.remove(&(key / 2));
                    seeded.remove(&(key / 2));
                }
            }
            plain.insert(key, key);
            seeded.insert(key, key);
        }
    }

    #[test]
    fn other_words_are_no_table() {
        assert!(decode([0, 0, 0, 0], 0).is_none());
        assert!(decode([7, 3, 4, 9], 3).is_none());
        assert!(decode([6, 3, 4, 0x7f00_0000], 3).is_none());
        assert!(decode([7, 3, 4, 0x7f00_0000], 3).is_some());
        assert!(decode([7, 3, 4, 0x7f00_0000], 2).is_none());
    }
}
