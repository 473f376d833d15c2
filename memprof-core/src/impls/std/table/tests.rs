//! Words that cannot be from a table of std, and the results for them.

use super::{
    Buckets, DecodedWords, GROUP_WIDTH, TableWords, tables_are_known, words_of_map, words_of_set,
};
use core::alloc::Layout;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, RandomState};

const CONTROL: usize = 0x7f00_0000;

#[test]
fn this_std_has_the_described_tables() {
    assert!(tables_are_known());
}

#[test]
fn the_mask_is_found_in_any_order_of_the_words() {
    let decoded = Some(DecodedWords { mask: 7, control: CONTROL });
    for words in [[7, CONTROL, 5, 2], [5, 2, 7, CONTROL], [CONTROL, 2, 7, 5], [2, 7, CONTROL, 5]] {
        assert_eq!(DecodedWords::of(words, 5, 7), decoded);
    }
}

#[test]
fn equal_words_are_decoded() {
    // The mask equals the number of values.
    assert_eq!(DecodedWords::of([3, CONTROL, 3, 0], 3, 3).map(|decoded| decoded.mask), Some(3));
    assert_eq!(DecodedWords::of([7, CONTROL, 0, 7], 7, 7).map(|decoded| decoded.mask), Some(7));
    // These are the words of a new table, and of a table with 32 buckets that are all tombstones.
    assert_eq!(DecodedWords::of([0, CONTROL, 0, 0], 0, 0).map(|decoded| decoded.mask), Some(0));
    assert_eq!(DecodedWords::of([31, CONTROL, 0, 0], 0, 0).map(|decoded| decoded.mask), Some(31));
}

#[test]
fn words_that_are_not_a_tables_are_rejected() {
    for (case, words) in [
        ("buckets instead of the mask", [8, CONTROL, 5, 2]),
        ("no number of values", [7, CONTROL, 6, 2]),
        ("no growth left", [7, CONTROL, 5, 3]),
        ("too small a mask", [3, CONTROL, 5, 2]),
        ("a mask without buckets", [0, CONTROL, 5, 2]),
        ("a mask of half the address space", [usize::MAX, CONTROL, 5, 2]),
        ("control bytes at no boundary", [7, CONTROL + 1, 5, 2]),
        ("control bytes on the first page", [7, GROUP_WIDTH, 5, 2]),
        ("a null pointer", [7, 0, 5, 2]),
        ("two masks", [7, 15, 5, 2]),
        ("two pointers", [CONTROL, CONTROL, 5, 2]),
    ] {
        assert_eq!(DecodedWords::of(words, 5, 7), None, "{case}");
    }
}

#[test]
fn entries_outside_the_table_are_rejected() {
    let decoded = DecodedWords { mask: 7, control: CONTROL };
    let start = CONTROL - 8 * 8;
    for entry in [start, start + 8, CONTROL - 8] {
        assert!(decoded.contains_entry::<u64>(Some(entry..entry + 8)), "{entry:x}");
    }
    for entry in [start - 8, start - 1, CONTROL - 7, CONTROL, CONTROL + 8, 0] {
        assert!(!decoded.contains_entry::<u64>(Some(entry..entry + 8)), "{entry:x}");
    }
}

/// A change to the words of a table, with its description.
type Corruption = (&'static str, fn(TableWords) -> TableWords);

const CORRUPTIONS: [Corruption; 6] = [
    ("scrambled", |words| words.map(|word| word.rotate_left(7) ^ 0x5a)),
    ("buckets for the mask", |words| {
        words.map(|word| word + usize::from(word == 0 || (word + 1).is_power_of_two()))
    }),
    ("all the same", |words| [words[0]; 4]),
    ("zeros", |_| [0; 4]),
    ("counts of half a word beside padding", |words| {
        words.map(|word| if word < 4096 { word | (0xa5a5 << (usize::BITS / 2)) } else { word })
    }),
    ("bytes swapped", |words| words.map(usize::swap_bytes)),
];

#[test]
fn a_table_with_corrupt_words_is_an_estimate() {
    let map: HashMap<u64, u64> = (0..100).map(|key| (key, key)).collect();
    let words = words_of_map(&map).expect("four words and a hasher");
    let buckets = |words| Buckets::of::<(u64, u64)>(Some(words), map.len(), map.capacity(), None);
    assert!(buckets(words).certain);
    for (case, corrupt) in CORRUPTIONS {
        assert!(!buckets(corrupt(words)).certain, "{case}");
    }
}

#[test]
fn an_empty_table_with_corrupt_words_is_right_or_an_estimate() {
    for map in [HashMap::<u64, u64>::new(), HashMap::with_capacity(100)] {
        let words = words_of_map(&map).expect("four words and a hasher");
        let buckets = |words| Buckets::of::<(u64, u64)>(Some(words), 0, map.capacity(), None);
        let expected = buckets(words);
        assert!(expected.certain);
        for (case, corrupt) in CORRUPTIONS {
            let found = buckets(corrupt(words));
            assert!(found == expected || !found.certain, "{case}: {found:?}");
        }
    }
}

#[test]
fn the_first_entry_reveals_a_corrupt_control_pointer() {
    let set: HashSet<u64> = (0..100).collect();
    let words = words_of_set(&set).expect("four words and a hasher");
    let first = set.iter().next().map(|value| (&raw const *value).addr());
    let entry = first.map(|start| start..start + size_of::<u64>());
    let buckets = |words| Buckets::of::<u64>(Some(words), set.len(), set.capacity(), entry.clone());
    assert!(buckets(words).certain);
    let moved = words.map(|word| if word > 4096 { word + 65536 } else { word });
    assert!(!buckets(moved).certain);
}

#[test]
fn a_table_of_zero_sized_entries_has_control_bytes_only() {
    let buckets = Buckets { count: 4, certain: true };
    assert_eq!(buckets.bytes(Layout::new::<()>()), 4 + GROUP_WIDTH);
    assert_eq!(Buckets { count: 0, certain: true }.bytes(Layout::new::<u64>()), 0);
}

/// A hasher builder of `N` bytes.
struct Seeds<const N: usize>([u8; N]);

impl<const N: usize> Default for Seeds<N> {
    fn default() -> Self {
        Self([0xa5; N])
    }
}

impl<const N: usize> BuildHasher for Seeds<N> {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        assert_eq!(self.0, [0xa5; N]);
        DefaultHasher::new()
    }
}

fn words_include_length_and_growth_left<S: BuildHasher + Default>() {
    let map: HashMap<u64, u64, S> = (0..5).map(|key| (key, key)).collect();
    let words = words_of_map(&map).expect("four words and a hasher");
    assert!(words.contains(&map.len()), "{words:?}");
    assert!(words.contains(&(map.capacity() - map.len())), "{words:?}");
    assert!(words.contains(&7), "{words:?}");
}

#[test]
fn the_words_of_a_table_are_found_with_hashers_of_any_size() {
    words_include_length_and_growth_left::<RandomState>();
    words_include_length_and_growth_left::<BuildHasherDefault<DefaultHasher>>();
    words_include_length_and_growth_left::<Seeds<1>>();
    words_include_length_and_growth_left::<Seeds<4>>();
    words_include_length_and_growth_left::<Seeds<8>>();
    words_include_length_and_growth_left::<Seeds<33>>();
}
