//! Values of types that hide their memory, and what making them left on the heap.

use memprof::heap::Measured;
use memprof::tree::{Leaf, LeafKind, OpaqueReason};
use memprof::{MemoryProfile, Profile, total_bytes};
use std::hint::black_box;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

/// A type without an impl.
#[derive(Clone, Debug)]
struct Pattern {
    states: Vec<u32>,
    name: Box<str>,
}

fn pattern(states: usize, name: &str) -> Pattern {
    Pattern { states: black_box(vec![0; states]), name: name.into() }
}

fn grown(mut pattern: Pattern, states: usize) -> Pattern {
    pattern.states.reserve_exact(states - pattern.states.len());
    pattern
}

/// A value with its name, the function that makes it, and the bytes that it allocates.
type Case = (&'static str, fn() -> Pattern, u64);

#[test]
fn the_size_is_what_making_the_value_left() {
    let cases: [Case; 4] = [
        ("a value without memory", || pattern(0, ""), 0),
        ("two blocks", || pattern(10, "abc"), 43),
        ("a temporary", || pattern(black_box(vec![0_u8; 100]).len(), "a"), 401),
        ("a buffer that grew", || grown(pattern(1, "a"), 20), 81),
    ];
    for (case, make, expected) in cases {
        let measured = Measured::new(make);
        assert_eq!(measured.bytes(), Some(expected), "{case}");
    }
}

#[test]
fn the_size_is_unknown_if_more_was_freed() {
    let older = pattern(10, "");
    let measured = Measured::new(|| {
        drop(older);
        pattern(1, "a")
    });
    assert_eq!(measured.bytes(), None);
    let older = pattern(1, "a");
    let measured = Measured::new(|| {
        drop(older);
        pattern(100, "")
    });
    assert_eq!(measured.bytes(), None, "more bytes, but fewer blocks");
    let mut measured = Measured::new(|| pattern(1, "a"));
    let older = pattern(10, "");
    measured.update(|_| drop(older));
    assert_eq!(measured.bytes(), None);
    measured.update(|pattern| *pattern = grown(pattern.clone(), 100));
    assert_eq!(measured.bytes(), None, "what is unknown stays unknown");
}

#[test]
fn memory_of_another_thread_is_missing() {
    let make = || thread::spawn(|| pattern(100_000, "a")).join().expect("it does not panic");
    let measured = Measured::new(make);
    assert_eq!(measured.states.len(), 100_000);
    assert!(measured.bytes().is_none_or(|bytes| bytes < 400_000), "{measured:?}");
}

#[test]
fn a_change_adds_to_the_size() {
    let mut measured = Measured::new(|| pattern(10, "abc"));
    let len = measured.update(|pattern| {
        *pattern = grown(pattern.clone(), 20);
        pattern.states.len()
    });
    assert_eq!((len, measured.bytes()), (10, Some(83)));
    measured.update(|pattern| pattern.states = Vec::new());
    assert_eq!(measured.bytes(), Some(3));
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        measured.update(|pattern| {
            pattern.name = "".into();
            panic!("on purpose")
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(measured.bytes(), None);
}

#[test]
fn a_clone_is_measured_by_itself() {
    let measured = Measured::new(|| grown(pattern(1, "abc"), 1000));
    let clone = measured.clone();
    assert_eq!((measured.bytes(), clone.bytes()), (Some(4003), Some(7)));
    assert_eq!(&*clone.into_inner().name, "abc");
}

#[test]
fn an_error_is_returned_and_not_measured() {
    let make = |name: &str| name.parse::<usize>().map(|states| pattern(states, name));
    let measured = Measured::try_new(|| make("12")).expect("it is a number");
    assert_eq!(measured.bytes(), Some(48 + 2));
    assert!(Measured::try_new(|| make("twelve")).is_err());
}

#[derive(MemoryProfile)]
struct Filters {
    patterns: Vec<Measured<Pattern>>,
    name: String,
}

#[test]
fn a_profile_counts_measured_bytes_and_is_not_exact() {
    let make = |states| Measured::new(|| pattern(states, "ab"));
    let patterns = vec![make(10), make(20)];
    let filters = Filters { patterns, name: String::from("all") };
    let profile = Profile::of(&filters);
    let inline = 2 * size_of::<Measured<Pattern>>() as u64;
    assert_eq!(profile.bytes_at("patterns"), Some(24 + inline + 40 + 80 + 2 * 2));
    assert_eq!(total_bytes(&filters), profile.total_bytes());
    let patterns = profile.root().child("patterns").expect("it is a field");
    assert!(patterns.opaque().eq([(OpaqueReason::Measured, 2)]));
    let opaque = patterns.leaves().iter().find(|leaf| leaf.kind() == LeafKind::Opaque);
    assert_eq!(opaque.map(Leaf::bytes), Some(124));
    assert_eq!(patterns.counts().allocations, 1 + 4);
    assert!(!profile.is_exact());
}
