//! Maps with unexpected words.

use super::{Seen, places, places_in};
use indexmap::IndexMap;
use std::hash::RandomState;

fn seen(map: &IndexMap<u32, u8, RandomState>) -> Seen {
    Seen::of_map(map)
}

#[test]
fn a_maps_words_are_found_and_believed() {
    let mut map: IndexMap<u32, u8, RandomState> = IndexMap::default();
    for number in 0..100 {
        let (capacity, buckets) = seen(&map).read().expect("the words are those of a map");
        assert!(
            capacity >= map.len() && (map.is_empty() || buckets.count > map.len()),
            "{capacity}, {buckets:?}"
        );
        map.insert(number, 0);
    }
}

#[test]
fn a_map_with_any_word_changed_is_not_believed() {
    let map: IndexMap<u32, u8, RandomState> = (0..20).map(|number| (number, 0)).collect();
    let places = places().expect("the layout is known");
    let words = seen(&map).words.expect("seven words and a hasher");
    for place in 0..words.len() {
        let mut changed = words;
        changed[place] = changed[place].wrapping_add(5);
        // The vector may have a larger capacity than the table allows to use, so no public figure
        // confirms it.
        let untold = place == places.capacity && map.capacity() < words[place];
        let believed = Seen { words: Some(changed), ..seen(&map) }.read().is_some();
        assert_eq!(believed, untold, "word {place} of {words:?}");
    }
}

#[test]
fn words_that_could_be_two_things_show_no_places() {
    let words = [0x7f00_0000, 7, 6, 1, 5, 0x7e00_0000, 1];
    assert!(places_in(words, 0x7e00_0000).is_some());
    for place in 1..words.len() {
        let mut changed = words;
        changed[place] = 4;
        assert!(places_in(changed, 0x7e00_0000).is_none(), "word {place}");
    }
}
