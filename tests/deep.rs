//! Values whose depth grows with their size, profiled on a stack as large as that of a thread.
//!
//! `MEMPROF_STACK_KIB` sets another size. `docs/values.md` states the smallest size that
//! suffices.

use memprof::{MemoryProfile, Profile, total_bytes};
use memprof_test_support::rounds;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};
use std::thread;

/// Runs `test` on a thread with a stack of 2 MiB, or of `MEMPROF_STACK_KIB`.
fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    let kib = std::env::var("MEMPROF_STACK_KIB")
        .map_or(2 * 1024, |kib| kib.parse().expect("MEMPROF_STACK_KIB is a number"));
    let thread = thread::Builder::new().stack_size(kib * 1024).spawn(test);
    thread.expect("a thread starts").join().expect("the test succeeds");
}

/// A value that contains at most a few values of its own type.
trait Nest: MemoryProfile + Sized {
    /// Returns a new value that contains `inner`.
    fn around(inner: Option<Self>) -> Self;

    /// Takes the inner values out, so that dropping does not recurse.
    fn take(self) -> Vec<Self>;
}

/// Creates a value of `depth` levels, passes it to `look`, and drops it.
fn at_depth<T: Nest>(depth: usize, look: impl FnOnce(&T)) {
    let mut value = T::around(None);
    for _ in 1..depth {
        value = T::around(Some(value));
    }
    look(&value);
    let mut waiting = vec![value];
    while let Some(value) = waiting.pop() {
        waiting.extend(value.take());
    }
}

#[track_caller]
fn assert_exact<T: MemoryProfile>(value: &T, bytes: usize) {
    let profile = Profile::of(value);
    assert_eq!(profile.total_bytes(), bytes as u64);
    assert_eq!(total_bytes(value), bytes as u64);
    assert!(profile.is_exact());
}

/// Each row has a type, the field with its inner values, and how to fill and empty that field.
macro_rules! nests {
    ($($nest:ident($holder:ty): |$inner:ident| $make:expr, |$held:ident| $take:expr;)*) => {$(
        #[derive(MemoryProfile)]
        struct $nest {
            held: $holder,
            _bytes: [u8; 8],
        }

        impl Nest for $nest {
            fn around($inner: Option<Self>) -> Self {
                Self { held: $make, _bytes: [0; 8] }
            }

            fn take(self) -> Vec<Self> {
                let $held = self.held;
                $take.into_iter().collect()
            }
        }
    )*};
}

nests! {
    Mixed(Mixture): |inner| Mixture::around(inner), |held| held.take();
    Boxed(Option<Box<Boxed>>): |inner| inner.map(Box::new), |held| held.map(|inner| *inner);
    Zigzag((Option<Box<Zigzag>>, Option<Box<Zigzag>>)): |inner| {
        let left = inner.is_some().then(|| Box::new(Zigzag { held: (None, None), _bytes: [1; 8] }));
        (left, inner.map(Box::new))
    }, |held| [held.0, held.1].into_iter().flatten().map(|inner| *inner);
    Listed(Vec<Listed>): |inner| Vec::from_iter(inner), |held| held;
    Sliced(Box<[Sliced]>): |inner| Vec::from_iter(inner).into(), |held| held.into_vec();
    Queued(VecDeque<Queued>): |inner| VecDeque::from_iter(inner), |held| held;
    Linked(LinkedList<Linked>): |inner| LinkedList::from_iter(inner), |held| held;
    Mapped(BTreeMap<u8, Mapped>): |inner| inner.map(|inner| (0, inner)).into_iter().collect(), |held| held.into_values();
    Hashed(HashMap<u8, Hashed>): |inner| inner.map(|inner| (0, inner)).into_iter().collect(), |held| held.into_values();
    Counted(Option<Rc<Counted>>): |inner| inner.map(Rc::new), |held| held.and_then(Rc::into_inner);
    Atomic(Option<Arc<Atomic>>): |inner| inner.map(Arc::new), |held| held.and_then(Arc::into_inner);
    Locked(Option<Box<Mutex<Locked>>>): |inner| inner.map(|inner| Box::new(Mutex::new(inner))), |held| held.map(|lock| lock.into_inner().expect("nobody panicked"));
    Guarded(Option<Rc<RefCell<Guarded>>>): |inner| inner.map(|inner| Rc::new(RefCell::new(inner))), |held| held.and_then(Rc::into_inner).map(RefCell::into_inner);
    // Sixty boxes and then a lock: the largest distance between two guards.
    Seldom((Option<Box<Seldom>>, Option<Box<RwLock<Seldom>>>)): |inner| match inner {
        Some(inner) if LEVEL.with(|level| level.replace((level.get() + 1) % 60)) == 0 => (None, Some(Box::new(RwLock::new(inner)))),
        inner => (inner.map(Box::new), None),
    }, |held| held.0.map(|inner| *inner).into_iter().chain(held.1.map(|lock| lock.into_inner().expect("nobody panicked")));
}

/// A value in one of several holders.
#[derive(MemoryProfile)]
enum Mixture {
    Nothing,
    Box(Box<Mixed>),
    Cell(RefCell<Option<Box<Mixed>>>),
    SharedCell(Rc<RefCell<Mixed>>),
    Lock(Arc<Mutex<Mixed>>),
    Slice(Box<RwLock<[Mixed; 1]>>),
    Sequence(Vec<Mixed>),
    Queue(VecDeque<Mixed>),
    Tree(BTreeMap<u8, Mixed>),
    Table(HashMap<u8, Mixed>),
}

/// The number of holders in a [`Mixture`].
const KINDS: u32 = 9;

impl Mixture {
    /// Returns `inner` in another holder than the last one.
    #[expect(clippy::arc_with_non_send_sync, reason = "one value has holders of all kinds")]
    fn around(inner: Option<Mixed>) -> Self {
        let Some(inner) = inner else { return Self::Nothing };
        match LEVEL.with(|level| level.replace((level.get() * 5 + 2) % KINDS)) {
            0 => Self::Box(Box::new(inner)),
            1 => Self::Cell(RefCell::new(Some(Box::new(inner)))),
            2 => Self::SharedCell(Rc::new(RefCell::new(inner))),
            3 => Self::Lock(Arc::new(Mutex::new(inner))),
            4 => Self::Slice(Box::new(RwLock::new([inner]))),
            5 => Self::Sequence(vec![inner]),
            6 => Self::Queue(VecDeque::from([inner])),
            7 => Self::Tree(BTreeMap::from([(0, inner)])),
            _ => Self::Table(HashMap::from([(0, inner)])),
        }
    }

    fn take(self) -> Vec<Mixed> {
        match self {
            Self::Nothing => Vec::new(),
            Self::Box(inner) => vec![*inner],
            Self::Cell(inner) => inner.into_inner().map(|inner| *inner).into_iter().collect(),
            Self::SharedCell(inner) => {
                Rc::into_inner(inner).map(RefCell::into_inner).into_iter().collect()
            }
            Self::Lock(inner) => Arc::into_inner(inner)
                .map(|lock| lock.into_inner().expect("nobody panicked"))
                .into_iter()
                .collect(),
            Self::Slice(inner) => inner.into_inner().expect("nobody panicked").into(),
            Self::Sequence(inner) => inner,
            Self::Queue(inner) => inner.into_iter().collect(),
            Self::Tree(inner) => inner.into_values().collect(),
            Self::Table(inner) => inner.into_values().collect(),
        }
    }
}

/// A map whose keys name its entries.
#[derive(MemoryProfile)]
struct Keyed {
    #[profile(keyed)]
    held: BTreeMap<u8, Keyed>,
}

impl Nest for Keyed {
    fn around(inner: Option<Self>) -> Self {
        Self { held: inner.map(|inner| (0, inner)).into_iter().collect() }
    }

    fn take(self) -> Vec<Self> {
        self.held.into_values().collect()
    }
}

thread_local! {
    static LEVEL: std::cell::Cell<u32> = const { std::cell::Cell::new(0) };
}

#[test]
fn a_list_of_a_million_boxes_is_exact() {
    on_small_stack(|| {
        let depth = rounds(1_000_000, 10_000_000);
        at_depth::<Boxed>(depth, |list| assert_exact(list, depth * size_of::<Boxed>()));
    });
}

#[test]
fn a_tree_a_million_levels_deep_is_exact() {
    on_small_stack(|| {
        const DEPTH: usize = 1_000_000;
        let nodes = 2 * DEPTH - 1;
        at_depth::<Zigzag>(DEPTH, |tree| assert_exact(tree, nodes * size_of::<Zigzag>()));
    });
}

#[test]
fn sequences_a_million_levels_deep_are_exact() {
    on_small_stack(|| {
        const DEPTH: usize = 1_000_000;
        at_depth::<Listed>(DEPTH, |nest| assert_exact(nest, DEPTH * size_of::<Listed>()));
        at_depth::<Sliced>(DEPTH, |nest| assert_exact(nest, DEPTH * size_of::<Sliced>()));
        at_depth::<Queued>(DEPTH, |nest| assert_exact(nest, DEPTH * size_of::<Queued>()));
        let links = (DEPTH - 1) * 2 * size_of::<usize>();
        at_depth::<Linked>(DEPTH, |nest| assert_exact(nest, DEPTH * size_of::<Linked>() + links));
    });
}

#[test]
fn maps_a_hundred_thousand_levels_deep_are_exact() {
    on_small_stack(|| {
        const DEPTH: usize = 100_000;
        at_depth::<Mapped>(DEPTH, |nest| assert!(Profile::of(nest).is_exact()));
        at_depth::<Hashed>(DEPTH, |nest| assert!(Profile::of(nest).is_exact()));
        at_depth::<Keyed>(DEPTH, |nest| {
            let profile = Profile::of(nest);
            assert!(profile.is_exact());
            // The entries of the outermost map have names; deeper values are below them.
            let entry = profile.bytes_at("held;0").expect("its key is 0");
            let map = (profile.total_bytes() - size_of::<Keyed>() as u64) / (DEPTH as u64 - 1);
            assert_eq!(profile.total_bytes() - entry, map);
        });
    });
}

#[test]
fn a_list_of_a_million_shared_nodes_is_exact() {
    on_small_stack(|| {
        const DEPTH: usize = 1_000_000;
        let counts = (DEPTH - 1) * 2 * size_of::<usize>();
        at_depth::<Counted>(DEPTH, |list| {
            assert_exact(list, DEPTH * size_of::<Counted>() + counts);
        });
        at_depth::<Atomic>(DEPTH, |list| assert_exact(list, DEPTH * size_of::<Atomic>() + counts));
    });
}

#[test]
fn a_list_whose_nodes_have_two_handles_each_is_exact() {
    on_small_stack(|| {
        const DEPTH: usize = 300_000;
        let mut handles: Vec<Rc<Counted>> = Vec::with_capacity(DEPTH);
        for _ in 0..DEPTH {
            let held = handles.last().cloned();
            handles.push(Rc::new(Counted { held, _bytes: [0; 8] }));
        }
        let node = size_of::<Counted>() + 2 * size_of::<usize>();
        let last = handles.last().cloned().expect("it is long");
        let profile = Profile::of(&last);
        assert!(profile.is_exact());
        assert_eq!(profile.total_bytes() as usize, size_of::<usize>() + DEPTH * node);
        assert_eq!(profile.shared().externally_held_bytes as usize, DEPTH * node);
        drop(last);
        // The vector has the last handle to each node. Removing handles from the end frees one node
        // at a time, without recursion.
        while handles.pop().is_some() {}
    });
}

#[test]
fn guards_a_hundred_thousand_levels_deep_are_exact() {
    on_small_stack(|| {
        const DEPTH: usize = 100_000;
        at_depth::<Locked>(DEPTH, assert_no_mark);
        at_depth::<Guarded>(DEPTH, assert_no_mark);
        at_depth::<Seldom>(DEPTH, assert_no_mark);
    });
}

#[test]
fn holders_of_all_kinds_inside_each_other_are_exact() {
    on_small_stack(|| {
        for first in 0..KINDS {
            LEVEL.with(|level| level.set(first));
            at_depth::<Mixed>(20_000, assert_no_mark);
        }
    });
}

fn assert_no_mark<T: MemoryProfile>(nest: &T) {
    let profile = Profile::of(nest);
    assert!(profile.is_exact(), "{:.200}", profile.to_string());
    assert_eq!(total_bytes(nest), profile.total_bytes());
}

#[test]
fn all_nodes_of_a_graph_of_locks_are_counted() {
    on_small_stack(|| {
        const NODES: usize = 1_000;
        let node = |_| Arc::new(Mutex::new(Node { bytes: vec![0; 1000], edges: Vec::new() }));
        let nodes: HashMap<usize, Arc<Mutex<Node>>> = (0..NODES).map(|n| (n, node(n))).collect();
        for (number, node) in &nodes {
            let edges = (1..5).map(|edge| nodes[&((number * edge * 7 + edge) % NODES)].clone());
            node.lock().expect("nobody panicked").edges.extend(edges);
        }
        let profile = Profile::of(&nodes);
        assert!(profile.is_exact());
        assert_eq!(profile.bytes_at("bytes"), Some(NODES as u64 * (24 + 1000)));
        for node in nodes.values() {
            node.lock().expect("nobody panicked").edges.clear();
        }
    });
}

/// A node of a graph whose nodes are all behind locks.
#[derive(MemoryProfile)]
struct Node {
    bytes: Vec<u8>,
    edges: Vec<Arc<Mutex<Node>>>,
}
