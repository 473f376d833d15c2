//! The totals of shared memory, compared with a slow and obvious count of the same graph.

use crate::allocator::owned_by;
use crate::random::Random;
use memprof::walk::{Position, Walk};
use memprof::{MemoryProfile, Profile};
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use std::rc::{Rc, Weak};
use std::sync::Arc;

/// Bytes of a pointer.
const WORD: u64 = size_of::<usize>() as u64;

/// The number of random graphs of each kind.
const GRAPHS: u64 = if cfg!(miri) { 20 } else { 5_000 };

/// A vertex of a graph of handles, with bytes of its own.
struct Vertex {
    edges: RefCell<Vec<Rc<Vertex>>>,
    bytes: Vec<u8>,
}

impl MemoryProfile for Vertex {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.edges.owned(walk, at);
        self.bytes.owned(walk, at);
    }
}

/// A root with handles to some vertices of a graph.
struct Root(Vec<Rc<Vertex>>);

impl MemoryProfile for Root {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.0.owned(walk, at);
    }
}

/// A graph: the root holds one part of it, and `outside` another.
struct Graph {
    vertices: Vec<Weak<Vertex>>,
    root: Root,
    outside: Vec<Rc<Vertex>>,
}

impl Graph {
    /// Returns a random graph. If `cyclic` is `false`, edges lead only to vertices created earlier.
    fn random(random: &mut Random, cyclic: bool) -> Self {
        let count = 1 + random.below(8);
        let all: Vec<Rc<Vertex>> = (0..count)
            .map(|_| {
                let bytes = Vec::with_capacity(random.below(50));
                Rc::new(Vertex { edges: RefCell::default(), bytes })
            })
            .collect();
        for _ in 0..random.below(count * 3) {
            let (from, to) = (random.below(count), random.below(count));
            if cyclic || to < from {
                all[from].edges.borrow_mut().push(all[to].clone());
            }
        }
        let some = |random: &mut Random, most: usize| -> Vec<Rc<Vertex>> {
            (0..random.below(most)).map(|_| all[random.below(count)].clone()).collect()
        };
        let root = Root(some(random, 5));
        let outside = some(random, 3);
        Self { vertices: all.iter().map(Rc::downgrade).collect(), root, outside }
    }

    /// Removes the edges, because cycles would never be freed.
    fn end(self) {
        for vertex in self.vertices.iter().filter_map(Weak::upgrade) {
            let edges = vertex.edges.take();
            drop(edges);
        }
    }
}

/// Returns the bytes of a vertex, without the vertices that it points to.
fn own_bytes(vertex: &Vertex) -> u64 {
    let counts = 2 * size_of::<usize>();
    let edges = vertex.edges.borrow().capacity() * size_of::<Rc<Vertex>>();
    (counts + size_of::<Vertex>() + edges + vertex.bytes.capacity()) as u64
}

/// Returns all vertices that handles lead to, each once.
fn reachable(handles: &[Rc<Vertex>]) -> HashMap<*const Vertex, Rc<Vertex>> {
    let mut found: HashMap<*const Vertex, Rc<Vertex>> = HashMap::new();
    let mut waiting: Vec<Rc<Vertex>> = handles.to_vec();
    while let Some(vertex) = waiting.pop() {
        if found.insert(Rc::as_ptr(&vertex), vertex.clone()).is_none() {
            waiting.extend(vertex.edges.borrow().iter().cloned());
        }
    }
    found
}

/// Returns the bytes of a vertex and all below it, if every handle had its own copy.
fn unfolded(vertex: &Vertex) -> u64 {
    own_bytes(vertex) + vertex.edges.borrow().iter().map(|next| unfolded(next)).sum::<u64>()
}

/// The figures of `Shared`, counted slowly; without `bytes_if_unshared`.
struct Expected {
    total: u64,
    allocations: u64,
    handles: u64,
    bytes: u64,
    outside: u64,
}

impl Expected {
    /// Counts a graph. `strong` has the reference counts from before the call, because the count
    /// clones handles.
    fn of(graph: &Graph, strong: &HashMap<*const Vertex, usize>) -> Self {
        let root_bytes = size_of::<Root>() + graph.root.0.capacity() * size_of::<Rc<Vertex>>();
        let inside = reachable(&graph.root.0);
        let mut seen: HashMap<*const Vertex, u64> = HashMap::new();
        let edges: Vec<Rc<Vertex>> =
            inside.values().flat_map(|vertex| vertex.edges.borrow().clone()).collect();
        for handle in graph.root.0.iter().chain(&edges) {
            *seen.entry(Rc::as_ptr(handle)).or_default() += 1;
        }
        let shared: Vec<_> = inside.iter().filter(|(address, _)| strong[*address] > 1).collect();
        // A vertex with one handle belongs to the value that holds it.
        let kept: Vec<Rc<Vertex>> = inside
            .iter()
            .filter(|(address, _)| (strong[*address] as u64) > seen[*address])
            .map(|(_, vertex)| vertex.clone())
            .collect();
        let kept = reachable(&kept);
        let pieces = with_sole(
            &shared.iter().map(|(_, vertex)| (*vertex).clone()).collect::<Vec<_>>(),
            strong,
        );
        Self {
            total: root_bytes as u64 + inside.values().map(|vertex| own_bytes(vertex)).sum::<u64>(),
            allocations: shared.len() as u64,
            handles: shared.iter().map(|(address, _)| seen[*address]).sum(),
            bytes: pieces.iter().map(|vertex| own_bytes(vertex)).sum(),
            outside: kept.values().map(|vertex| own_bytes(vertex)).sum(),
        }
    }
}

/// Returns `vertices`, and the vertices below them that have only one handle.
fn with_sole(vertices: &[Rc<Vertex>], strong: &HashMap<*const Vertex, usize>) -> Vec<Rc<Vertex>> {
    let mut met: HashSet<*const Vertex> = HashSet::new();
    let mut found = Vec::new();
    let mut waiting = vertices.to_vec();
    while let Some(vertex) = waiting.pop() {
        if met.insert(Rc::as_ptr(&vertex)) {
            let edges = vertex.edges.borrow().clone();
            waiting.extend(edges.into_iter().filter(|next| strong[&Rc::as_ptr(next)] == 1));
            found.push(vertex);
        }
    }
    found
}

/// Profiles a graph, then counts it slowly.
fn check(graph: &Graph, acyclic: bool, seed: u64) {
    let profile = Profile::of(&graph.root);
    let strong = graph
        .vertices
        .iter()
        .filter(|vertex| vertex.strong_count() > 0)
        .map(|vertex| (vertex.as_ptr(), vertex.strong_count()))
        .collect();
    let expected = Expected::of(graph, &strong);
    let shared = profile.shared();
    assert!(profile.is_exact(), "seed {seed}");
    assert_eq!(profile.total_bytes(), expected.total, "seed {seed}: total");
    assert_eq!(shared.allocations, expected.allocations, "seed {seed}: allocations");
    assert_eq!(shared.handles, expected.handles, "seed {seed}: handles");
    assert_eq!(shared.bytes, expected.bytes, "seed {seed}: bytes");
    assert_eq!(shared.externally_held_bytes, expected.outside, "seed {seed}: externally held");
    let root_bytes = size_of::<Root>() + graph.root.0.capacity() * size_of::<Rc<Vertex>>();
    if acyclic {
        let copies: u64 = graph.root.0.iter().map(|vertex| unfolded(vertex)).sum();
        assert_eq!(shared.bytes_if_unshared, root_bytes as u64 + copies, "seed {seed}: copies");
    } else {
        assert!(shared.bytes_if_unshared >= expected.total, "seed {seed}: copies");
    }
}

#[test]
fn random_acyclic_graphs_are_exact() {
    for seed in 0..GRAPHS {
        let graph = Graph::random(&mut Random::new(seed), false);
        check(&graph, true, seed);
        drop(graph.outside);
    }
}

#[test]
fn random_cyclic_graphs_are_exact() {
    for seed in 0..GRAPHS {
        let graph = Graph::random(&mut Random::new(seed), true);
        check(&graph, false, seed);
        graph.end();
    }
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
    assert_eq!(shared.bytes_if_unshared, root_bytes + 2 * (middle + 2 * text));
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
    assert_eq!(profile.shared().externally_held_bytes, 0);
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
