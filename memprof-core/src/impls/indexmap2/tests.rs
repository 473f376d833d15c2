//! Maps with unexpected words.

use super::{RawMap, indices_in, word_indices};
use indexmap::IndexMap;
use std::hash::RandomState;

fn raw(map: &IndexMap<u32, u8, RandomState>) -> RawMap {
    RawMap::of_map(map)
}

#[test]
fn the_words_of_a_map_are_accepted() {
    let mut map: IndexMap<u32, u8, RandomState> = IndexMap::default();
    for number in 0..100 {
        let (capacity, buckets) = raw(&map).read().expect("the words are those of a map");
        assert!(
            capacity >= map.len() && (map.is_empty() || buckets.count > map.len()),
            "{capacity}, {buckets:?}"
        );
        map.insert(number, 0);
    }
}

#[test]
fn a_map_with_a_changed_word_is_rejected() {
    let map: IndexMap<u32, u8, RandomState> = (0..20).map(|number| (number, 0)).collect();
    let word_indices = word_indices().expect("the layout is known");
    let words = raw(&map).words.expect("seven words and a hasher");
    for index in 0..words.len() {
        let mut changed = words;
        changed[index] = changed[index].wrapping_add(5);
        // If the vector's capacity is larger than the table's, no public figure confirms the
        // vector's capacity.
        let is_unchecked = index == word_indices.capacity && map.capacity() < words[index];
        let is_accepted = RawMap { words: Some(changed), ..raw(&map) }.read().is_some();
        assert_eq!(is_accepted, is_unchecked, "word {index} of {words:?}");
    }
}

#[test]
fn ambiguous_words_have_no_indices() {
    let words = [0x7f00_0000, 7, 6, 1, 5, 0x7e00_0000, 1];
    assert!(indices_in(words, 0x7e00_0000).is_some());
    for index in 1..words.len() {
        let mut changed = words;
        changed[index] = 4;
        assert!(indices_in(changed, 0x7e00_0000).is_none(), "word {index}");
    }
}
