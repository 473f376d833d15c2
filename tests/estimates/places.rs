//! Values whose bytes may count at several branches: elements that a sample does not draw decide.

use crate::trials::branches;
use memprof::large::{Budget, EstimatedProfile, Interval};
use memprof::walk::Observer;
use memprof::{MemoryProfile, Profile};
use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

/// Asserts that the intervals of the total, the branches and the leaves contain the truth.
fn assert_contains(estimate: &EstimatedProfile, truth: &Profile) {
    let check = |path: &str, interval: Interval, bytes: u64| {
        assert!(interval.contains(bytes), "{path}: {interval}, not {bytes}\n{truth}\n{estimate}");
    };
    check("total", estimate.total(), truth.total_bytes());
    for path in branches(truth) {
        if let Some(interval) = estimate.interval_at(&path) {
            check(&path, interval, truth.bytes_at(&path).expect("it is in the tree"));
        }
    }
    let key = |path: String, leaf: &memprof::tree::Leaf| (path, leaf.kind());
    let bytes: HashMap<_, _> =
        truth.leaves().map(|(path, leaf)| (key(path.to_string(), &leaf), leaf.bytes())).collect();
    for (path, leaf, interval) in estimate.leaves().filter(|(_, leaf, _)| leaf.bytes() > 0) {
        let key = key(path.to_string(), &leaf);
        check(&key.0, interval, bytes.get(&key).copied().unwrap_or_default());
    }
}

/// Returns elements that own nothing, except one. The sample of the seed 7 does not draw this one.
fn rare<T>(owner: T) -> Vec<Option<T>> {
    let mut elements: Vec<Option<T>> = (0..20_000).map(|_| None).collect();
    elements[17_777] = Some(owner);
    elements
}

fn estimate<T: MemoryProfile>(value: &T) -> EstimatedProfile {
    let budget = Budget::elements(1024).seed(7).at_most(1 << 30);
    let estimate = Profile::estimate_named("value", value, budget);
    assert_contains(&estimate, &Profile::named("value", value));
    estimate
}

#[test]
fn a_visited_allocation_is_not_exact_if_an_unvisited_element_may_share_it() {
    let shared = Arc::new(vec![0_u8; 1000]);
    let estimated = estimate(&(rare(shared.clone()), shared.clone(), vec![0_u8; 100]));
    let bytes = 8 + 16 + 24 + 1000;
    assert_eq!(estimated.interval_at("1"), Some(Interval { low: 8, high: Some(bytes) }));
    assert_eq!(estimated.interval_at("2"), Some(Interval::exact(124)));
    assert!(estimated.to_string().contains("8 B to 1.0 KiB"), "{estimated}");
    // A walk that meets the allocation before the slice counts it at the same place.
    let estimated = estimate(&(shared.clone(), rare(shared), vec![0_u8; 100]));
    assert_eq!(estimated.interval_at("0"), Some(Interval::exact(bytes)));
}

#[test]
fn a_visited_allocation_is_exact_if_all_its_handles_were_visited() {
    let shared = Rc::new(String::from("alpha"));
    let value = (vec![String::from("beta"); 20_000], vec![shared; 7]);
    let bytes = Profile::of(&value).bytes_at("1").expect("it is in the tree");
    assert_eq!(estimate(&value).interval_at("1"), Some(Interval::exact(bytes)));
}

#[test]
fn drawn_allocations_may_count_at_an_earlier_slice() {
    let shared: Vec<Rc<Vec<u8>>> = (0..2000).map(|_| Rc::new(vec![0; 1000])).collect();
    let mut first = vec![None; 2_000_000];
    first[1_700_000..].iter_mut().zip(&shared).for_each(|(slot, one)| *slot = Some(one.clone()));
    _ = estimate(&(first, shared));
}

/// A node of a graph. A node that another node leads to has the same branch as the first one.
#[derive(Default, MemoryProfile)]
struct Node {
    name: String,
    shared: Vec<Option<Rc<Node>>>,
    last: Option<Rc<Node>>,
    boxed: Vec<Option<Box<Node>>>,
}

#[test]
fn shared_nodes_of_a_recursive_type_are_not_exact() {
    let named = Rc::new(Node { name: "n".repeat(1000), ..Node::default() });
    let last = Node { last: Some(named.clone()), ..Node::default() };
    _ = estimate(&(rare(named), last));
}

#[test]
fn fields_to_which_unvisited_elements_fold_are_not_exact() {
    let named = || Node { name: "n".repeat(1000), ..Node::default() };
    let mut root = named();
    root.boxed = rare(Box::new(named()));
    // Drawn elements without bytes show that the type folds.
    root.boxed.iter_mut().step_by(2).for_each(|node| *node = Some(Box::default()));
    assert!(!estimate(&root).interval_at("name").expect("it is in the tree").is_exact());
}

/// Stops each walk at once.
struct Never;

impl Observer for Never {
    fn stops(&mut self) -> bool {
        true
    }
}

#[test]
fn a_stopped_walk_counts_no_allocation_that_an_unvisited_element_may_share() {
    let shared: Arc<[u8]> = Arc::from(vec![0; 1000]);
    let value = (rare(shared.clone()), shared.clone(), Some(shared));
    let budget = Budget::elements(1024).at_most(1 << 20);
    let estimated = Profile::estimate_observed("value", &value, budget, &mut Never);
    assert_contains(&estimated, &Profile::named("value", &value));
}

#[derive(MemoryProfile)]
struct View<'t> {
    #[profile(follow)]
    target: &'t Vec<u8>,
}

#[test]
fn the_target_of_a_reference_is_not_exact_if_an_unvisited_element_may_refer_to_it() {
    let target = vec![0_u8; 1000];
    _ = estimate(&(rare(View { target: &target }), View { target: &target }));
}
