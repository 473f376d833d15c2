//! The hash table of std: how many bytes it allocated, read from the table's own words.
//!
//! ```text
//!  | entry | …  | entry | entry | control bytes …  | the first group of them again |
//!  └ one per bucket, backwards  ┘ └ one per bucket ┘└ GROUP_WIDTH                 ┘
//!                                ^ control pointer
//! ```

use super::certificate::Certificate;
use super::word::{LOWEST_ADDRESS, READS_STD, words_beside};
use core::ops::Range;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasherDefault, DefaultHasher};

/// An entry of a map's table, here and in hashbrown.
pub(crate) type Entry<K, V> = (K, V);

/// Returns the bytes of a map's entry that only align its parts.
pub(crate) const fn padding<K, V>() -> usize {
    size_of::<Entry<K, V>>() - size_of::<K>() - size_of::<V>()
}

/// The words of a hash table beside its hasher: mask, control pointer, values, room left; in the
/// order that the compiler chose.
pub(crate) type TableWords = [usize; 4];

/// Reads the words of a map that are not its hasher's.
///
/// `None` if the map is not exactly four words and a hasher.
pub(crate) fn words_of_map<K, V, S>(map: &HashMap<K, V, S>) -> Option<TableWords> {
    // SAFETY: it is a map of std.
    unsafe { words_of(map, map.hasher()) }
}

/// Like [`words_of_map`], for a set.
pub(crate) fn words_of_set<T, S>(set: &HashSet<T, S>) -> Option<TableWords> {
    // SAFETY: it is a set of std, which is a map.
    unsafe { words_of(set, set.hasher()) }
}

/// # Safety
/// `table` is a map or a set of std, and `hasher` its hasher.
unsafe fn words_of<M, S>(table: &M, hasher: &S) -> Option<TableWords> {
    if !READS_STD {
        return None;
    }
    // SAFETY: a table changes by a unique reference only. Its words, a pointer and three integers,
    // are initialised in every map, or `READS_PADDING` makes any bytes fit.
    let words = unsafe { words_beside(table, hasher) };
    #[cfg(test)]
    let words = words.map(super::falsified::table);
    words
}

/// Control bytes that are read at once, which follow the table's last bucket too.
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

/// The buckets of a table, and whether that is known or an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Buckets {
    pub(crate) count: usize,
    pub(crate) certain: bool,
}

impl Buckets {
    /// The buckets of a table that holds `len` values and has room for `capacity`, one of its
    /// entries at `entry`.
    ///
    /// The capacity alone does not tell: removed values leave tombstones, which lower it. So the
    /// mask (buckets - 1) is looked for among the table's four words; it counts only if the other
    /// words are what they must be.
    pub(crate) fn of<E>(
        words: Option<TableWords>,
        len: usize,
        capacity: usize,
        entry: Option<Range<usize>>,
    ) -> Self {
        let found = words.and_then(|words| Found::of(words, len, capacity));
        let found = found.filter(|found| found.holds::<E>(entry));
        match found.filter(|_| tables_are_known()) {
            Some(Found { mask: 0, .. }) => Self { count: 0, certain: true },
            Some(found) => Self { count: found.mask + 1, certain: true },
            None => Self { count: buckets_for(capacity), certain: false },
        }
    }

    /// An address in the allocation of such a table, if it has one and that can be found; arguments
    /// as those of [`of`](Self::of).
    pub(crate) fn address(
        words: Option<TableWords>,
        len: usize,
        capacity: usize,
        entry: Option<Range<usize>>,
    ) -> Option<usize> {
        // Entries without bytes stand nowhere.
        if let Some(entry) = entry.filter(|entry| !entry.is_empty()) {
            return Some(entry.start);
        }
        let found = words.and_then(|words| Found::of(words, len, capacity));
        let found = found.filter(|found| found.mask != 0 && tables_are_known());
        found.map(|found| found.control)
    }

    /// The bytes allocated for so many entries of a size and an alignment.
    pub(crate) fn bytes(self, size: usize, align: usize) -> usize {
        if self.count == 0 {
            return 0;
        }
        let entries = (size * self.count).next_multiple_of(align.max(GROUP_WIDTH));
        entries + self.count + GROUP_WIDTH
    }

    /// The bytes that `shrink_to_fit` frees of such a table that holds `len` entries of a size and
    /// an alignment.
    pub(crate) fn shrinkable_bytes(self, len: usize, size: usize, align: usize) -> usize {
        let smallest = Self { count: smallest_for(len, size), ..self };
        self.bytes(size, align).saturating_sub(smallest.bytes(size, align))
    }

    /// How many buckets a table has for which so many bytes were allocated; 0 if no number fits.
    #[cfg(any(feature = "hashbrown017", feature = "dashmap6"))]
    pub(crate) fn in_bytes(bytes: usize, size: usize, align: usize) -> usize {
        let most = bytes / (size + 1);
        let mut count = if most == 0 { 0 } else { 1 << most.ilog2() };
        // What aligns the entries and the control bytes past the last make the first try too large.
        while count != 0 && (Self { count, certain: true }).bytes(size, align) > bytes {
            count /= 2;
        }
        let fits = (Self { count, certain: true }).bytes(size, align) == bytes;
        if fits { count } else { 0 }
    }
}

/// Two of a table's words, told from the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Found {
    /// Buckets - 1; 0 where nothing is allocated.
    mask: usize,
    /// Where the control bytes start and the entries end.
    control: usize,
}

impl Found {
    /// The one way in which the four words are a mask, a pointer to control bytes, the values and
    /// the room left, in any order.
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
        match (one.fits(len, capacity), other.fits(len, capacity)) {
            (true, false) => Some(one),
            (false, true) => Some(other),
            _ => None,
        }
    }

    fn fits(self, len: usize, capacity: usize) -> bool {
        let Self { mask, control } = self;
        let allocated = mask != 0;
        // A table without room may have buckets, all of them tombstones; not the other way round.
        let buckets = mask.wrapping_add(1);
        buckets.is_power_of_two()
            && (buckets >= 4 || !allocated)
            && mask < usize::MAX / 2
            && (allocated || (capacity == 0 && len == 0))
            && capacity <= room(mask)
            && control >= LOWEST_ADDRESS
            && control % GROUP_WIDTH == 0
    }

    /// Whether an entry lies where the table says that its entries are.
    fn holds<E>(self, entry: Option<Range<usize>>) -> bool {
        let Some(entry) = entry.filter(|_| size_of::<E>() != 0) else { return true };
        let before_control = self.control.checked_sub(entry.start);
        before_control.is_some_and(|distance| {
            entry.end <= self.control && distance.div_ceil(size_of::<E>()) <= self.mask + 1
        })
    }
}

/// How many values a table with such a mask holds before it grows.
const fn room(mask: usize) -> usize {
    if mask < 8 { mask } else { (mask + 1) / 8 * 7 }
}

/// The fewest buckets that have room for `capacity` values.
fn buckets_for(capacity: usize) -> usize {
    match capacity {
        0 => 0,
        1..=3 => 4,
        4..=7 => 8,
        _ => (capacity.saturating_mul(8) / 7).next_power_of_two(),
    }
}

/// The buckets of the smallest table that holds `len` entries of a size.
///
/// Tables of the smallest entries start with more: their control bytes would outweigh them.
fn smallest_for(len: usize, size: usize) -> usize {
    let least = match (GROUP_WIDTH, size) {
        (16, 0..=1) => 14,
        (16, 2..=3) | (8, 0..=1) => 7,
        _ => 3,
    };
    if len == 0 { 0 } else { buckets_for(len.max(least)) }
}

/// The tables of `HashMap` and `HashSet`.
pub(super) static CERTIFICATE: Certificate = Certificate::new(observe);

/// Returns whether this std's tables are laid out as above.
fn tables_are_known() -> bool {
    CERTIFICATE.holds()
}

/// Observes a table of bytes and one with entries.
fn observe() -> bool {
    type Hasher = BuildHasherDefault<DefaultHasher>;
    // A table of single bytes starts with as many buckets as there are control bytes in a group.
    let smallest = HashSet::<u8, Hasher>::with_capacity_and_hasher(1, Hasher::default());
    // The entries must be in buckets below the control bytes.
    let values: HashSet<u64, Hasher> = (1..=3).collect();
    let words = words_of_set(&values);
    let found = words.and_then(|words| Found::of(words, values.len(), values.capacity()));
    smallest.capacity() == room(GROUP_WIDTH - 1)
        && found.is_some_and(|found| {
            values.iter().all(|value| {
                let start = (&raw const *value).addr();
                found.holds::<u64>(Some(start..start + size_of::<u64>()))
            })
        })
}

#[cfg(test)]
mod tests;
