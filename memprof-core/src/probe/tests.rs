//! What the probes say of values whose layout is known.

use super::{
    falsified, layout_behind_weak, leaf_of_emptied_btree_map, table_words, tree_layout_from,
};
use std::collections::{BTreeMap, HashMap};
use std::hash::{BuildHasherDefault, DefaultHasher, RandomState};
use std::rc::{Rc, Weak};

/// What builds hashers, and takes an awkward number of bytes.
struct Seeds<const N: usize>([u8; N]);

impl<const N: usize> Default for Seeds<N> {
    fn default() -> Self {
        Self([0xa5; N])
    }
}

impl<const N: usize> std::hash::BuildHasher for Seeds<N> {
    type Hasher = DefaultHasher;

    fn build_hasher(&self) -> DefaultHasher {
        assert_eq!(self.0, [0xa5; N]);
        DefaultHasher::new()
    }
}

fn words_show_length_and_room<S: std::hash::BuildHasher + Default>() {
    let map: HashMap<u64, u64, S> = (0..5).map(|key| (key, key)).collect();
    let words = table_words(&map, map.hasher()).expect("four words and a hasher");
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

#[test]
fn a_type_that_is_not_a_table_and_its_hasher_has_no_words() {
    assert_eq!(table_words(&[0_usize; 5], &()), None);
    assert_eq!(table_words(&[0_u8; 32], &()), None);
    // The hasher is not inside the map.
    assert_eq!(table_words(&[0_usize; 5], &0_usize), None);
}

#[test]
fn words_that_could_be_two_things_show_no_tree_layout() {
    assert!(tree_layout_from([0x7f00_0000, 0, 1]).is_some());
    assert!(tree_layout_from([1, 0x7f00_0000, 0]).is_some());
    assert!(tree_layout_from([0x7f00_0000, 0x7f00_0000, 1]).is_none());
    assert!(tree_layout_from([0x7f00_0000, 1, 1]).is_none());
    assert!(tree_layout_from([0, 0, 1]).is_none());
}

#[test]
fn an_emptied_tree_keeps_a_leaf_and_a_new_one_has_none() {
    let mut map = BTreeMap::new();
    assert_eq!(leaf_of_emptied_btree_map(&map), Some(0));
    map.insert(1, "one");
    assert_eq!(leaf_of_emptied_btree_map(&map), None, "it is not empty");
    map.remove(&1);
    assert_eq!(leaf_of_emptied_btree_map(&map).map(|leaf| leaf != 0), Some(true));
    map.clear();
    assert_eq!(leaf_of_emptied_btree_map(&map), Some(0));
}

#[test]
fn a_falsified_tree_layout_is_not_believed() {
    let mut map = BTreeMap::from([(1, 1)]);
    map.remove(&1);
    falsified::trees(|| assert_eq!(leaf_of_emptied_btree_map(&map), None));
}

#[test]
fn the_layout_behind_a_dead_handle_is_that_of_its_value() {
    assert_eq!(layout_behind_weak(Weak::<u64>::new().as_ptr()), None);
    let sized = Rc::downgrade(&Rc::new(1_u32));
    assert_eq!(layout_behind_weak(sized.as_ptr()), Some((4, 4)));
    let text = Rc::downgrade(&Rc::<str>::from("seven b"));
    assert_eq!(layout_behind_weak(text.as_ptr()), Some((7, 1)));
    let object: Weak<dyn Send> = Rc::downgrade(&(Rc::new(1_u128) as Rc<dyn Send>));
    assert_eq!(layout_behind_weak(object.as_ptr()), Some((16, align_of::<u128>())));
}
