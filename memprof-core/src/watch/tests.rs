//! Walks that are stopped early, at any call of the observer.

use super::BETWEEN_ASKS;
use crate::MemoryProfile;
use crate::tensor::{Storage, Tensor};
use crate::tree::{Branch, Collected, Device, OpaqueReason};
use crate::walk::{Keyed, Observer, Position, Walk};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// Stops a walk after `asks` calls.
#[derive(Default)]
struct After {
    asks: u64,
    asked: u64,
    tells: bool,
    told: Vec<usize>,
}

impl Observer for After {
    fn stops(&mut self) -> bool {
        self.asked += 1;
        self.asked > self.asks
    }

    fn wants_blocks(&self) -> bool {
        self.tells
    }

    fn block(&mut self, address: usize) {
        self.told.push(address);
    }
}

fn after(asks: u64) -> After {
    After { asks, ..After::default() }
}

fn stopped_after<T: MemoryProfile + ?Sized>(asks: u64, value: &T) -> Collected {
    Collected::observed("value", value, &mut after(asks))
}

/// Returns the number of values not visited because the walk was stopped.
fn out_of_time(profile: &Collected) -> u64 {
    let marks = profile.tree.root().subtree().flat_map(Branch::opaque);
    marks.filter(|&(why, _)| why == OpaqueReason::OutOfTime).map(|(_, count)| count).sum()
}

/// Counts the visits of all its values.
struct Visited<'c>(&'c Cell<u64>);

impl MemoryProfile for Visited<'_> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.0.set(self.0.get() + 1);
        walk.allocation(at, 1, 1);
    }
}

const LEN: usize = 2_000;

fn texts() -> impl Iterator<Item = String> {
    (0..LEN).map(|number| number.to_string())
}

/// A map whose entries have paths of their own.
struct Named<M>(M);

impl<M: Keyed> MemoryProfile for Named<M> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.0.keyed(10, walk, at);
    }
}

/// References that are followed.
struct Followed<'t>(Vec<&'t String>);

impl MemoryProfile for Followed<'_> {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.0.owned(walk, at);
        crate::walk::Follow::follow(&self.0, walk, at);
    }
}

/// Calls `check` with a name, a collection of [`LEN`] values, and the number of values marked in a
/// walk that is stopped at once.
fn with_collections(check: impl Fn(&str, &dyn MemoryProfile, usize)) {
    let followed: Vec<String> = texts().collect();
    let pairs = || texts().map(|text| (text.clone(), text));
    check("Vec", &texts().collect::<Vec<_>>(), LEN);
    check("slice", &texts().collect::<Box<[_]>>(), 1);
    check("VecDeque", &texts().collect::<VecDeque<_>>(), LEN);
    check("BinaryHeap", &texts().collect::<BinaryHeap<_>>(), LEN);
    check("LinkedList", &texts().collect::<LinkedList<_>>(), LEN);
    check("HashSet", &texts().collect::<HashSet<_>>(), LEN);
    check("HashMap", &pairs().collect::<HashMap<_, _>>(), LEN);
    check("BTreeSet", &texts().collect::<BTreeSet<_>>(), LEN);
    check("BTreeMap", &pairs().collect::<BTreeMap<_, _>>(), LEN);
    check("flat BTreeMap", &(0..LEN).map(|n| (n, n)).collect::<BTreeMap<_, _>>(), LEN);
    check("keyed HashMap", &Named(pairs().collect::<HashMap<_, _>>()), LEN);
    check("keyed BTreeMap", &Named(pairs().collect::<BTreeMap<_, _>>()), LEN);
    check("in arrays", &texts().map(|text| [text]).collect::<Vec<_>>(), LEN);
    check("boxes", &texts().map(Box::new).collect::<Vec<_>>(), LEN);
    check("Rc", &texts().map(Rc::new).collect::<Vec<_>>(), LEN);
    check("Arc", &texts().map(Arc::new).collect::<Vec<_>>(), LEN);
    check("tuples", &pairs().collect::<Vec<_>>(), LEN);
    check("in a Mutex", &Mutex::new(texts().collect::<Vec<_>>()), LEN);
    check("in a RefCell", &RefCell::new(pairs().collect::<HashMap<_, _>>()), LEN);
    check("in vectors", &texts().map(|text| vec![text]).collect::<Vec<_>>(), LEN);
    check("followed", &Followed(followed.iter().collect()), LEN);
}

#[test]
fn a_walk_ended_at_once_marks_every_value_and_keeps_their_own_bytes() {
    with_collections(|name, value, marked| {
        let (whole, stopped) = (Collected::of("value", value), stopped_after(0, value));
        assert_eq!(out_of_time(&stopped), marked as u64, "{name}");
        assert!(!stopped.tree.root().is_exact(), "{name}");
        assert!(stopped.tree.total_bytes() <= whole.tree.total_bytes(), "{name}");
        let inline = if name == "followed" { 0 } else { LEN * size_of::<usize>() };
        assert!(stopped.tree.total_bytes() >= inline as u64, "{name}: {stopped:?}");
        if marked == LEN {
            assert!(stopped.tree.root().counts().values >= LEN as u64, "{name}");
        }
    });
}

#[test]
fn the_later_a_walk_ends_the_more_it_found_and_in_the_end_all() {
    with_collections(|name, value, _| {
        let whole = Collected::of("value", value);
        let mut before = 0;
        for asks in 0..40 {
            let stopped = stopped_after(asks, value);
            assert!(stopped.tree.total_bytes() >= before, "{name} after {asks}");
            assert!(stopped.tree.total_bytes() <= whole.tree.total_bytes(), "{name} after {asks}");
            assert_eq!(stopped == whole, stopped.tree.root().is_exact(), "{name} after {asks}");
            before = stopped.tree.total_bytes();
        }
        assert_eq!(stopped_after(u64::MAX, value), whole, "{name}");
    });
}

#[test]
fn whoever_is_told_addresses_gets_the_same_profile() {
    with_collections(|name, value, _| {
        let mut teller = After { tells: true, ..after(u64::MAX) };
        let told = Collected::observed("value", value, &mut teller);
        assert_eq!(told, Collected::of("value", value), "{name}");
        let (told, found) = (teller.told.len() as u64, counted_allocations(&told));
        assert!(told >= found, "{name}: {told} addresses, {found} allocations");
        let mut silent = after(u64::MAX);
        Collected::observed("value", value, &mut silent).tree.total_bytes();
        assert!(silent.told.is_empty(), "{name}");
    });
}

fn counted_allocations(profile: &Collected) -> u64 {
    profile.tree.root().subtree().map(|branch| branch.counts().allocations).sum()
}

#[test]
fn a_million_values_end_right_where_the_observer_says_so() {
    let visits = Cell::new(0);
    let values: Vec<_> = (0..1_000_000).map(|_| Visited(&visits)).collect();
    for (asks, tells) in [(0, false), (0, true), (1, false), (1, true), (100, false), (100, true)] {
        visits.set(0);
        let mut observer = After { tells, ..after(asks) };
        let profile = Collected::observed("values", &values, &mut observer);
        assert_eq!(visits.get(), asks * BETWEEN_ASKS as u64);
        assert_eq!(out_of_time(&profile), 1_000_000 - visits.get());
        assert_eq!(observer.asked, asks + 1, "it isn't asked again");
    }
}

#[test]
fn once_ended_each_slice_that_the_walk_is_in_goes_on_for_a_few_values_at_most() {
    let visits = Cell::new(0);
    let row = || -> Vec<_> { (0..1_000).map(|_| Visited(&visits)).collect() };
    let rows: Vec<_> = (0..1_000).map(|_| (row(), Visited(&visits))).collect();
    for asks in [1, 2, 10, 1_000] {
        visits.set(0);
        let profile = stopped_after(asks, &rows);
        // In the rows already begun, the fields next to their vectors are still visited.
        assert!(visits.get() <= (asks + 1) * BETWEEN_ASKS as u64, "{} visits", visits.get());
        assert!(!profile.tree.root().is_exact());
    }
}

/// A list with each node behind a pointer.
struct Node {
    next: Option<Box<Self>>,
}

impl MemoryProfile for Node {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.next.owned(walk, at);
    }
}

#[test]
fn a_list_of_a_million_boxes_ends_too() {
    let mut list = Node { next: None };
    for _ in 0..1_000_000 {
        list = Node { next: Some(Box::new(list)) };
    }
    for asks in [0, 1, 7] {
        let mut observer = after(asks);
        let profile = Collected::observed("list", &list, &mut observer);
        assert_eq!(out_of_time(&profile), 1);
        assert_eq!(observer.asked, asks + 1);
        let most = (asks * BETWEEN_ASKS as u64 + 2) * size_of::<Node>() as u64;
        assert!(profile.tree.total_bytes() <= most, "{profile:?}");
    }
    while let Some(node) = list.next.take() {
        list = *node;
    }
}

#[test]
fn what_was_visited_and_what_was_not_are_all_there_is() {
    let profile = stopped_after(1, &texts().collect::<Vec<_>>());
    let branches = profile.tree.root().subtree();
    let allocations: u64 = branches.map(|branch| branch.counts().allocations).sum();
    assert_eq!((out_of_time(&profile), allocations), (1_744, 257));
}

#[test]
fn values_that_cannot_be_shared_any_more_are_not_looked_at() {
    /// A value that must not be hashed.
    struct Unhashed;

    impl std::hash::Hash for Unhashed {
        fn hash<H: std::hash::Hasher>(&self, _: &mut H) {
            panic!("there is no time for it");
        }
    }

    impl MemoryProfile for Unhashed {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            walk.shareable(at, self, |_| {});
        }
    }

    let values = (vec![String::new()], Unhashed);
    assert_eq!(out_of_time(&stopped_after(0, &values)), 1);
}

#[test]
fn tensors_tell_where_they_are_in_this_process_and_not_in_a_device() {
    struct Weights(Device);

    impl MemoryProfile for Weights {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            let storage = Storage { address: 0x7f00, bytes: 64, handles: Some(1) };
            walk.tensor(at, &Tensor::new(self.0, "f32", &[16], 64).storage(storage));
        }
    }

    for (device, address) in [(Device::Cpu, Some(0x7f00)), (Device::Cuda(0), None)] {
        let mut observer = After { tells: true, ..after(9) };
        let profile = Collected::observed("weights", &Weights(device), &mut observer);
        assert_eq!(profile.tensors.largest[0].address, address);
        assert_eq!(observer.told, Vec::from_iter(address));
    }
}
