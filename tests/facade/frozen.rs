//! Profiles by a `Profiler` equal ordinary profiles after each of many changes.

use memprof::large::{Frozen, Obstacle, Profiler};
use memprof::walk::Observer;
use memprof::{MemoryProfile, Profile};
use std::cell::{Cell, OnceCell, RefCell};
use std::collections::{BTreeMap, HashMap};
use std::rc::{Rc, Weak};
use std::sync::{Arc, Mutex};

/// A value with every kind of content that adds nodes to a tree.
#[derive(Clone, MemoryProfile)]
struct Node {
    name: String,
    rows: Vec<(u64, String)>,
    children: Vec<Frozen<Node>>,
    first: Option<Frozen<Node>>,
    words: Option<Frozen<str>>,
    leaf: Option<Frozen<[u8]>>,
    link: Option<Box<Node>>,
    #[profile(keyed(cap = 3))]
    keyed: BTreeMap<u8, Frozen<Node>>,
    extra: Extra,
}

/// Contents that prevent a value from being remembered, and `Nothing`, which does not.
#[derive(Clone, MemoryProfile)]
enum Extra {
    Nothing,
    Shared(Rc<Node>),
    Once(OnceCell<String>),
    Locked(Rc<Mutex<Vec<Frozen<Node>>>>),
    Cell(RefCell<Vec<Frozen<Node>>>),
    Map(HashMap<String, Vec<u8>>),
    Any(Frozen<Other>),
}

#[derive(Clone, MemoryProfile)]
struct Other {
    #[profile(role = "auxiliary")]
    nodes: Vec<Frozen<Node>>,
    #[profile(leaf)]
    node: Option<Box<Node>>,
}

/// A generator of random values (`SplitMix64`). It can reuse the nodes that it made before.
struct Random {
    state: u64,
    known: Vec<Frozen<Node>>,
    shared: Vec<Rc<Node>>,
}

impl Random {
    fn new(seed: u64) -> Self {
        Self { state: seed, known: Vec::new(), shared: Vec::new() }
    }

    fn next(&mut self) -> u64 {
        self.state = self.state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mixed = (self.state ^ self.state >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        mixed ^ mixed >> 31
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() % bound as u64) as usize
    }

    fn text(&mut self) -> String {
        let mut text = String::with_capacity(self.below(30));
        text.push_str(&"abcdefgh"[..self.below(8)]);
        text
    }

    /// Returns an existing node or a new one.
    fn frozen(&mut self, size: usize) -> Frozen<Node> {
        if !self.known.is_empty() && (size == 0 || self.below(3) == 0) {
            let index = self.below(self.known.len());
            return self.known[index].clone();
        }
        let node = Frozen::new(self.node(size / 2));
        if self.below(2) == 0 {
            self.known.push(node.clone());
        }
        node
    }

    fn several(&mut self, size: usize) -> Vec<Frozen<Node>> {
        let count = if size == 0 { 0 } else { self.below(4) };
        (0..count).map(|_| self.frozen(size)).collect()
    }

    fn extra(&mut self, size: usize) -> Extra {
        match self.below(30) {
            0 => {
                if self.shared.is_empty() || self.below(2) == 0 {
                    let node = Rc::new(self.node(size / 2));
                    self.shared.push(node);
                }
                let index = self.below(self.shared.len());
                Extra::Shared(self.shared[index].clone())
            }
            1 => Extra::Once(OnceCell::from(self.text())),
            2 => Extra::Locked(Rc::new(Mutex::new(self.several(size)))),
            3 => Extra::Cell(RefCell::new(self.several(size))),
            4 | 5 => Extra::Map((0..self.below(4)).map(|_| (self.text(), vec![1, 2, 3])).collect()),
            6 => Extra::Any(Frozen::new(Other {
                nodes: self.several(size),
                node: (size > 0).then(|| Box::new(self.node(size / 2))),
            })),
            _ => Extra::Nothing,
        }
    }

    fn node(&mut self, size: usize) -> Node {
        let some = |random: &mut Self| size != 0 && random.below(4) == 0;
        Node {
            name: self.text(),
            rows: (0..self.below(4)).map(|row| (row as u64, self.text())).collect(),
            children: self.several(size),
            first: some(self).then(|| self.frozen(size)),
            words: some(self).then(|| self.text().into()),
            leaf: some(self).then(|| vec![0; self.below(20)].into()),
            link: some(self).then(|| Box::new(self.node(size / 2))),
            keyed: if some(self) {
                (0..self.below(5)).map(|key| (key as u8, self.frozen(size / 2))).collect()
            } else {
                BTreeMap::new()
            },
            extra: self.extra(size),
        }
    }

    /// Replaces, drops, clones and unshares nodes.
    fn change(&mut self, root: &mut Vec<Frozen<Node>>) {
        for _ in 0..=self.below(4) {
            let index = self.below(root.len());
            match self.below(6) {
                0 => root[index] = self.frozen(16),
                1 => {
                    // A path is copied: all other nodes are shared with the old version.
                    let mut node = (*root[index]).clone();
                    node.name = self.text();
                    root[index] = Frozen::new(node);
                }
                2 => root.push(root[index].clone()),
                3 if root.len() > 1 => drop(root.swap_remove(index)),
                4 if !self.known.is_empty() => {
                    let index = self.below(self.known.len());
                    self.known.swap_remove(index);
                }
                _ => {
                    let child = root[index].children.first().cloned();
                    root.extend(child);
                }
            }
        }
    }
}

#[test]
fn profiles_equal_ordinary_ones_over_rounds_of_changes() {
    let (mut reused, mut walked, mut obstructed) = (0, 0, 0);
    for seed in 0..if cfg!(miri) { 2 } else { 300 } {
        let mut random = Random::new(seed);
        let mut root: Vec<Frozen<Node>> =
            (0..=random.below(6)).map(|_| random.frozen(24)).collect();
        let mut profiler = Profiler::new();
        for round in 0..12 {
            let profile = profiler.named("root", &root);
            assert_eq!(profile, Profile::named("root", &root), "seed {seed}, round {round}");
            reused += profiler.last().reused();
            walked += profiler.last().walked();
            obstructed += profiler.last().refused().map(|(_, count)| count).sum::<u64>();
            random.change(&mut root);
        }
    }
    assert!(
        obstructed > 1000 && reused > walked - obstructed,
        "{reused} reused, {walked} walked, {obstructed} of them each time"
    );
}

/// A list of frozen segments.
fn segments(count: usize) -> Vec<Frozen<Vec<String>>> {
    (0..count).map(|segment| Frozen::new(vec![format!("segment {segment}"); 20])).collect()
}

#[test]
fn only_replaced_segments_are_walked() {
    let mut segments = segments(100);
    let mut profiler = Profiler::new();
    let _ = profiler.profile(&segments);
    assert_eq!((profiler.last().reused(), profiler.last().walked()), (0, 100));
    segments[3] = Frozen::new(vec![String::from("new")]);
    segments.pop();
    let profile = profiler.named("segments", &segments);
    assert_eq!((profiler.last().reused(), profiler.last().walked()), (98, 1));
    assert_eq!(profile, Profile::named("segments", &segments));
    assert_eq!(profiler.len(), 99, "the popped and the replaced segment are forgotten");
}

#[test]
fn a_profiler_keeps_no_value_alive() {
    let outer = Frozen::new(vec![Frozen::new(String::from("inner"))]);
    let mut profiler = Profiler::new();
    let _ = (profiler.profile(&outer), profiler.profile(&outer));
    let mut inner = Frozen::try_unwrap(outer).expect("this is the only handle");
    let inner = Frozen::try_unwrap(inner.remove(0)).expect("this is the only handle");
    assert_eq!(inner, "inner");
    let _ = profiler.profile(&inner);
    assert!(profiler.is_empty(), "dropped values are forgotten");
}

#[test]
fn a_value_at_the_address_of_a_dropped_one_has_another_identity() {
    let mut profiler = Profiler::new();
    let (mut addresses, mut identities) = (Vec::new(), Vec::new());
    for len in 1..100_usize {
        let segment = [Frozen::new(vec![0_u8; len])];
        let profile = profiler.named("segment", &segment);
        assert_eq!(profile, Profile::named("segment", &segment));
        assert_eq!(profiler.last().reused(), 0);
        addresses.push(Frozen::as_ptr(&segment[0]).addr());
        identities.push(Frozen::identity(&segment[0]));
    }
    identities.dedup();
    assert!(identities.is_sorted() && identities.len() == 99);
    addresses.sort_unstable();
    addresses.dedup();
    assert!(cfg!(miri) || addresses.len() < 99, "the allocator reused no address");
}

/// A node of a persistent tree, whose new versions share most nodes with the old one.
#[derive(Clone, MemoryProfile)]
struct Branch {
    rows: Vec<(u64, String)>,
    children: Vec<Frozen<Branch>>,
}

/// Returns a persistent tree with `width` children at each node.
fn tree(depth: u32, width: usize) -> Frozen<Branch> {
    let children =
        if depth == 0 { vec![] } else { (0..width).map(|_| tree(depth - 1, width)).collect() };
    let rows = vec![(1, String::from("row")); 10];
    Frozen::new(Branch { rows, children })
}

/// Returns a version of a tree in which the first leaf is new.
fn with_new_leaf(node: &Frozen<Branch>) -> Frozen<Branch> {
    let mut node = (**node).clone();
    match node.children.first_mut() {
        Some(child) => *child = with_new_leaf(child),
        None => node.rows.clear(),
    }
    Frozen::new(node)
}

#[test]
fn a_new_version_of_a_persistent_tree_walks_the_copied_path() {
    let old = tree(4, 5);
    let mut profiler = Profiler::new();
    let _ = profiler.profile(&old);
    let nodes = profiler.last().walked();
    assert_eq!(nodes, 1 + 5 + 25 + 125 + 625);
    let new = with_new_leaf(&old);
    for version in [&new, &new] {
        let profile = profiler.named("tree", version);
        assert_eq!(profile, Profile::named("tree", version));
    }
    assert_eq!((profiler.last().walked(), profiler.last().reused()), (0, nodes));
    let next = with_new_leaf(&new);
    drop((old, new));
    let profile = profiler.named("tree", &next);
    assert_eq!(profile, Profile::named("tree", &next));
    assert_eq!((profiler.last().walked(), profiler.last().reused()), (5, nodes - 5));
}

#[test]
fn the_number_of_handles_is_that_of_today() {
    let inner = Frozen::new(vec![String::from("inner")]);
    let outer = Frozen::new(vec![inner.clone()]);
    let mut profiler = Profiler::new();
    let mut agrees = |expected: bool| {
        let profile = profiler.named("outer", &outer);
        assert_eq!(profile, Profile::named("outer", &outer));
        assert_eq!(profile.shared().allocations == 1, expected, "{profile}");
    };
    agrees(true);
    let more = inner.clone();
    agrees(true);
    drop(more);
    agrees(true);
    // Now the handle in `outer` is the only one, so the value is not shared.
    drop(inner);
    agrees(false);
    let again = outer[0].clone();
    agrees(true);
    drop(again);
    agrees(false);
}

#[test]
fn clones_and_drops_by_other_threads_are_noticed() {
    let inner: Vec<Frozen<Vec<u8>>> = (0..8).map(|len| Frozen::new(vec![0; 1 + len])).collect();
    let outer = Frozen::new(inner.clone());
    let mut profiler = Profiler::new();
    for round in 0..if cfg!(miri) { 3 } else { 200 } {
        let kept: Vec<_> = std::thread::scope(|scope| {
            let threads: Vec<_> = (0..2)
                .map(|thread| {
                    let inner = &inner;
                    scope.spawn(move || {
                        let clones: Vec<_> = inner.iter().cycle().take(50).cloned().collect();
                        clones[..(round + thread) % 7].to_vec()
                    })
                })
                .collect();
            for _ in 0..3 {
                assert!(profiler.profile(&outer).total_bytes() > 0);
            }
            threads.into_iter().flat_map(|thread| thread.join().expect("it ends")).collect()
        });
        assert_eq!(profiler.named("outer", &outer), Profile::named("outer", &outer));
        drop(kept);
        assert_eq!(profiler.named("outer", &outer), Profile::named("outer", &outer));
    }
}

/// Returns the number of values that are visited each time because of an obstacle.
fn refused<T: MemoryProfile>(value: T, obstacle: Obstacle) -> u64 {
    let values = [Frozen::new(value)];
    let mut profiler = Profiler::new();
    for _ in 0..2 {
        assert_eq!(profiler.named("values", &values), Profile::named("values", &values));
        assert_eq!((profiler.last().reused(), profiler.last().walked()), (0, 1));
    }
    profiler.last().refused().find(|refused| refused.0 == obstacle).map_or(0, |refused| refused.1)
}

#[derive(MemoryProfile)]
struct Follows(#[profile(follow)] &'static String);

#[derive(Hash, MemoryProfile)]
#[profile(shareable)]
struct Name(String);

#[test]
fn values_that_may_change_are_refused_with_the_reason() {
    let text = || String::from("text");
    let rc = Rc::new(text());
    let handle = Rc::clone(&rc);
    let static_text: &'static String = Box::leak(Box::new(text()));
    assert_eq!(refused(Rc::new(text()), Obstacle::SingleHandle), 1);
    assert_eq!(refused(rc, Obstacle::SharedHandle), 1);
    assert_eq!(refused(Rc::downgrade(&handle), Obstacle::SingleHandle), 1);
    assert_eq!(refused(Weak::<String>::new(), Obstacle::SingleHandle), 1);
    assert_eq!(refused(Arc::new(text()), Obstacle::SingleHandle), 1);
    assert_eq!(refused(RefCell::new(text()), Obstacle::Guard), 1);
    assert_eq!(refused(Mutex::new(text()), Obstacle::Guard), 1);
    assert_eq!(refused(OnceCell::from(text()), Obstacle::OnceCell), 1);
    assert_eq!(refused(OnceCell::<String>::new(), Obstacle::OnceCell), 1);
    assert_eq!(refused(vec![Some(Box::new(RefCell::new(text())))], Obstacle::Guard), 1);
    assert_eq!(refused(Follows(static_text), Obstacle::Reference), 1);
    assert_eq!(refused(Name(text()), Obstacle::Shareable), 1);
    drop(handle);
}

#[test]
fn a_changed_cell_in_a_frozen_value_is_seen() {
    let frozen = [Frozen::new((RefCell::new(vec![1_u8; 10]), OnceCell::<String>::new()))];
    let mut profiler = Profiler::new();
    for bytes in [10, 20, 30] {
        frozen[0].0.replace(vec![1; bytes]);
        if bytes == 20 {
            frozen[0].1.set(String::from("set")).expect("it is empty");
        }
        assert_eq!(profiler.named("frozen", &frozen), Profile::named("frozen", &frozen));
    }
}

#[test]
fn frozen_values_behind_a_lock_are_remembered() {
    let root = Mutex::new(segments(10));
    let mut profiler = Profiler::new();
    for reused in [0, 10] {
        assert_eq!(profiler.named("root", &root), Profile::named("root", &root));
        assert_eq!(profiler.last().reused(), reused);
    }
}

/// Stops a walk after a number of calls.
struct StopsAfter(Cell<u32>);

impl Observer for StopsAfter {
    fn stops(&mut self) -> bool {
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() == 0
    }
}

#[test]
fn a_stopped_walk_remembers_finished_values() {
    let values: Vec<_> =
        (0..100).map(|_| Frozen::new(vec![vec![String::from("a"); 2]; 100])).collect();
    let mut profiler = Profiler::new();
    let mut reached = Vec::new();
    let complete = Profile::named("values", &values);
    for _ in 0..100 {
        let profile = profiler.observed("values", &values, &mut StopsAfter(Cell::new(20)));
        assert!(profile.total_bytes() <= complete.total_bytes());
        reached.push(profile.total_bytes());
        if profile == complete {
            break;
        }
    }
    assert_eq!(reached.last(), Some(&complete.total_bytes()));
    assert!(reached.len() > 2 && reached.is_sorted(), "{reached:?}");
    assert_eq!(profiler.named("values", &values), complete);
    assert_eq!(profiler.last().reused(), 100);
}

/// Receives the addresses of blocks, and keeps the multiples of a number.
struct Blocks {
    addresses: Vec<usize>,
    keeps: usize,
}

impl Observer for Blocks {
    fn wants_blocks(&self) -> bool {
        true
    }

    fn block(&mut self, address: usize) {
        self.addresses.push(address);
    }

    fn keeps_block(&mut self, address: usize) -> bool {
        address.is_multiple_of(self.keeps)
    }
}

#[test]
fn an_observer_of_blocks_gets_all_addresses_until_a_profile_knew_the_value_before() {
    let segments = segments(5);
    for keeps in [1, 64] {
        let mut profiler = Profiler::new();
        let mut rounds = Vec::new();
        for reused in [0, 0, 5, 5] {
            let mut blocks = Blocks { addresses: Vec::new(), keeps };
            let profile = profiler.observed("segments", &segments, &mut blocks);
            assert_eq!(profile, Profile::named("segments", &segments));
            assert_eq!(profiler.last().reused(), reused);
            rounds.push(blocks.addresses);
            // An ordinary profile in between reuses the values too.
            let _ = profiler.named("segments", &segments);
            assert_eq!(profiler.last().reused(), 5);
        }
        // The list, and each segment with its list and its strings.
        assert_eq!(rounds[0].len(), 1 + 5 * (2 + 20));
        assert_eq!(rounds[0], rounds[1]);
        assert_eq!(rounds[2], rounds[3]);
        let shared = |address: &usize| {
            segments.iter().any(|segment| Frozen::as_ptr(segment).addr().abs_diff(*address) <= 64)
        };
        let mut all = rounds[0].clone();
        all.retain(|address| {
            address.is_multiple_of(keeps) || rounds[0][0] == *address || shared(address)
        });
        let mut kept = rounds[2].clone();
        kept.retain(|address| all.contains(address));
        assert_eq!(kept, rounds[2], "only kept addresses, and those of handles, are reported");
        assert!(
            rounds[0]
                .iter()
                .all(|address| !address.is_multiple_of(keeps) || kept.contains(address))
        );
    }
}

#[test]
fn a_panic_in_a_visit_leaves_the_profiler_usable() {
    struct Panics(Cell<bool>);

    impl MemoryProfile for Panics {
        fn owned<'a>(&'a self, _: &mut memprof::walk::Walk<'a>, _: memprof::walk::Position) {
            assert!(!self.0.get(), "the test requested this panic");
        }
    }

    let values = [Frozen::new((String::from("text"), Panics(Cell::new(true))))];
    let mut profiler = Profiler::new();
    let panicked = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| {
        let _ = profiler.profile(&values);
    }));
    assert!(panicked.is_err());
    values[0].1.0.set(false);
    assert_eq!(profiler.named("values", &values), Profile::named("values", &values));
}

#[test]
fn frozen_values_that_nest_deeply_need_no_deep_stack() {
    #[derive(MemoryProfile)]
    struct Link {
        next: Option<Frozen<Link>>,
        text: String,
    }

    let mut list = Frozen::new(Link { next: None, text: String::from("end") });
    for _ in 0..if cfg!(miri) { 100 } else { 20_000 } {
        list = Frozen::new(Link { next: Some(list), text: String::from("link") });
    }
    let mut profiler = Profiler::new();
    for _ in 0..2 {
        let profile = profiler.named("list", &list);
        assert_eq!(profile, Profile::named("list", &list));
        assert_eq!(profile.total_bytes(), memprof::total_bytes(&list));
    }
    assert_eq!(profiler.last().walked(), 0);
    // Dropping the list at once would recurse.
    let mut next = Some(list);
    while let Some(link) = next {
        next = Frozen::into_inner(link).and_then(|link| link.next);
    }
}
