//! Tests of walks that draw from large slices.

use super::Random;
use crate::MemoryProfile;
use crate::large::Sampled;
use crate::tree::{Branch, Collected, Leaf, OpaqueReason};
use crate::walk::{Keyed, Observer, Position, Walk};
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::{Arc, Mutex};

/// Ends each phase of a walk after a number of calls, which includes the calls in earlier phases.
struct Phases {
    ends: [u32; 3],
    calls: u32,
    ended: usize,
}

impl Phases {
    /// Visits at most 256 times `whole` values, and then 256 times `sampled`, of which at most half
    /// are outside the sample.
    fn new(whole: u32, sampled: u32) -> Self {
        Self { ends: [whole, whole + sampled / 2, whole + sampled], calls: 0, ended: 0 }
    }
}

impl Observer for Phases {
    fn stops(&mut self) -> bool {
        let stops = self.ends.get(self.ended).is_none_or(|&end| self.calls >= end);
        self.ended += usize::from(stops);
        self.calls += u32::from(!stops);
        stops
    }
}

/// Samples a value after a visit of at most 256 values. What is outside the sample, and the draws,
/// have at most 256 times `draws` visits.
fn sample<T: MemoryProfile>(value: &T, draws: u32, seed: u64) -> Sampled {
    Collected::sampled("value", value, seed, None, &mut Phases::new(1, draws))
}

fn total<T: MemoryProfile>(value: &T) -> u64 {
    Collected::of("value", value).tree.total_bytes()
}

/// Returns the mean of the totals of many samples, divided by the total of the value.
fn bias<T: MemoryProfile>(value: &T) -> f64 {
    let totals = (0..100).map(|seed| sample(value, 20, seed).collected.tree.total_bytes() as f64);
    totals.sum::<f64>() / 100.0 / total(value) as f64
}

#[test]
fn equal_elements_are_estimated_without_an_error() {
    let names = vec![String::from("alpha"); 10_000];
    let sampled = sample(&names, 10, 7);
    assert_eq!(sampled.collected.tree.total_bytes(), 24 + 10_000 * 29);
    assert_eq!(sampled.sample.groups, 512);
    let left = 10_000 - 256;
    let mut groups = vec![0.0; 512];
    sampled.sample.bytes.iter().for_each(|one| groups[one.group] += one.bytes);
    assert!(groups.iter().all(|&bytes| (bytes - 5.0 * left as f64).abs() < 1e-6), "{groups:?}");
    assert!(sampled.drawn > 2000 && sampled.drawn < 2600, "{}", sampled.drawn);
    assert_eq!(sampled.elements, left);
    let root = sampled.collected.tree.root();
    assert!(root.opaque().eq([(OpaqueReason::Stopped, left - sampled.drawn)]));
    assert_eq!(root.leaves().iter().map(Leaf::estimated_bytes).sum::<u64>(), 5 * left);
}

#[test]
fn a_walk_that_is_not_stopped_is_exact() {
    let value = (vec![String::from("alpha"); 1000], vec![0_u64; 1_000_000], Some(vec![1_u8; 9]));
    let mut observer = Phases::new(100, 0);
    let sampled = Collected::sampled("value", &value, 7, None, &mut observer);
    assert_eq!(sampled.collected, Collected::of("value", &value));
    assert_eq!((sampled.drawn, sampled.elements, sampled.sample.bytes.len()), (0, 0, 0));
}

#[test]
fn flat_and_small_slices_are_never_left() {
    let value =
        (vec![String::from("alpha"); 1000], vec![0_u64; 1_000_000], vec!["b".repeat(9); 99]);
    let sampled = sample(&value, 10, 7);
    assert_eq!(sampled.elements, 1000 - 256);
    assert!(sampled.sample.bytes.iter().all(|one| one.branch.index() == 1), "{sampled:?}");
}

#[test]
fn the_mean_of_many_samples_is_the_truth() {
    let nested: Vec<Vec<Vec<String>>> =
        (0..500).map(|n| vec![vec!["x".repeat(n % 13); n % 15]; 1 + n % 9]).collect();
    let optional: Vec<Option<Box<[String; 2]>>> = (0..5000)
        .map(|n: usize| (n % 3 == 0).then(|| Box::new(["a".repeat(n % 40), String::new()])))
        .collect();
    let maps: Vec<HashMap<u32, String>> =
        (0..1000).map(|n| (0..n % 7).map(|key| (key, key.to_string())).collect()).collect();
    let in_map: BTreeMap<u32, Vec<String>> =
        (0..30).map(|key| (key, vec!["y".repeat(key as usize); 2000])).collect();
    let short_and_long = (vec![String::from("a"); 20_000], vec![vec![7_u8; 10_000]; 200]);
    let pairs: Vec<Arc<String>> = (0..3000)
        .map(|n: usize| Arc::new("z".repeat(n % 50)))
        .flat_map(|s| [s.clone(), s])
        .collect();
    // Each node has a handle from two elements, and leads to a text with handles from two nodes.
    let chains: Vec<Rc<[Rc<String>; 1]>> = (0..1000)
        .map(|n: usize| Rc::new("z".repeat(n % 50)))
        .flat_map(|s| [Rc::new([s.clone()]), Rc::new([s])])
        .flat_map(|s| [s.clone(), s])
        .collect();
    let guarded: Vec<Mutex<Vec<String>>> =
        (0..2000).map(|n| Mutex::new(vec!["m".repeat(n % 9); 10])).collect();
    for (name, bias) in [
        ("nested slices", bias(&nested)),
        ("optional boxes", bias(&optional)),
        ("maps in a slice", bias(&maps)),
        ("slices in a map", bias(&in_map)),
        ("slices behind a lock", bias(&Mutex::new(in_map))),
        ("a short slice beside a long one", bias(&short_and_long)),
        ("shared strings", bias(&pairs)),
        ("shared handles", bias(&chains)),
        ("locks", bias(&guarded)),
    ] {
        assert!((bias - 1.0).abs() < 0.03, "{name}: {bias}");
    }
}

#[test]
fn an_allocation_that_all_elements_share_counts_about_once() {
    let shared = Rc::new(vec![0_u8; 1_000_000]);
    let mut handles = vec![None; 100_000];
    handles.resize(200_000, Some(shared));
    let (total, sampled) = (total(&handles), sample(&handles, 100, 7));
    let sampled = sampled.collected.tree.total_bytes();
    assert!(sampled.abs_diff(total) < 50_000, "{sampled} {total}");
}

#[test]
fn an_allocation_counts_where_it_was_met_first() {
    let shared = Arc::new("s".repeat(1000));
    let handles = || vec![vec![shared.clone()]; 10_000];
    let before = (shared.clone(), handles());
    assert_eq!(sample(&before, 10, 7).collected.tree.total_bytes(), total(&before));
    let after = (handles(), shared.clone());
    assert_eq!(sample(&after, 10, 7).collected.tree.total_bytes(), total(&after));
    // The draws from a slice behind a lock come before the rest of the walk.
    let rare = |n: u32| n.is_multiple_of(2).then(|| shared.clone());
    let guarded: Mutex<Vec<_>> = Mutex::new((0..10_000).map(|n| vec![rare(n + 1); 1]).collect());
    let with_guard = (vec![String::from("a"); 2000], guarded, shared.clone());
    let sampled = sample(&with_guard, 100, 7).collected.tree.total_bytes();
    assert!(sampled <= total(&with_guard), "{sampled}");
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
    let total = total(&links);
    let sampled = sample(&links, 10, 7).collected.tree.total_bytes();
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
    let value = (vec![String::from("a"); 1000], vec![chain; 1000]);
    assert!(sample(&value, 4000, 7).drawn > 0);
    drop(value);
    // Dropping the handles from the last to the first does not recurse.
    while all.pop().is_some() {}
}

#[test]
fn draws_name_the_entries_of_keyed_maps_up_to_the_limit() {
    struct Named(HashMap<u32, String>);
    impl MemoryProfile for Named {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            self.0.keyed(10, walk, at);
        }
    }
    let value: Vec<Named> = (0..5000).map(|n| Named([(n % 15, "x".repeat(100))].into())).collect();
    let sampled = sample(&value, 10, 7).collected.tree;
    let names: Vec<&str> = sampled.root().children().map(Branch::name).collect();
    assert_eq!(names.iter().filter(|name| !name.starts_with('[')).count(), 10, "{names:?}");
    assert!(names.contains(&"[other]"));
}

#[test]
fn draws_cost_the_same_beside_many_names() {
    struct Named(BTreeMap<u32, String>, Vec<String>);
    impl MemoryProfile for Named {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            self.0.keyed(1_000_000, walk, at);
            self.1.owned(walk, at);
        }
    }
    // Returns the number of draws, and of the nodes that the last of them touched.
    let touched = |names: u32| {
        let names = (0..names).map(|name| (name, name.to_string())).collect();
        let value = Named(names, vec![String::from("alpha"); 200_000]);
        // All names are visited in the first phase, and the slice ends it.
        let whole = value.0.len() as u32 / 64 + 2;
        let (_, sampling) = Walk::run_sampled(&value, 7, &mut Phases::new(whole, 10));
        (sampling.drawn, sampling.places.len())
    };
    let (few, many) = (touched(100), touched(20_000));
    assert!(few.0 > 2000 && few == many, "{few:?} {many:?}");
}

#[test]
fn drawn_trait_objects_count_at_their_concrete_types() {
    let value: Vec<Box<dyn MemoryProfile>> = (0..10_000)
        .map(|n| -> Box<dyn MemoryProfile> {
            if n % 2 == 0 { Box::new(String::from("alpha")) } else { Box::new(vec![0_u16; 9]) }
        })
        .collect();
    let names = |sampled: &Collected| -> Vec<String> {
        sampled.tree.root().children().map(|branch| branch.name().to_owned()).collect()
    };
    let sampled = sample(&value, 20, 7);
    assert!(sampled.drawn > 1000);
    assert_eq!(names(&sampled.collected), names(&Collected::of("value", &value)));
    assert!(sampled.collected.tree.root().children().all(|branch| branch.total_bytes() > 100_000));
}

#[test]
fn an_impl_that_panics_leaves_no_harm() {
    struct Hostile(u32);
    impl MemoryProfile for Hostile {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            assert!(self.0 % 2 == 0, "an impl panics");
            walk.shared(at, 1, || usize::MAX, |walk, at| walk.allocation(at, 9, usize::MAX >> 16));
            walk.shared(at, 2, || 0, |walk, at| walk.allocation(at, 0, 100));
        }
    }
    let even: Vec<Hostile> = (0..10_000).map(|n| Hostile(2 * n)).collect();
    assert!(sample(&even, 10, 7).collected.tree.total_bytes() > 0);
    let mixed = Mutex::new((0..10_000).map(Hostile).collect::<Vec<_>>());
    let value = (vec![String::from("a"); 1000], mixed);
    let caught = std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| sample(&value, 10, 7)));
    assert!(caught.is_err());
    assert!(!value.1.is_poisoned());
}

#[test]
fn numbers_below_an_end_are_equally_likely() {
    let mut random = Random(7);
    let mut counts = [0_u32; 10];
    (0..100_000).for_each(|_| counts[random.below(10)] += 1);
    // Five standard deviations are 474.
    assert!(counts.iter().all(|count| count.abs_diff(10_000) < 474), "{counts:?}");
    assert_eq!((random.below(0), random.below(1)), (0, 0));
    let mean = (0..10_000).map(|_| random.unit()).sum::<f64>() / 10_000.0;
    assert!((mean - 0.5).abs() < 0.015, "{mean}");
}
