//! Hash tables: maps and sets of std, and the tables inside types of other crates. The size of a
//! table is read from its own words.
//!
//! ```text
//!  | entry | …  | entry | entry | control bytes …  | the first group of them again |
//!  └ one per bucket, backwards  ┘ └ one per bucket ┘└ GROUP_WIDTH                 ┘
//!                                ^ control pointer
//! ```
#![expect(unsafe_code, reason = "std does not expose the number of buckets")]

use crate::MemoryProfile;
use crate::attributes::add_keyed;
use crate::impls::parts::{maps, sets};
use crate::impls::std::scalar::mark_opaque;
use crate::layout::certificate::Certificate;
use crate::layout::word::{LOWEST_ADDRESS, READS_STD, words_except};
use crate::tree::LeafKind;
use crate::walk::{Keyed, Position, Walk};
use core::alloc::Layout;
use core::fmt::Display;
use core::ops::Range;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, DefaultHasher};

#[cfg(any(feature = "lru019", feature = "slotmap1"))]
mod inner;

#[cfg(any(feature = "lru019", feature = "slotmap1"))]
pub(crate) use inner::{InnerTable, table_in};

maps! { [K, V, S] HashMap<K, V, S>: add_hash_map; }

impl<K: MemoryProfile + Display, V: MemoryProfile, S> Keyed for HashMap<K, V, S> {
    fn keyed<'a>(&'a self, cap: usize, walk: &mut Walk<'a>, at: Position) {
        add_keyed(self, self.iter(), |walk, at| add_hash_map(self, true, walk, at), cap, walk, at);
    }
}

sets! { [T, S] HashSet<T, S>: add_hash_set; }

/// The address of an entry confirms the layout.
fn add_hash_map<K, V, S>(
    map: &HashMap<K, V, S>,
    visits_entries: bool,
    walk: &mut Walk<'_>,
    at: Position,
) {
    let reads_entry = visits_entries || walk.wants_blocks();
    let entry = if reads_entry { map.iter().next().map(address_range_of_pair) } else { None };
    add_table::<Entry<K, V>>(words_of_map(map), map.len(), map.capacity(), entry, walk, at);
    mark_opaque(map.hasher(), walk, at);
    walk.leaf(at, LeafKind::Padding, map.len() * padding::<K, V>());
}

fn add_hash_set<T, S>(set: &HashSet<T, S>, visits_values: bool, walk: &mut Walk<'_>, at: Position) {
    let reads_value = visits_values || walk.wants_blocks();
    let value = if reads_value { set.iter().next().map(address_range) } else { None };
    add_table::<T>(words_of_set(set), set.len(), set.capacity(), value, walk, at);
    mark_opaque(set.hasher(), walk, at);
}

/// Leaves out the live entries, which are of type `E`. The arguments are those of [`Buckets::of`].
fn add_table<E>(
    words: Option<TableWords>,
    len: usize,
    capacity: usize,
    entry: Option<Range<usize>>,
    walk: &mut Walk<'_>,
    at: Position,
) {
    let buckets = Buckets::of::<E>(words, len, capacity, entry.clone());
    Table::new(buckets, len, Layout::new::<E>()).add(walk, at);
    if walk.wants_blocks() {
        if let Some(address) = Buckets::address(words, len, capacity, entry) {
            walk.block(address);
        }
    }
}

fn address_range<T>(value: &T) -> Range<usize> {
    let start = (&raw const *value).addr();
    start..start + size_of::<T>()
}

/// A zero-sized part takes no bytes, so it is ignored.
fn address_range_of_pair<K, V>((key, value): (&K, &V)) -> Range<usize> {
    match (address_range(key), address_range(value)) {
        (key, _) if size_of::<V>() == 0 => key,
        (_, value) if size_of::<K>() == 0 => value,
        (key, value) => key.start.min(value.start)..key.end.max(value.end),
    }
}

/// An entry of a map's table, here and in hashbrown.
pub(crate) type Entry<K, V> = (K, V);

pub(crate) const fn padding<K, V>() -> usize {
    size_of::<Entry<K, V>>() - size_of::<K>() - size_of::<V>()
}

/// The words of a hash table other than its hasher: mask, control pointer, number of values and
/// growth left. The compiler chose their order.
type TableWords = [usize; 4];

/// Returns `None` if the map is not exactly four words and a hasher.
fn words_of_map<K, V, S>(map: &HashMap<K, V, S>) -> Option<TableWords> {
    // SAFETY: it is a map of std.
    unsafe { words_of(map, map.hasher()) }
}

fn words_of_set<T, S>(set: &HashSet<T, S>) -> Option<TableWords> {
    // SAFETY: it is a set of std, which is a map.
    unsafe { words_of(set, set.hasher()) }
}

/// # Safety
/// `table` is a map or a set of std, and `hasher` its hasher.
unsafe fn words_of<M, S>(table: &M, hasher: &S) -> Option<TableWords> {
    if !READS_STD {
        return None;
    }
    // SAFETY: a table changes only through a unique reference, and `READS_STD` is true. So either
    // std is known, and the words are a pointer and three integers, which are initialised in every
    // map. Or `READS_PADDING` is true, and any bytes may be read.
    unsafe { words_except(table, hasher) }
}

/// The number of control bytes that the table reads at once. The same number of bytes follows the
/// control bytes of the last bucket.
const GROUP_WIDTH: usize = if cfg!(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2",
    not(miri)
)) {
    16
} else if cfg!(any(target_pointer_width = "64", target_arch = "aarch64", target_arch = "wasm32")) {
    8
} else {
    4
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Buckets {
    pub(crate) count: usize,
    pub(crate) certain: bool,
}

impl Buckets {
    /// Returns the buckets of a table that holds `len` values, has the capacity `capacity`, and has
    /// an entry at `entry`.
    ///
    /// The capacity alone does not determine the buckets, because removed values leave tombstones,
    /// which lower the capacity. So the mask (buckets - 1) is searched among the table's four
    /// words. The mask is used only if the other words have the required values.
    pub(crate) fn of<E>(
        words: Option<TableWords>,
        len: usize,
        capacity: usize,
        entry: Option<Range<usize>>,
    ) -> Self {
        let decoded = words.and_then(|words| DecodedWords::of(words, len, capacity));
        let decoded = decoded.filter(|decoded| decoded.contains_entry::<E>(entry));
        match decoded.filter(|_| tables_are_known()) {
            Some(DecodedWords { mask: 0, .. }) => Self { count: 0, certain: true },
            Some(decoded) => Self { count: decoded.mask + 1, certain: true },
            None => Self { count: buckets_for(capacity), certain: false },
        }
    }

    /// Returns an address in the allocation. The arguments are those of [`of`](Self::of).
    fn address(
        words: Option<TableWords>,
        len: usize,
        capacity: usize,
        entry: Option<Range<usize>>,
    ) -> Option<usize> {
        // Zero-sized entries have no address of their own.
        if let Some(entry) = entry.filter(|entry| !entry.is_empty()) {
            return Some(entry.start);
        }
        let decoded = words.and_then(|words| DecodedWords::of(words, len, capacity));
        let decoded = decoded.filter(|decoded| decoded.mask != 0 && tables_are_known());
        decoded.map(|decoded| decoded.control)
    }

    pub(crate) fn bytes(self, entry: Layout) -> usize {
        if self.count == 0 {
            return 0;
        }
        let entries = (entry.size() * self.count).next_multiple_of(entry.align().max(GROUP_WIDTH));
        entries + self.count + GROUP_WIDTH
    }

    pub(crate) fn shrinkable_bytes(self, len: usize, entry: Layout) -> usize {
        let smallest = Self { count: smallest_for(len, entry.size()), ..self };
        self.bytes(entry).saturating_sub(smallest.bytes(entry))
    }
}

/// Two of a table's words, identified among the four.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct DecodedWords {
    /// The number of buckets - 1, or 0 if nothing is allocated.
    mask: usize,
    /// The address where the control bytes start and the entries end.
    control: usize,
}

impl DecodedWords {
    /// Identifies the four words, in any order, as a mask, a control pointer, the number of values
    /// and the growth left. Returns `None` if no assignment fits, or if the mask and the control
    /// pointer could be exchanged.
    fn of(words: TableWords, len: usize, capacity: usize) -> Option<Self> {
        let mut expected = [Some(len), Some(capacity.checked_sub(len)?)];
        let mut others = words.into_iter().filter(|&word| {
            let known = expected.iter_mut().find(|expected| **expected == Some(word));
            known.and_then(Option::take).is_none()
        });
        let (first, second) = (others.next()?, others.next()?);
        if others.next().is_some() {
            return None;
        }
        let one = Self { mask: first, control: second };
        let other = Self { mask: second, control: first };
        match (one.is_consistent(len, capacity), other.is_consistent(len, capacity)) {
            (true, false) => Some(one),
            (false, true) => Some(other),
            _ => None,
        }
    }

    fn is_consistent(self, len: usize, capacity: usize) -> bool {
        let Self { mask, control } = self;
        let allocated = mask != 0;
        // A table with capacity 0 may have buckets that are all tombstones. A table without buckets
        // has capacity 0.
        let buckets = mask.wrapping_add(1);
        buckets.is_power_of_two()
            && (buckets >= 4 || !allocated)
            && mask < usize::MAX / 2
            && (allocated || (capacity == 0 && len == 0))
            && capacity <= mask_to_capacity(mask)
            && control >= LOWEST_ADDRESS
            && control % GROUP_WIDTH == 0
    }

    fn contains_entry<E>(self, entry: Option<Range<usize>>) -> bool {
        let Some(entry) = entry.filter(|_| size_of::<E>() != 0) else { return true };
        let before_control = self.control.checked_sub(entry.start);
        before_control.is_some_and(|distance| {
            entry.end <= self.control && distance.div_ceil(size_of::<E>()) <= self.mask + 1
        })
    }
}

const fn mask_to_capacity(mask: usize) -> usize {
    if mask < 8 { mask } else { (mask + 1) / 8 * 7 }
}

fn buckets_for(capacity: usize) -> usize {
    match capacity {
        0 => 0,
        1..=3 => 4,
        4..=7 => 8,
        _ => (capacity.saturating_mul(8) / 7).next_power_of_two(),
    }
}

/// Tables of very small entries start with more buckets, because otherwise control bytes would
/// outweigh the entries.
fn smallest_for(len: usize, size: usize) -> usize {
    let least = match (GROUP_WIDTH, size) {
        (16, 0..=1) => 14,
        (16, 2..=3) | (8, 0..=1) => 7,
        _ => 3,
    };
    if len == 0 { 0 } else { buckets_for(len.max(least)) }
}

pub(crate) static CERTIFICATE: Certificate = Certificate::new(observe);

fn tables_are_known() -> bool {
    CERTIFICATE.is_certified()
}

/// Observes an empty table of single bytes and a table with entries.
fn observe() -> bool {
    type Hasher = BuildHasherDefault<DefaultHasher>;
    // A table of single bytes starts with one bucket for each control byte of a group.
    let smallest = HashSet::<u8, Hasher>::with_capacity_and_hasher(1, Hasher::default());
    // The entries must be in buckets below the control bytes.
    let values: HashSet<u64, Hasher> = (1..=3).collect();
    let words = words_of_set(&values);
    let decoded = words.and_then(|words| DecodedWords::of(words, values.len(), values.capacity()));
    smallest.capacity() == mask_to_capacity(GROUP_WIDTH - 1)
        && decoded.is_some_and(|decoded| {
            values.iter().all(|value| {
                let start = (&raw const *value).addr();
                decoded.contains_entry::<u64>(Some(start..start + size_of::<u64>()))
            })
        })
}

pub(crate) struct Table {
    buckets: Buckets,
    bytes: usize,
    len: usize,
    entry: Layout,
}

impl Table {
    fn new(buckets: Buckets, len: usize, entry: Layout) -> Self {
        Self { buckets, bytes: buckets.bytes(entry), len, entry }
    }

    /// If the layout is a different one, all bytes go to `[table]`, so the sum is still correct.
    #[cfg(any(feature = "hashbrown017", feature = "dashmap6"))]
    pub(crate) fn in_bytes<T>(bytes: usize, len: usize) -> Self {
        let entry = Layout::new::<T>();
        let buckets = |count| Buckets { count, certain: true };
        let max_count = bytes / (entry.size() + 1);
        let mut count = if max_count == 0 { 0 } else { 1 << max_count.ilog2() };
        // The first try may be too large, because it ignores alignment and the group of control
        // bytes that is repeated at the end.
        while count != 0 && buckets(count).bytes(entry) > bytes {
            count /= 2;
        }
        let is_consistent = buckets(count).bytes(entry) == bytes;
        Self { buckets: buckets(if is_consistent { count } else { 0 }), bytes, len, entry }
    }

    /// Leaves out the live entries. If the buckets are not certain, the bytes are an estimate.
    pub(crate) fn add(self, walk: &mut Walk<'_>, at: Position) {
        let shrinkable = self.buckets.shrinkable_bytes(self.len, self.entry);
        let counted = self.entry.size();
        self.add_parts(counted, shrinkable, walk, at);
    }

    /// Shrinking frees `shrinkable` bytes. Leaves out `counted` bytes of each live entry.
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

/// The address is unknown if there are no entries, or if they are zero-sized.
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

#[cfg(test)]
mod tests;
