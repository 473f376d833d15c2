//! The hash table of std: how many bytes it allocated, read from the table's own words.

use crate::probe::TableWords;

/// Control bytes that are read at once, which follow the table's last bucket too.
const GROUP_WIDTH: usize = if cfg!(all(
    any(target_arch = "x86", target_arch = "x86_64"),
    target_feature = "sse2",
    not(miri)
)) {
    16
} else if cfg!(target_pointer_width = "32") && !cfg!(target_arch = "aarch64") {
    4
} else {
    8
};

/// The buckets of a table, and whether that is known or an estimate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Buckets {
    pub(crate) count: usize,
    pub(crate) certain: bool,
}

impl Buckets {
    /// The buckets of a table that holds `len` values and has room for `capacity`.
    ///
    /// The capacity alone does not tell: removed values leave tombstones, which lower it. So the
    /// mask (buckets - 1) is looked for among the table's four words; it counts only if the other
    /// words are what they must be.
    pub(crate) fn of(words: Option<TableWords>, len: usize, capacity: usize) -> Self {
        match words.and_then(|words| mask(words, len, capacity)) {
            Some(0) => Self { count: 0, certain: true },
            Some(mask) => Self { count: mask + 1, certain: true },
            None => Self { count: buckets_for(capacity), certain: false },
        }
    }

    /// The bytes allocated for so many entries of a size and an alignment.
    pub(crate) fn bytes(self, size: usize, align: usize) -> usize {
        if self.count == 0 {
            return 0;
        }
        let entries = (size * self.count).next_multiple_of(align.max(GROUP_WIDTH));
        entries + self.count + GROUP_WIDTH
    }
}

/// The one word that is a mask, if the four are the mask, a pointer to control bytes, the values
/// and the room left, in any order.
fn mask(words: TableWords, len: usize, capacity: usize) -> Option<usize> {
    let mut words = words.to_vec();
    for expected in [len, capacity - len] {
        let place = words.iter().position(|&word| word == expected)?;
        words.swap_remove(place);
    }
    let [first, second] = words[..] else { return None };
    let fits = |mask: usize, control: usize| {
        mask.wrapping_add(1) & mask == 0
            && mask < usize::MAX / 2
            && (mask == 0) == (capacity == 0 && len == 0)
            && capacity <= room(mask + 1)
            && control > 4096
            && control.is_multiple_of(GROUP_WIDTH)
    };
    match (fits(first, second), fits(second, first)) {
        (true, false) => Some(first),
        (false, true) => Some(second),
        _ => None,
    }
}

/// How many values a table of so many buckets holds before it grows.
const fn room(buckets: usize) -> usize {
    if buckets < 8 { buckets - 1 } else { buckets / 8 * 7 }
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
