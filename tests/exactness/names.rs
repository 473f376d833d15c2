//! Looking up a known name allocates nothing.

use crate::allocator::calls;
use memprof::walk::{Keyed, Position, Walk};
use memprof::{MemoryProfile, Profile};
use std::cell::Cell;
use std::collections::{BTreeMap, HashMap};

/// A value whose walk adds the same contents twice at one position. It counts the allocations of
/// the second addition.
struct Twice<T> {
    value: T,
    add: for<'a> fn(&'a T, &mut Walk<'a>, Position),
    allocations: Cell<Option<u64>>,
}

impl<T> MemoryProfile for Twice<T> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        (self.add)(&self.value, walk, at);
        let before = calls();
        (self.add)(&self.value, walk, at);
        self.allocations.set(Some(calls() - before));
    }
}

#[track_caller]
fn assert_allocates_once<T>(value: T, add: for<'a> fn(&'a T, &mut Walk<'a>, Position)) {
    let twice = Twice { value, add, allocations: Cell::new(None) };
    let profile = Profile::named("twice", &twice);
    assert!(profile.root().children().count() > 1, "{profile}");
    assert_eq!(twice.allocations.get(), Some(0));
}

fn names() -> impl Iterator<Item = String> {
    (0..1000).map(|name| format!("the name of entry {name}"))
}

#[test]
fn a_known_entry_is_found_without_an_allocation() {
    assert_allocates_once(names().collect::<Vec<_>>(), |names, walk, at| {
        for name in names {
            let entry = walk.entry(at, name);
            walk.count_values(entry, 1);
        }
    });
}

#[test]
fn known_entries_of_a_keyed_map_are_found_without_an_allocation() {
    let entries = || names().map(|name| (name, 1_u8));
    for (hash, tree) in [
        (entries().collect::<HashMap<_, _>>(), entries().collect::<BTreeMap<_, _>>()),
        (entries().take(9).collect(), entries().take(9).collect()),
    ] {
        assert_allocates_once(hash.clone(), |map, walk, at| map.keyed(1000, walk, at));
        assert_allocates_once(tree.clone(), |map, walk, at| map.keyed(1000, walk, at));
        // There are fewer names than keys. The other entries are in `[other]`, whose name is known
        // too.
        assert_allocates_once(hash, |map, walk, at| map.keyed(5, walk, at));
        assert_allocates_once(tree, |map, walk, at| map.keyed(5, walk, at));
    }
}
