//! `#[profile(each = …)]`: a function profiles each element of a collection.

use super::check;
use expect_test::expect;
use memprof::tree::OpaqueReason;
use memprof::walk::{Each, Observer, Position, Walk};
use memprof::{MemoryProfile, Profile, total_bytes};
use std::cell::RefCell;
use std::collections::{BTreeMap, BinaryHeap, HashMap, VecDeque};
use std::sync::{Arc, Mutex, RwLock};

/// A module that plays the role of another crate.
mod image {
    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    pub(super) struct Bitmap {
        pub(super) name: String,
    }
    pub(super) struct Layer<T> {
        pub(super) cells: Vec<T>,
    }
    pub(super) struct Tree {
        pub(super) name: String,
        pub(super) below: Vec<Tree>,
        pub(super) next: Option<Box<Tree>>,
    }
}

#[derive(MemoryProfile)]
#[profile(remote = "image::Bitmap")]
struct Bitmap {
    name: String,
}

#[derive(MemoryProfile)]
#[profile(remote = "image::Layer")]
struct Layer<T> {
    cells: Vec<T>,
}

fn bitmap(name: &str) -> image::Bitmap {
    image::Bitmap { name: String::from(name) }
}

#[test]
fn each_element_of_a_collection_is_profiled() {
    #[derive(MemoryProfile)]
    struct Album {
        #[profile(each = Bitmap::owned)]
        all: Vec<image::Bitmap>,
        #[profile(each = Bitmap::owned)]
        pair: [image::Bitmap; 2],
        #[profile(each = Bitmap::owned)]
        cover: Option<image::Bitmap>,
        #[profile(each = Bitmap::owned)]
        boxed: Box<image::Bitmap>,
        #[profile(each = Bitmap::owned, leaf, rename = "sum")]
        slice: Box<[image::Bitmap]>,
        #[profile(each = Bitmap::owned)]
        named: BTreeMap<String, image::Bitmap>,
        #[profile(each = Layer::owned)]
        layers: VecDeque<image::Layer<String>>,
    }
    let mut all = Vec::with_capacity(3);
    all.push(bitmap("a"));
    let album = Album {
        all,
        pair: [bitmap("b"), bitmap("cd")],
        cover: Some(bitmap("efg")),
        boxed: Box::new(bitmap("h")),
        slice: [bitmap("i"), bitmap("j")].into(),
        named: BTreeMap::from([(String::from("key"), bitmap("value"))]),
        layers: [image::Layer { cells: vec![String::from("k")] }].into(),
    };
    check(
        &album,
        &expect![[r#"
        Album;all 96
        Album;all;name 1
        Album;boxed 32
        Album;boxed;name 1
        Album;cover 24
        Album;cover;name 3
        Album;layers 56
        Album;layers;cells 25
        Album;named 571
        Album;named;name 5
        Album;pair 48
        Album;pair;name 3
        Album;sum 66
    "#]],
    );
    let profile = Profile::of(&album);
    assert!(profile.is_exact());
    let counts = |field: &str| {
        let counts = profile.root().child(field).expect("it is a field").counts();
        (counts.values, counts.allocations)
    };
    assert_eq!((counts("all"), counts("boxed"), counts("named")), ((1, 1), (0, 1), (1, 1)));
}

#[test]
fn a_function_profiles_what_a_cell_contains() {
    #[derive(MemoryProfile)]
    struct Shared {
        #[profile(each = Bitmap::owned)]
        cell: RefCell<image::Bitmap>,
        #[profile(each = Bitmap::owned)]
        mutex: Mutex<image::Bitmap>,
        #[profile(each = Bitmap::owned)]
        lock: RwLock<image::Bitmap>,
    }
    let shared = Shared {
        cell: RefCell::new(bitmap("a")),
        mutex: Mutex::new(bitmap("ab")),
        lock: RwLock::new(bitmap("abc")),
    };
    let free = Profile::of(&shared);
    assert_eq!(free.bytes_at("mutex"), Some(size_of::<Mutex<image::Bitmap>>() as u64 + 2));
    assert_eq!(free.total_bytes(), (size_of::<Shared>() + 6) as u64);
    let guards = (shared.cell.borrow_mut(), shared.mutex.lock(), shared.lock.write());
    let held = Profile::of(&shared);
    let mark = |field| held.root().child(field).expect("it is a field").opaque().next();
    assert_eq!(mark("cell"), Some((OpaqueReason::Borrowed, 1)));
    assert_eq!(mark("mutex"), Some((OpaqueReason::Locked, 1)));
    assert_eq!(mark("lock"), Some((OpaqueReason::Locked, 1)));
    assert_eq!(held.total_bytes(), size_of::<Shared>() as u64);
    drop(guards);
}

#[test]
fn a_variant_may_profile_each_element() {
    #[derive(MemoryProfile)]
    enum Content {
        Bitmaps(#[profile(each = Bitmap::owned)] Vec<image::Bitmap>),
        Empty,
    }
    check(
        &[Content::Bitmaps(vec![bitmap("abc")]), Content::Empty],
        &expect![[r#"
        array 48
        array;Bitmaps 24
        array;Bitmaps;name 3
    "#]],
    );
}

#[test]
fn only_the_keys_of_a_map_need_an_impl() {
    #[derive(MemoryProfile)]
    struct Cache<K, V> {
        #[profile(each = profile_layer_of)]
        layers: HashMap<K, image::Layer<V>>,
        #[profile(each = profile_layer_of)]
        list: Vec<image::Layer<V>>,
    }
    fn profile_layer_of<'a, V>(layer: &'a image::Layer<V>, walk: &mut Walk<'a>, at: Position) {
        let size = size_of::<V>();
        walk.allocation(at, layer.cells.len() * size, layer.cells.capacity() * size);
    }
    struct NoImpl(#[expect(dead_code, reason = "only its size matters")] u64);
    let layer = || image::Layer { cells: vec![NoImpl(1), NoImpl(2)] };
    let cache =
        Cache { layers: HashMap::from([(String::from("key"), layer())]), list: vec![layer()] };
    let profile = Profile::of(&cache);
    assert!(profile.is_exact(), "{profile}");
    assert_eq!(profile.bytes_at("list"), Some(24 + 24 + 16));
    assert!(profile.to_folded_detailed().contains("Cache;layers;[keys];[data] 3\n"), "{profile}");
}

/// Profiles a tree, which contains further trees. The type is from another crate.
fn profile_tree<'a>(tree: &'a image::Tree, walk: &mut Walk<'a>, at: Position) {
    tree.name.owned(walk, at);
    tree.below.each(profile_tree, walk, at);
    if let Some(next) = &tree.next {
        next.each(profile_tree, walk, at);
    }
}

#[derive(MemoryProfile)]
struct Forest {
    #[profile(each = profile_tree)]
    trees: Vec<image::Tree>,
}

fn leaf() -> image::Tree {
    image::Tree { name: String::from("leaf"), below: Vec::new(), next: None }
}

#[test]
fn elements_that_contain_elements_do_not_overflow_the_stack() {
    let mut tree = leaf();
    for level in 0..100_000 {
        let name = String::new();
        tree = match level % 2 {
            0 => image::Tree { name, below: vec![tree], next: None },
            _ => image::Tree { name, below: Vec::new(), next: Some(Box::new(tree)) },
        };
    }
    let forest = Forest { trees: vec![tree] };
    let expected = 24 + 100_001 * size_of::<image::Tree>() + 4;
    assert_eq!(total_bytes(&forest), expected as u64);
    let mut waiting = forest.trees;
    while let Some(tree) = waiting.pop() {
        waiting.extend(tree.below);
        waiting.extend(tree.next.map(|next| *next));
    }
}

/// Stops a walk at its second check.
struct Second(u32);

impl Observer for Second {
    fn stops(&mut self) -> bool {
        self.0 += 1;
        self.0 > 1
    }
}

#[test]
fn a_walk_over_elements_stops_and_marks_the_others() {
    let forest = Forest { trees: (0..10_000).map(|_| leaf()).collect() };
    let profile = Profile::observed("forest", &forest, &mut Second(0));
    let trees = profile.root().child("trees").expect("it is a field");
    let [(OpaqueReason::Stopped, unvisited)] = trees.opaque().collect::<Vec<_>>()[..] else {
        panic!("{profile:?}")
    };
    assert!((9_000..10_000).contains(&unvisited), "{unvisited}");
    let buffer = forest.trees.capacity() * size_of::<image::Tree>();
    assert!(profile.total_bytes() > (24 + buffer) as u64);
    assert!(profile.total_bytes() < total_bytes(&forest));
}

#[test]
fn a_newtype_of_a_heap_is_transparent() {
    #[derive(MemoryProfile)]
    struct Queue(#[profile(each = Bitmap::owned)] BinaryHeap<image::Bitmap>);
    let heap = BinaryHeap::from([bitmap("a"), bitmap("bc")]);
    check(
        &Queue(heap),
        &expect![[r#"
        Queue 72
        Queue;name 3
    "#]],
    );
}

#[test]
fn a_shared_target_counts_once() {
    #[derive(MemoryProfile)]
    struct Pair {
        #[profile(each = Bitmap::owned)]
        left: Arc<image::Bitmap>,
        #[profile(each = Bitmap::owned)]
        right: Arc<image::Bitmap>,
    }
    let left = Arc::new(bitmap("abc"));
    let pair = Pair { right: Arc::clone(&left), left };
    let profile = Profile::of(&pair);
    assert!(profile.is_exact());
    assert_eq!(profile.total_bytes(), 2 * 8 + 16 + 24 + 3);
    assert_eq!(profile.shared().handles, 2);
}
