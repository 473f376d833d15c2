//! Tests of walks over a random sample.

use super::{KnownAllocations, SamplePlan};
use crate::MemoryProfile;
use crate::tree::{Collected, Leaf, OpaqueReason, Sampled};
use crate::walk::{Observer, Position, Walk};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// An observer that never stops the walk.
struct Unlimited;

impl Observer for Unlimited {}

/// An observer that stops the walk after this number of calls.
struct Calls(u32);

impl Observer for Calls {
    fn stops(&mut self) -> bool {
        self.0 = self.0.saturating_sub(1);
        self.0 == 0
    }
}

fn known() -> KnownAllocations {
    KnownAllocations::default()
}

fn sample<T: MemoryProfile>(value: &T, seed: u64) -> Sampled {
    let plan = SamplePlan::new(seed).groups(64).draws_per_slice(64);
    Collected::sampled("value", value, plan, known(), &mut Unlimited)
}

/// Returns the mean of the totals of many samples, divided by the total of the value.
fn bias<T: MemoryProfile>(value: &T) -> f64 {
    let total = Collected::of("value", value).tree.total_bytes() as f64;
    let totals = (0..100).map(|seed| sample(value, seed).collected.tree.total_bytes() as f64);
    totals.sum::<f64>() / 100.0 / total
}

#[test]
fn equal_elements_are_estimated_without_an_error() {
    let names = vec![String::from("alpha"); 10_000];
    let sampled = sample(&names, 7);
    assert_eq!(sampled.collected.tree.total_bytes(), 24 + 10_000 * 29);
    assert!(
        sampled.totals.iter().all(|&total| (total - 50_000.0).abs() < 1e-6),
        "{:?}",
        sampled.totals
    );
    assert_eq!((sampled.drawn, sampled.elements), (64, 10_000));
    let root = sampled.collected.tree.root();
    assert!(root.opaque().eq([(OpaqueReason::Stopped, 9936)]));
    assert_eq!(root.leaves().iter().map(Leaf::estimated_bytes).sum::<u64>(), 50_000);
}

#[test]
fn small_and_flat_slices_are_visited_completely() {
    let value = (vec![String::from("alpha"); 100], vec![0_u64; 1_000_000], Some(vec![1_u8; 9]));
    let sampled = sample(&value, 7);
    assert_eq!(sampled.collected, Collected::of("value", &value));
    assert_eq!((sampled.drawn, sampled.replicates.len()), (0, 0));
}

#[test]
fn the_mean_of_many_samples_is_the_truth() {
    let nested: Vec<Vec<Vec<String>>> =
        (0..500).map(|n| vec![vec!["x".repeat(n % 13); n % 150]; 1 + n % 90]).collect();
    let optional: Vec<Option<Box<[String; 2]>>> = (0..5000)
        .map(|n: usize| (n % 3 == 0).then(|| Box::new(["a".repeat(n % 40), String::new()])))
        .collect();
    let maps: Vec<HashMap<u32, String>> =
        (0..1000).map(|n| (0..n % 7).map(|key| (key, key.to_string())).collect()).collect();
    let in_map: HashMap<u32, Vec<String>> =
        (0..30).map(|key| (key, vec!["y".repeat(key as usize); 2000])).collect();
    let pairs: Vec<Arc<String>> = (0..3000)
        .map(|n: usize| Arc::new("z".repeat(n % 50)))
        .flat_map(|s| [s.clone(), s])
        .collect();
    let twice: Vec<(Arc<String>, [Arc<String>; 2])> = (0..3000)
        .map(|n: usize| Arc::new("z".repeat(n % 50)))
        .map(|s| (s.clone(), [s.clone(), s]))
        .collect();
    let in_slices: Vec<Vec<Rc<String>>> = (0..500)
        .map(|n: usize| (n, Rc::new("z".repeat(n % 50))))
        .map(|(n, handle)| vec![handle; 1 + n % 300])
        .collect();
    // Each node has two handles to the same node, and each of the lower nodes has handles from two
    // elements.
    let diamonds: Vec<[Rc<[Rc<String>; 2]>; 2]> = (0..1000)
        .map(|n: usize| Rc::new("z".repeat(n % 50)))
        .flat_map(|s| [[s.clone(), s.clone()], [s.clone(), s]])
        .map(Rc::new)
        .map(|pair| [pair.clone(), pair])
        .collect();
    let guarded: Vec<Mutex<Vec<String>>> =
        (0..800).map(|n| Mutex::new(vec!["m".repeat(n % 9); 10])).collect();
    for (name, bias) in [
        ("nested slices", bias(&nested)),
        ("optional boxes", bias(&optional)),
        ("maps in a slice", bias(&maps)),
        ("slices in a map", bias(&in_map)),
        ("slices behind a lock", bias(&Mutex::new(in_map))),
        ("shared strings", bias(&pairs)),
        ("several handles in an element", bias(&twice)),
        ("several handles in a slice", bias(&in_slices)),
        ("shared handles", bias(&diamonds)),
        ("locks", bias(&guarded)),
    ] {
        assert!((bias - 1.0).abs() < 0.03, "{name}: {bias}");
    }
}

#[test]
fn each_leaf_has_the_bytes_of_its_groups() {
    let rows: Vec<(String, Vec<u16>)> =
        (0..5000).map(|n| (n.to_string(), vec![0; n % 10])).collect();
    let sampled = sample(&rows, 7);
    let tree = &sampled.collected.tree;
    let mut sum = vec![0.0; sampled.totals.len()];
    for replicate in &sampled.replicates {
        let branch = tree.root().subtree().nth(replicate.branch as usize).expect("it exists");
        let leaf = branch.leaves().iter().find(|leaf| {
            (leaf.kind(), leaf.role(), leaf.device())
                == (replicate.kind, replicate.role, replicate.device)
        });
        let leaf = leaf.expect("the branch has the leaf");
        assert_eq!(leaf.estimated_bytes(), replicate.bytes, "{}", branch.name());
        sum.iter_mut().zip(&replicate.groups).for_each(|(sum, more)| *sum += more);
    }
    assert!(sampled.replicates.len() >= 2);
    assert!(sum.iter().zip(&sampled.totals).all(|(sum, total)| (sum - total).abs() < 1e-6));
}

#[test]
fn an_allocation_that_all_elements_share_counts_about_once() {
    let shared = Rc::new(vec![0_u8; 1_000_000]);
    let handles = vec![shared; 100_000];
    let total = Collected::of("value", &handles).tree.total_bytes();
    let sampled = sample(&handles, 7).collected.tree.total_bytes();
    assert!(sampled.abs_diff(total) < 100, "{sampled} {total}");
}

#[test]
fn an_allocation_known_from_elsewhere_counts_once() {
    let shared = Arc::new("s".repeat(1000));
    let value = (shared.clone(), vec![shared; 10_000]);
    let total = Collected::of("value", &value).tree.total_bytes();
    assert_eq!(sample(&value, 7).collected.tree.total_bytes(), total);
}

#[test]
fn an_allocation_that_is_known_later_counts_once_in_the_next_walk() {
    let shared = Arc::new("s".repeat(1000));
    let value = (vec![shared.clone(); 10_000], shared);
    let total = Collected::of("value", &value).tree.total_bytes();
    let first = sample(&value, 7);
    assert!(first.counts_twice);
    let plan = SamplePlan::new(8).draws_per_slice(64);
    let second = Collected::sampled("value", &value, plan, first.known, &mut Unlimited);
    assert!(!second.counts_twice);
    assert_eq!(second.collected.tree.total_bytes(), total);
}

#[test]
fn a_cycle_of_handles_ends() {
    struct Link(std::cell::RefCell<Vec<Rc<Link>>>);
    impl MemoryProfile for Link {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            self.0.owned(walk, at);
        }
    }
    let links: Vec<Rc<Link>> = (0..2000).map(|_| Rc::new(Link(Vec::new().into()))).collect();
    for (number, link) in links.iter().enumerate() {
        link.0.borrow_mut().push(links[(number + 1) % 2000].clone());
    }
    let total = Collected::of("value", &links).tree.total_bytes();
    let sampled = sample(&links, 7).collected.tree.total_bytes();
    assert!(sampled <= total + total / 20, "{sampled} {total}");
    for link in &links {
        link.0.borrow_mut().clear();
    }
}

#[test]
fn a_long_chain_in_a_drawn_element_does_not_overflow_the_stack() {
    struct Link(Option<Rc<Link>>);
    impl MemoryProfile for Link {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            self.0.owned(walk, at);
        }
    }
    let (mut chain, mut all) = (Rc::new(Link(None)), Vec::new());
    for _ in 0..100_000 {
        all.push(chain.clone());
        chain = Rc::new(Link(Some(chain)));
    }
    let plan = SamplePlan::new(7).groups(4).draws_per_slice(4);
    let mut observer = Calls(4000);
    let chains = vec![chain; 1000];
    let sampled = Collected::sampled("value", &chains, plan, known(), &mut observer);
    assert!(sampled.drawn > 0);
    drop(chains);
    // Dropping the handles from the last to the first does not recurse.
    while all.pop().is_some() {}
}

#[test]
fn a_stopped_walk_marks_unvisited_values() {
    let names = vec![String::from("alpha"); 1_000_000];
    let plan = SamplePlan::new(7).fraction(0.4);
    let sampled = Collected::sampled("value", &names, plan, known(), &mut Calls(10));
    let marks: Vec<_> = sampled.collected.tree.root().opaque().collect();
    assert!(matches!(marks[..], [(OpaqueReason::Stopped, 900_000..)]), "{marks:?}");
}

#[test]
fn an_impl_that_panics_leaves_no_harm() {
    struct Hostile(u32);
    impl MemoryProfile for Hostile {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            assert!(self.0 % 2 == 0, "an impl panics");
            walk.shared(at, 1, || usize::MAX, |walk, at| walk.allocation(at, 9, usize::MAX));
            walk.shared(at, 2, || 0, |walk, at| walk.allocation(at, 0, 100));
        }
    }
    let even: Vec<Hostile> = (0..10_000).map(|n| Hostile(2 * n)).collect();
    assert!(sample(&even, 7).collected.tree.total_bytes() > 0);
    let mixed: Vec<Hostile> = (0..10_000).map(Hostile).collect();
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| sample(&mixed, 7)));
    assert!(caught.is_err());
}
