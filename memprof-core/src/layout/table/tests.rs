//! Words that are not those of std's tables, and the results for them.

use super::{Buckets, Found, GROUP_WIDTH, TableWords, tables_are_known, words_of_map};
use crate::layout::falsified::{self, Fault};
use crate::tree::Collected;
use std::collections::{HashMap, HashSet};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher, RandomState};

const CONTROL: usize = 0x7f00_0000;

#[test]
fn this_std_has_the_tables_that_are_described() {
    assert!(tables_are_known());
}

#[test]
fn the_mask_is_found_in_any_order() {
    let found = Some(Found { mask: 7, control: CONTROL });
    for words in [[7, CONTROL, 5, 2], [5, 2, 7, CONTROL], [CONTROL, 2, 7, 5], [2, 7, CONTROL, 5]] {
        assert_eq!(Found::of(words, 5, 7), found);
    }
}

#[test]
fn equal_words_do_not_confuse() {
    // The mask equals the number of values.
    assert_eq!(Found::of([3, CONTROL, 3, 0], 3, 3).map(|found| found.mask), Some(3));
    assert_eq!(Found::of([7, CONTROL, 0, 7], 7, 7).map(|found| found.mask), Some(7));
    // A new table, and one with 32 buckets that are all tombstones.
    assert_eq!(Found::of([0, CONTROL, 0, 0], 0, 0).map(|found| found.mask), Some(0));
    assert_eq!(Found::of([31, CONTROL, 0, 0], 0, 0).map(|found| found.mask), Some(31));
}

#[test]
fn words_that_are_not_those_of_a_table_are_not_believed() {
    for (what, words) in [
        ("buckets instead of the mask", [8, CONTROL, 5, 2]),
        ("no number of values", [7, CONTROL, 6, 2]),
        ("no room left", [7, CONTROL, 5, 3]),
        ("too small a mask", [3, CONTROL, 5, 2]),
        ("a mask without buckets", [0, CONTROL, 5, 2]),
        ("a mask of half the address space", [usize::MAX, CONTROL, 5, 2]),
        ("control bytes at no boundary", [7, CONTROL + 1, 5, 2]),
        ("control bytes on the first page", [7, GROUP_WIDTH, 5, 2]),
        ("a null pointer", [7, 0, 5, 2]),
        ("two masks", [7, 15, 5, 2]),
        ("two pointers", [CONTROL, CONTROL, 5, 2]),
    ] {
        assert_eq!(Found::of(words, 5, 7), None, "{what}");
    }
}

#[test]
fn entries_elsewhere_are_not_believed() {
    let found = Found { mask: 7, control: CONTROL };
    let start = CONTROL - 8 * 8;
    for entry in [start, start + 8, CONTROL - 8] {
        assert!(found.holds::<u64>(Some(entry..entry + 8)), "{entry:x}");
    }
    for entry in [start - 8, start - 1, CONTROL - 7, CONTROL, CONTROL + 8, 0] {
        assert!(!found.holds::<u64>(Some(entry..entry + 8)), "{entry:x}");
    }
}

/// A change to the words of a table, with its description.
type Falsification = (&'static str, fn(TableWords) -> TableWords);

const FALSIFICATIONS: [Falsification; 6] = [
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
fn a_table_of_a_falsified_std_is_an_estimate() {
    assert!(tables_are_known());
    let flat: HashMap<u64, u64> = (0..100).map(|key| (key, key)).collect();
    let owning: HashSet<String> = (0..100).map(|key: u8| key.to_string()).collect();
    for (what, falsify) in FALSIFICATIONS {
        falsified::with(Fault::Table(falsify), || {
            assert!(!Collected::of("value", &flat).tree.root().is_exact(), "{what}");
            assert!(!Collected::of("value", &owning).tree.root().is_exact(), "{what}");
        });
    }
    assert!(Collected::of("value", &flat).tree.root().is_exact());
}

#[test]
fn a_table_without_entries_is_marked_or_right_whatever_its_words() {
    assert!(tables_are_known());
    let new: HashMap<u64, u64> = HashMap::new();
    let reserved: HashMap<u64, u64> = HashMap::with_capacity(100);
    for map in [new, reserved] {
        let truth = Collected::of("value", &map);
        assert!(truth.tree.root().is_exact());
        for (what, falsify) in FALSIFICATIONS {
            let profile = falsified::with(Fault::Table(falsify), || Collected::of("value", &map));
            let right = profile.tree.total_bytes() == truth.tree.total_bytes();
            assert!(right || !profile.tree.root().is_exact(), "{what}: {profile:?}");
        }
    }
}

#[test]
fn a_falsified_control_pointer_is_found_out_by_the_first_entry() {
    assert!(tables_are_known());
    let owning: HashSet<String> = (0..100).map(|key| key.to_string()).collect();
    let elsewhere =
        |words: TableWords| words.map(|word| if word > 4096 { word + 65536 } else { word });
    falsified::with(Fault::Table(elsewhere), || {
        assert!(!Collected::of("value", &owning).tree.root().is_exact());
    });
}

#[test]
fn a_table_of_zero_sized_entries_has_control_bytes_only() {
    let buckets = Buckets { count: 4, certain: true };
    assert_eq!(buckets.bytes(0, 1), 4 + GROUP_WIDTH);
    assert_eq!(Buckets { count: 0, certain: true }.bytes(8, 8), 0);
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

fn words_show_length_and_room<S: BuildHasher + Default>() {
    let map: HashMap<u64, u64, S> = (0..5).map(|key| (key, key)).collect();
    let words = words_of_map(&map).expect("four words and a hasher");
    assert!(words.contains(&map.len()), "{words:?}");
    assert!(words.contains(&(map.capacity() - map.len())), "{words:?}");
    assert!(words.contains(&7), "{words:?}");
}

#[test]
fn the_words_of_a_table_are_found_beside_hashers_of_any_size() {
    words_show_length_and_room::<RandomState>();
    words_show_length_and_room::<BuildHasherDefault<DefaultHasher>>();
    words_show_length_and_room::<Seeds<1>>();
    words_show_length_and_room::<Seeds<4>>();
    words_show_length_and_room::<Seeds<8>>();
    words_show_length_and_room::<Seeds<33>>();
}
