//! The place of a sample is in the program's own source, even if a function of the standard library
//! called the allocator.

use super::{now, sampling};
use memprof_heap::Rate;
use memprof_heap::site::Frame;
use std::collections::{BTreeMap, HashMap};
use std::hint::black_box;
use std::rc::Rc;

/// Asserts that allocations of `make` have a place in this file, at that line, with the name of
/// that function.
fn assert_place<T>(function: &str, line: u32, bytes: usize, make: impl FnOnce() -> T) {
    let _sampling = sampling(Rate::EACH_BLOCK);
    let kept = black_box(make());
    let sites = now();
    let is_it = |place: &Frame| {
        let file = place.file.as_deref().unwrap_or_default();
        file.ends_with("sampled/places.rs") && place.line == Some(line)
    };
    let site = sites
        .iter()
        .find(|site| site.location.as_ref().is_some_and(is_it))
        .unwrap_or_else(|| panic!("{sites}"));
    let place = site.location.as_ref().expect("it was found by it");
    assert!(place.function.as_deref().is_some_and(|name| name.contains(function)), "{place}");
    assert!(site.live.value >= bytes as f64, "{sites}");
    drop(kept);
}

#[inline(never)]
fn a_vector() -> (u32, Vec<u64>) {
    (line!(), (0..1000).collect())
}

#[inline(never)]
fn a_pushed_vector() -> (u32, Vec<u64>) {
    let mut vector = Vec::new();
    for number in 0..1000 {
        vector.push(number);
    }
    (line!() - 2, vector)
}

#[inline(never)]
fn a_box() -> (u32, Box<[u8; 5000]>) {
    (line!(), Box::new([1; 5000]))
}

#[inline(never)]
fn a_string() -> (u32, String) {
    (line!(), "abc".repeat(1000))
}

#[inline(never)]
fn a_formatted_string() -> (u32, String) {
    (line!(), format!("{:>2000}", "right"))
}

#[inline(never)]
fn a_map() -> (u32, HashMap<u64, u64>) {
    (line!(), (0..1000).map(|number| (number, number)).collect())
}

#[inline(never)]
fn a_tree() -> (u32, BTreeMap<u64, u64>) {
    (line!(), (0..1000).map(|number| (number, number)).collect())
}

#[inline(never)]
fn a_counted() -> (u32, Rc<[u16]>) {
    (line!(), Rc::from(vec![1; 3000]))
}

/// Allocates for its caller.
#[inline(never)]
fn generic<T: Clone>(value: T) -> (u32, Vec<T>) {
    (line!(), vec![value; 1000])
}

struct Table(u32, Vec<u32>);

impl Default for Table {
    #[inline(never)]
    fn default() -> Self {
        Self(line!(), vec![7; 1000])
    }
}

#[test]
fn a_vector_is_where_it_is_collected() {
    assert_place("a_vector", a_vector().0, 8000, a_vector);
}

#[test]
fn a_vector_is_where_it_is_pushed_to() {
    assert_place("a_pushed_vector", a_pushed_vector().0, 8000, a_pushed_vector);
}

#[test]
fn a_box_is_where_it_is_made() {
    assert_place("a_box", a_box().0, 5000, a_box);
}

#[test]
fn a_string_is_where_it_is_made() {
    assert_place("a_string", a_string().0, 3000, a_string);
}

#[test]
fn a_formatted_string_is_where_it_is_formatted() {
    assert_place("a_formatted_string", a_formatted_string().0, 2000, a_formatted_string);
}

#[test]
fn a_map_is_where_it_is_collected() {
    assert_place("a_map", a_map().0, 16_000, a_map);
}

#[test]
fn a_tree_is_where_it_is_collected() {
    assert_place("a_tree", a_tree().0, 16_000, a_tree);
}

#[test]
fn a_shared_slice_is_where_it_is_made() {
    assert_place("a_counted", a_counted().0, 6000, a_counted);
}

#[test]
fn generic_code_is_the_programs_own() {
    assert_place("generic", generic(1_u8).0, 16_000, || generic(1_u128));
}

#[test]
fn an_impl_of_a_std_trait_is_the_programs_own() {
    assert_place("Table", Table::default().0, 4000, || Table::default().1);
}
