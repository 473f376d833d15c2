//! The totals of shared memory, compared with what the allocator frees when the values are dropped.

use crate::allocator::{live_bytes, owned_by};
use crate::random::Random;
use memprof::walk::{Position, Walk};
use memprof::{MemoryProfile, Profile};
use memprof_test_support::rounds;
use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::{Rc, Weak};
use std::sync::{self, Arc, Mutex, RwLock};

/// Bytes of a pointer.
const WORD: u64 = size_of::<usize>() as u64;

/// Returns the number of random graphs of each kind.
fn graphs() -> u64 {
    if cfg!(miri) { 20 } else { rounds(10_000, 50_000) }
}

/// The bytes of an allocation around a vertex: two counts and the vertex.
pub(crate) const AROUND: u64 = 2 * WORD + size_of::<Vertex>() as u64;

/// A vertex of a graph of handles, with bytes of its own.
#[derive(MemoryProfile)]
pub(crate) struct Vertex {
    pub(crate) edges: Edges,
    bytes: Vec<u8>,
}

/// The handles inside a vertex.
#[derive(MemoryProfile)]
pub(crate) enum Edges {
    Cell(RefCell<Vec<Handle>>),
    Mutex(Mutex<Vec<Handle>>),
    RwLock(RwLock<Vec<Handle>>),
}

#[derive(Clone, MemoryProfile)]
pub(crate) enum Handle {
    Rc(Rc<Vertex>),
    Arc(Arc<Vertex>),
    WeakRc(Weak<Vertex>),
    WeakArc(sync::Weak<Vertex>),
}

impl Edges {
    fn random(random: &mut Random) -> Self {
        match random.below(3) {
            0 => Self::Cell(RefCell::default()),
            1 => Self::Mutex(Mutex::default()),
            _ => Self::RwLock(RwLock::default()),
        }
    }

    pub(crate) fn with<R>(&self, read: impl FnOnce(&mut Vec<Handle>) -> R) -> R {
        match self {
            Self::Cell(edges) => read(&mut edges.borrow_mut()),
            Self::Mutex(edges) => read(&mut edges.lock().expect("nobody panicked")),
            Self::RwLock(edges) => read(&mut edges.write().expect("nobody panicked")),
        }
    }
}

impl Handle {
    #[expect(clippy::arc_with_non_send_sync, reason = "one graph has handles of both kinds")]
    pub(crate) fn random(random: &mut Random) -> Self {
        let bytes = Vec::with_capacity(random.below(50));
        let vertex = Vertex { edges: Edges::random(random), bytes };
        if random.flip() { Self::Rc(Rc::new(vertex)) } else { Self::Arc(Arc::new(vertex)) }
    }

    pub(crate) fn weak(&self) -> Self {
        match self {
            Self::Rc(vertex) => Self::WeakRc(Rc::downgrade(vertex)),
            Self::Arc(vertex) => Self::WeakArc(Arc::downgrade(vertex)),
            weak => weak.clone(),
        }
    }

    /// Returns the vertex if this handle owns it.
    pub(crate) fn vertex(&self) -> Option<&Vertex> {
        match self {
            Self::Rc(vertex) => Some(vertex),
            Self::Arc(vertex) => Some(vertex),
            Self::WeakRc(_) | Self::WeakArc(_) => None,
        }
    }

    pub(crate) fn address(&self) -> usize {
        match self {
            Self::Rc(vertex) => Rc::as_ptr(vertex).addr(),
            Self::Arc(vertex) => Arc::as_ptr(vertex).addr(),
            Self::WeakRc(vertex) => vertex.as_ptr().addr(),
            Self::WeakArc(vertex) => vertex.as_ptr().addr(),
        }
    }

    pub(crate) fn strong_count(&self) -> usize {
        match self {
            Self::Rc(vertex) => Rc::strong_count(vertex),
            Self::Arc(vertex) => Arc::strong_count(vertex),
            Self::WeakRc(vertex) => vertex.strong_count(),
            Self::WeakArc(vertex) => vertex.strong_count(),
        }
    }

    pub(crate) fn upgrade(&self) -> Option<Self> {
        match self {
            Self::WeakRc(vertex) => vertex.upgrade().map(Self::Rc),
            Self::WeakArc(vertex) => vertex.upgrade().map(Self::Arc),
            strong => Some(strong.clone()),
        }
    }
}

impl Vertex {
    /// Returns the bytes of the vertex and of its buffers.
    pub(crate) fn bytes(&self) -> u64 {
        let edges = self.edges.with(|edges| edges.capacity() * size_of::<Handle>());
        AROUND + (edges + self.bytes.capacity()) as u64
    }
}

/// Returns the addresses and the own bytes of all vertices that handles lead to.
fn reachable(handles: &[Handle]) -> HashMap<usize, u64> {
    let mut found = HashMap::new();
    let mut waiting = handles.to_vec();
    while let Some(handle) = waiting.pop() {
        let Some(vertex) = handle.vertex() else { continue };
        if found.insert(handle.address(), vertex.bytes()).is_none() {
            vertex.edges.with(|edges| waiting.extend(edges.iter().cloned()));
        }
    }
    found
}

/// Returns the vertices of a random graph. If `cyclic` is `false`, edges lead only to vertices
/// created earlier.
fn random_vertices(random: &mut Random, cyclic: bool) -> Vec<Handle> {
    let count = 1 + random.below(8);
    let all: Vec<Handle> = (0..count).map(|_| Handle::random(random)).collect();
    for _ in 0..random.below(count * 3) {
        let (from, to) = (random.below(count), random.below(count));
        let edge = if random.below(4) == 0 { all[to].weak() } else { all[to].clone() };
        if cyclic || to < from || edge.vertex().is_none() {
            all[from].vertex().expect("it is strong").edges.with(|edges| edges.push(edge));
        }
    }
    all
}

/// Returns handles to random vertices.
fn some(random: &mut Random, all: &[Handle], most: usize) -> Vec<Handle> {
    (0..random.below(most)).map(|_| all[random.below(all.len())].clone()).collect()
}

/// Profiles the root of a random graph, and compares the profile with what the allocator frees when
/// the root and the handles outside it are dropped.
fn check(seed: u64, cyclic: bool) {
    let random = &mut Random::new(seed);
    let all = random_vertices(random, cyclic);
    let (root, outside) = (some(random, &all, 5), some(random, &all, 3));
    // These handles keep the allocation around each vertex, and nothing else.
    let weak: Vec<Handle> = all.iter().map(Handle::weak).collect();
    drop(all);
    // The number of handles to the allocation of a dropped value is unknown.
    for vertex in weak.iter().filter_map(Handle::upgrade) {
        let edges = &vertex.vertex().expect("it is strong").edges;
        edges.with(|edges| edges.retain(|edge| edge.strong_count() > 0));
    }

    let of_root = reachable(&root);
    // A cycle that leaked already may hold vertices too.
    let elsewhere = weak.iter().filter_map(Handle::upgrade);
    let elsewhere = elsewhere.filter(|handle| !of_root.contains_key(&handle.address()));
    let held = reachable(&elsewhere.chain(outside.iter().cloned()).collect::<Vec<_>>());
    let own = (size_of::<Vec<Handle>>() + root.capacity() * size_of::<Handle>()) as u64;
    let alive = |weak: &&Handle| weak.strong_count() > 0;
    let shared: Vec<&Handle> = weak.iter().filter(|weak| weak.strong_count() > 1).collect();
    let shared = shared.iter().filter(|weak| of_root.contains_key(&weak.address())).count();
    let profile = Profile::of(&root);
    let sharing = profile.sharing();
    assert!(profile.is_exact() && !sharing.is_upper_bound, "seed {seed}");
    assert_eq!(profile.total_bytes(), own + of_root.values().sum::<u64>(), "seed {seed}: total");
    assert_eq!(sharing.allocations, shared as u64, "seed {seed}: allocations");

    let before = live_bytes();
    drop(root);
    let freed = (before - live_bytes()) as u64 + size_of::<Vec<Handle>>() as u64;
    assert_eq!(sharing.retained_bytes, freed, "seed {seed}: freed");
    let held_of =
        |(address, bytes): (&usize, &u64)| if held.contains_key(address) { *bytes } else { AROUND };
    let held_bytes: u64 = of_root.iter().map(held_of).sum();
    assert_eq!(sharing.externally_held_bytes, held_bytes, "seed {seed}: externally held");
    let is_leaked = |weak: &&Handle| {
        of_root.contains_key(&weak.address()) && !held.contains_key(&weak.address())
    };
    let leaked = weak.iter().filter(alive).filter(is_leaked);
    let leaked: u64 = leaked.map(|weak| of_root[&weak.address()] - AROUND).sum();
    assert_eq!(sharing.leaked_bytes, leaked, "seed {seed}: leaked");
    assert!(cyclic || sharing.leaked_bytes == 0, "seed {seed}: leaked without a cycle");

    drop(outside);
    for vertex in weak.iter().filter_map(Handle::upgrade) {
        let edges = vertex.vertex().map(|vertex| vertex.edges.with(std::mem::take));
        drop(edges);
    }
}

#[test]
fn dropping_the_root_of_an_acyclic_graph_frees_what_its_profile_says() {
    (0..graphs()).for_each(|seed| check(seed, false));
}

#[test]
fn dropping_the_root_of_a_cyclic_graph_frees_and_leaks_what_its_profile_says() {
    (0..graphs()).for_each(|seed| check(seed, true));
}

/// Profiles a root that has all weak handles too, in front or behind, and compares the profile with
/// what the allocator frees.
#[test]
fn an_allocation_goes_with_the_last_weak_handle() {
    for seed in 0..graphs() {
        let random = &mut Random::new(seed);
        let all = random_vertices(random, seed % 2 == 0);
        let outside = some(random, &all, 3);
        let mut root = [Vec::new(), some(random, &all, 5), Vec::new()];
        for handle in &all {
            let place = [0, 2][random.below(2)];
            root[place].extend((random.below(4) > 0).then(|| handle.weak()));
        }
        // Of other handles, the number is unknown.
        let alive = root[1].iter().chain(&outside).cloned().collect::<Vec<_>>();
        let reached = reachable(&alive);
        for weak in [0, 2] {
            root[weak].retain(|handle| reached.contains_key(&handle.address()));
        }
        let cells = all.iter().map(|one| &one.vertex().expect("it is strong").edges);
        cells.for_each(|edges| {
            edges.with(|edges| edges.retain(|edge| reached.contains_key(&edge.address())));
        });
        drop((alive, all));

        let sharing = Profile::of(&root).sharing();
        let before = live_bytes();
        drop(root);
        let freed = (before - live_bytes()) as u64 + 3 * size_of::<Vec<Handle>>() as u64;
        assert_eq!(sharing.retained_bytes, freed, "seed {seed}: freed");
        for vertex in &outside {
            drop(vertex.vertex().map(|vertex| vertex.edges.with(std::mem::take)));
        }
    }
}

#[test]
fn a_weak_handle_outside_keeps_the_allocation_and_not_what_its_value_owns() {
    let (text, array) = (Rc::new(String::from("text")), Arc::new([0_u64; 100]));
    let outside = (Rc::downgrade(&text), Arc::downgrade(&array));
    let root = (text, [array.clone(), array]);
    let sharing = Profile::of(&root).sharing();
    assert_eq!(sharing.externally_held_bytes, 5 * WORD + 102 * WORD);
    let before = live_bytes();
    drop(root);
    assert_eq!((before - live_bytes()) as u64, 4);
    assert_eq!(sharing.retained_bytes, 3 * WORD + 4);
    drop(outside);
}

#[test]
fn a_weak_handle_outside_keeps_an_allocation_whose_value_a_function_profiles() {
    #[derive(MemoryProfile)]
    struct Root {
        #[profile(each = String::owned)]
        text: Rc<String>,
        #[profile(each = String::owned)]
        name: Arc<String>,
        same_name: Arc<String>,
    }
    let (text, name) = (Rc::new(String::from("text")), Arc::new(String::from("name")));
    let outside = (Rc::downgrade(&text), Arc::downgrade(&name));
    let root = Root { text, same_name: name.clone(), name };
    let sharing = Profile::of(&root).sharing();
    assert_eq!(sharing.externally_held_bytes, 2 * 5 * WORD);
    let before = live_bytes();
    drop(root);
    assert_eq!((before - live_bytes()) as u64, 2 * 4);
    assert_eq!(sharing.retained_bytes, 3 * WORD + 2 * 4);
    drop(outside);
}

#[derive(MemoryProfile)]
struct App {
    bytes: Vec<u8>,
    parts: RwLock<Vec<Part>>,
}

#[derive(MemoryProfile)]
struct Part {
    app: Arc<App>,
    #[profile(each = App::owned)]
    same_app: Arc<App>,
    name: String,
}

#[test]
fn a_root_that_has_handles_to_itself_counts_once() {
    let (app, owned) = owned_by(|| {
        let app = Arc::new(App { bytes: vec![0; 1000], parts: RwLock::default() });
        let part = |name: &str| Part { app: app.clone(), same_app: app.clone(), name: name.into() };
        let parts = vec![part("one"), part("two")];
        *app.parts.write().expect("nobody panicked") = parts;
        app
    });
    // The root is in an allocation with two counts.
    let expected = owned as u64 - 2 * WORD;
    let profile = Profile::with_holders("app", &*app);
    assert!(profile.is_exact());
    assert_eq!(profile.total_bytes(), expected);
    assert_eq!(Profile::of(&*app).total_bytes(), expected);
    assert_eq!(memprof::total_bytes(&*app), expected);
    assert_eq!(Profile::of(&*app).sharing().retained_bytes, expected);
    assert_eq!(Profile::of(&app).total_bytes(), owned as u64 + WORD);
    let parts = app.parts.read().expect("nobody panicked");
    assert!(!Profile::of(&*parts).is_exact(), "the parts count twice");
    drop(parts);
    let parts = std::mem::take(&mut *app.parts.write().expect("nobody panicked"));
    drop(parts);
}

#[test]
fn a_cycle_is_not_called_leaked_if_contents_were_not_read() {
    struct Node(RefCell<Vec<Rc<Node>>>, Mutex<String>);
    impl MemoryProfile for Node {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            self.0.owned(walk, at);
            self.1.owned(walk, at);
        }
    }
    let node = Rc::new(Node(RefCell::default(), Mutex::default()));
    node.0.borrow_mut().push(node.clone());
    let all = Profile::of(&node).sharing();
    assert_eq!((all.leaked_bytes, all.is_upper_bound), (all.bytes - WORD, false));
    let held = node.1.lock().expect("nobody panicked");
    let partial = Profile::of(&node).sharing();
    assert_eq!((partial.leaked_bytes, partial.is_upper_bound), (0, true));
    assert_eq!(partial.externally_held_bytes, all.leaked_bytes);
    assert_eq!(
        partial.to_string().lines().last(),
        Some("≥ 8 B freed with this value, ≤ 112 B externally held")
    );
    drop(held);
    node.0.borrow_mut().clear();
}

#[test]
fn handles_of_both_kinds_inside_each_other_are_counted_once() {
    type Inner = Arc<Vec<Arc<String>>>;
    let ((inner, root), owned) = owned_by(|| {
        let text = Arc::new("x".repeat(100));
        let inner: Inner = Arc::new(vec![text.clone(), text]);
        let root: Vec<Rc<Inner>> = vec![Rc::new(inner.clone()), Rc::new(inner.clone())];
        (inner, root)
    });
    let profile = Profile::of(&root);
    assert_eq!(profile.total_bytes() as i64, (3 * WORD) as i64 + owned);
    let text = 5 * WORD + 100;
    let middle = 7 * WORD;
    let shared = profile.shared();
    assert_eq!((shared.allocations, shared.handles), (2, 4));
    assert_eq!(shared.bytes, text + middle);
    assert_eq!(shared.externally_held_bytes, text + middle, "`inner` keeps both alive");
    let root_bytes = 5 * WORD + 2 * 3 * WORD;
    assert_eq!(shared.bytes_if_unshared, root_bytes + 2 * middle + 2 * text);
    drop(inner);
    let shared = Profile::of(&root).shared();
    assert_eq!(shared.externally_held_bytes, 0);
}

#[test]
fn dead_handles_to_one_allocation_count_it_once() {
    let (root, owned) = owned_by(|| {
        let gone = Rc::new([0_u64; 8]);
        let dead = Rc::downgrade(&gone);
        vec![dead.clone(), Weak::new(), dead.clone(), dead]
    });
    let profile = Profile::of(&root);
    assert_eq!(profile.total_bytes() as i64, (3 * WORD) as i64 + owned);
    // Nothing counts the handles to the allocation of a dropped value.
    assert_eq!(profile.shared().externally_held_bytes, 10 * WORD);
    assert!(profile.shared().is_upper_bound);
    assert!(profile.is_exact());
}

#[test]
fn a_weak_handle_counts_nothing() {
    let owner = Rc::new(String::from("owned elsewhere"));
    let watcher = Rc::downgrade(&owner);
    assert_eq!(Profile::of(&watcher).total_bytes(), WORD);
    let both = (watcher, owner);
    let profile = Profile::of(&both);
    assert_eq!(profile.total_bytes(), 7 * WORD + 15);
    assert_eq!(profile.shared().allocations, 0);
}

#[test]
fn a_handle_outside_the_root_is_reported() {
    let outside = Rc::new(vec![1_u8; 100]);
    let root = vec![outside.clone(), outside.clone()];
    let shared = Profile::of(&root).shared();
    assert_eq!((shared.allocations, shared.handles), (1, 2));
    assert_eq!(shared.externally_held_bytes, shared.bytes);
    drop(outside);
    let shared = Profile::of(&root).shared();
    assert_eq!((shared.allocations, shared.handles, shared.externally_held_bytes), (1, 2, 0));
}

/// A handle to memory of its own that starts directly after another allocation.
struct Neighbour(usize);

impl MemoryProfile for Neighbour {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        walk.shared(at, self.0, || 2, |walk, at| walk.allocation(at, 100, 100));
    }
}

#[test]
fn zero_sized_shared_values_are_distinct_from_their_neighbour() {
    let nothing = Rc::new(());
    let neighbour = Neighbour(Rc::as_ptr(&nothing).addr());
    let root = (nothing.clone(), nothing, neighbour);
    let profile = Profile::of(&root);
    assert_eq!(profile.total_bytes(), 5 * WORD + 100);
    assert_eq!(profile.shared().allocations, 2);
}
