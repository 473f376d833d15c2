//! Values whose depth grows with their size, profiled on a stack as large as that of a main thread.
//!
//! `MEMPROF_STACK_KIB` sets another size. `docs/accounting.md` states the smallest size that
//! suffices.

use memprof::tree::OpaqueReason;
use memprof::walk::{Field, Position, Shape, Walk};
use memprof::{MemoryProfile, Profile, total_bytes};
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, LinkedList, VecDeque};
use std::rc::Rc;
use std::sync::{Arc, Mutex, RwLock};
use std::thread;

/// Runs `test` on a thread with a stack of 8 MiB, or of `MEMPROF_STACK_KIB`.
fn on_small_stack(test: impl FnOnce() + Send + 'static) {
    let kib = std::env::var("MEMPROF_STACK_KIB")
        .map_or(8 * 1024, |kib| kib.parse().expect("MEMPROF_STACK_KIB is a number"));
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
        struct $nest {
            held: $holder,
            _bytes: [u8; 8],
        }

        impl MemoryProfile for $nest {
            fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                let fields = walk.fields(at, Self::shape());
                self.held.owned(walk, fields.at(0));
            }

            fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
                Self::inline(walk, at, 1);
                self.owned(walk, at);
            }

            fn shape() -> &'static Shape {
                static SHAPE: Shape = Shape::of::<$nest>(
                    &[Field::of::<$holder>("held"), Field::of::<[u8; 8]>("bytes")],
                );
                &SHAPE
            }
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
fn a_list_of_ten_million_boxes_is_exact() {
    on_small_stack(|| {
        const DEPTH: usize = 10_000_000;
        at_depth::<Boxed>(DEPTH, |list| assert_exact(list, DEPTH * size_of::<Boxed>()));
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
fn too_many_nested_guards_are_marked_and_do_not_overflow() {
    on_small_stack(|| {
        const DEPTH: usize = 100_000;
        at_depth::<Locked>(DEPTH, assert_too_deep);
        at_depth::<Guarded>(DEPTH, assert_too_deep);
        at_depth::<Seldom>(DEPTH, assert_too_deep);
    });
}

fn assert_too_deep<T: MemoryProfile>(nest: &T) {
    let profile = Profile::of(nest);
    assert!(!profile.is_exact());
    let mut found: Vec<(OpaqueReason, u64)> = Vec::new();
    let mut waiting = vec![profile.root()];
    while let Some(branch) = waiting.pop() {
        found.extend(branch.opaque());
        waiting.extend(branch.children());
    }
    assert_eq!(found, [(OpaqueReason::TooDeep, 1)]);
}

#[test]
fn usual_numbers_of_nested_guards_are_exact() {
    on_small_stack(|| {
        at_depth::<Locked>(100, |nest| assert!(Profile::of(nest).is_exact()));
        at_depth::<Guarded>(100, |nest| assert!(Profile::of(nest).is_exact()));
        at_depth::<Seldom>(5_000, |nest| assert!(Profile::of(nest).is_exact()));
    });
}
