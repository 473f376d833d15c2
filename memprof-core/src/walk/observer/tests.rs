//! Walks that are stopped early, at any call of the observer.

use super::CHECK_INTERVAL;
use crate::MemoryProfile;
use crate::tensor::{Storage, Tensor};
use crate::tree::{Branch, Collected, Device, OpaqueReason};
use crate::walk::{Keyed, Observer, Position, Walk};
use std::cell::{Cell, RefCell};
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, LinkedList, VecDeque};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// Stops a walk after `calls` calls.
#[derive(Default)]
struct StopAfter {
    calls: u64,
    called: u64,
    wants_addresses: bool,
    addresses: Vec<usize>,
}

impl Observer for StopAfter {
    fn stops(&mut self) -> bool {
        self.called += 1;
        self.called > self.calls
    }

    fn wants_blocks(&self) -> bool {
        self.wants_addresses
    }

    fn block(&mut self, address: usize) {
        self.addresses.push(address);
    }
}

fn after(calls: u64) -> StopAfter {
    StopAfter { calls, ..StopAfter::default() }
}

fn stopped_after<T: MemoryProfile + ?Sized>(calls: u64, value: &T) -> Collected {
    Collected::observed("value", value, &mut after(calls))
}

/// Returns the number of values not visited because the walk was stopped.
fn unvisited(profile: &Collected) -> u64 {
    let marks = profile.tree.root().subtree().flat_map(Branch::opaque);
    marks.filter(|&(reason, _)| reason == OpaqueReason::Stopped).map(|(_, count)| count).sum()
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
fn a_walk_stopped_at_once_marks_every_value_and_keeps_their_own_bytes() {
    with_collections(|name, value, marked| {
        let (whole, stopped) = (Collected::of("value", value), stopped_after(0, value));
        assert_eq!(unvisited(&stopped), marked as u64, "{name}");
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
fn a_walk_that_stops_later_finds_more_bytes() {
    with_collections(|name, value, _| {
        let whole = Collected::of("value", value);
        let mut before = 0;
        for calls in 0..40 {
            let stopped = stopped_after(calls, value);
            assert!(stopped.tree.total_bytes() >= before, "{name} after {calls}");
            assert!(stopped.tree.total_bytes() <= whole.tree.total_bytes(), "{name} after {calls}");
            assert_eq!(stopped == whole, stopped.tree.root().is_exact(), "{name} after {calls}");
            before = stopped.tree.total_bytes();
        }
        assert_eq!(stopped_after(u64::MAX, value), whole, "{name}");
    });
}

#[test]
fn an_observer_of_addresses_gets_the_same_profile() {
    with_collections(|name, value, _| {
        let mut observer = StopAfter { wants_addresses: true, ..after(u64::MAX) };
        let collected = Collected::observed("value", value, &mut observer);
        assert_eq!(collected, Collected::of("value", value), "{name}");
        let (addresses, allocations) =
            (observer.addresses.len() as u64, counted_allocations(&collected));
        assert!(
            addresses >= allocations,
            "{name}: {addresses} addresses, {allocations} allocations"
        );
        let mut without_addresses = after(u64::MAX);
        Collected::observed("value", value, &mut without_addresses).tree.total_bytes();
        assert!(without_addresses.addresses.is_empty(), "{name}");
    });
}

fn counted_allocations(profile: &Collected) -> u64 {
    profile.tree.root().subtree().map(|branch| branch.counts().allocations).sum()
}

#[test]
fn a_slice_of_a_million_values_stops_at_the_observers_call() {
    let visits = Cell::new(0);
    let values: Vec<_> = (0..1_000_000).map(|_| Visited(&visits)).collect();
    for (calls, wants_addresses) in
        [(0, false), (0, true), (1, false), (1, true), (100, false), (100, true)]
    {
        visits.set(0);
        let mut observer = StopAfter { wants_addresses, ..after(calls) };
        let profile = Collected::observed("values", &values, &mut observer);
        assert_eq!(visits.get(), calls * CHECK_INTERVAL as u64);
        assert_eq!(unvisited(&profile), 1_000_000 - visits.get());
        assert_eq!(observer.called, calls + 1, "it is not called again");
    }
}

#[test]
fn a_stopped_walk_visits_a_bounded_number_of_values_in_each_open_slice() {
    let visits = Cell::new(0);
    let row = || -> Vec<_> { (0..1_000).map(|_| Visited(&visits)).collect() };
    let rows: Vec<_> = (0..1_000).map(|_| (row(), Visited(&visits))).collect();
    for calls in [1, 2, 10, 1_000] {
        visits.set(0);
        let profile = stopped_after(calls, &rows);
        // The walk still visits the other fields of a row whose vector it has begun.
        assert!(visits.get() <= (calls + 1) * CHECK_INTERVAL as u64, "{} visits", visits.get());
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
fn a_list_of_a_million_boxes_stops() {
    let mut list = Node { next: None };
    for _ in 0..1_000_000 {
        list = Node { next: Some(Box::new(list)) };
    }
    for calls in [0, 1, 7] {
        let mut observer = after(calls);
        let profile = Collected::observed("list", &list, &mut observer);
        assert_eq!(unvisited(&profile), 1);
        assert_eq!(observer.called, calls + 1);
        let max_bytes = (calls * CHECK_INTERVAL as u64 + 2) * size_of::<Node>() as u64;
        assert!(profile.tree.total_bytes() <= max_bytes, "{profile:?}");
    }
    while let Some(node) = list.next.take() {
        list = *node;
    }
}

#[test]
fn visited_and_unvisited_values_add_up() {
    let profile = stopped_after(1, &texts().collect::<Vec<_>>());
    let branches = profile.tree.root().subtree();
    let allocations: u64 = branches.map(|branch| branch.counts().allocations).sum();
    assert_eq!((unvisited(&profile), allocations), (1_744, 257));
}

#[test]
fn a_stopped_walk_does_not_hash_shareable_values() {
    /// A value that must not be hashed.
    struct Unhashed;

    impl std::hash::Hash for Unhashed {
        fn hash<H: std::hash::Hasher>(&self, _: &mut H) {
            panic!("the walk was stopped");
        }
    }

    impl MemoryProfile for Unhashed {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            walk.shareable(at, self, |_| {});
        }
    }

    let values = (vec![String::new()], Unhashed);
    assert_eq!(unvisited(&stopped_after(0, &values)), 1);
}

#[test]
fn only_tensors_in_host_memory_report_their_address() {
    struct Weights(Device);

    impl MemoryProfile for Weights {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            let storage = Storage { address: 0x7f00, bytes: 64, handles: Some(1) };
            walk.tensor(at, &Tensor::new(self.0, "f32", &[16], 64).storage(storage));
        }
    }

    for (device, address) in [(Device::Cpu, Some(0x7f00)), (Device::Cuda(0), None)] {
        let mut observer = StopAfter { wants_addresses: true, ..after(9) };
        let profile = Collected::observed("weights", &Weights(device), &mut observer);
        assert_eq!(profile.tensors.largest()[0].address(), address);
        assert_eq!(observer.addresses, Vec::from_iter(address));
    }
}

#[test]
fn an_observed_walk_counts_shared_keys_and_values_where_any_other_walk_does() {
    let keys: Vec<Rc<str>> = (0..33).map(|key| Rc::from(format!("key {key:02}"))).collect();
    let next = |index: usize| Rc::clone(&keys[index + 1]);
    let map: BTreeMap<Rc<str>, Rc<str>> =
        (0..32).map(|index| (Rc::clone(&keys[index]), next(index))).collect();
    let lists: BTreeMap<Vec<Rc<str>>, Vec<Rc<str>>> =
        (0..32).map(|index| (vec![Rc::clone(&keys[index])], vec![next(index)])).collect();
    // After the slice, the observer is due in the middle of a group.
    let value = (vec![String::from("x"); 240], map, lists);
    let plain = Collected::of("value", &value);
    let observed = Collected::observed("value", &value, &mut after(u64::MAX));
    assert_eq!(observed, plain);
}

#[test]
fn a_deep_map_is_one_entry_of_the_work_list_and_calls_the_observer() {
    struct Nest(Option<Box<Nest>>, HashMap<String, String>);

    impl MemoryProfile for Nest {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            self.0.owned(walk, at);
            self.1.owned(walk, at);
        }
    }

    let map = (0..10_000).map(|key| (format!("{key}"), String::from("value"))).collect();
    let mut nest = Nest(None, map);
    for _ in 0..70 {
        nest = Nest(Some(Box::new(nest)), HashMap::new());
    }
    let mut observer = after(u64::MAX);
    let complete = Collected::observed("nest", &nest, &mut observer);
    assert_eq!(complete, Collected::of("nest", &nest));
    assert!(observer.called >= 10_000 / CHECK_INTERVAL as u64, "{}", observer.called);
    let stopped = Collected::observed("nest", &nest, &mut after(1));
    assert!(!stopped.tree.root().is_exact());
}

#[test]
fn a_map_without_text_that_was_not_reported_is_not_exact() {
    let map = BTreeMap::from([(1_u8, 2_u8)]);
    let mut observer = StopAfter { wants_addresses: true, ..after(0) };
    let stopped = Collected::observed("map", &map, &mut observer);
    assert!(observer.addresses.is_empty());
    assert!(!stopped.tree.root().is_exact());
}
