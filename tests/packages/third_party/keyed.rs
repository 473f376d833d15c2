//! `#[profile(keyed)]` of other crates' maps: entries named after their keys, with the same total.

use crate::allocator::owned_by;
use crate::asserted::reasons;
use crate::hashes::{Last, Plain};
use crate::random::Random;
use crate::values::Value;
use dashmap::DashMap;
use hashbrown::HashMap;
use indexmap::IndexMap;
use memprof::tree::{Branch, OTHER, OpaqueReason};
use memprof::walk::Keyed;
use memprof::{MemoryProfile, Profile, total_bytes};
use serde_json::{Map, Value as Json, json};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::hash::{BuildHasherDefault, RandomState};

/// A map whose entries have names, at most three of them.
#[derive(Clone, MemoryProfile)]
#[profile(bound = "M: MemoryProfile + Keyed")]
pub(crate) struct Named<M> {
    #[profile(keyed(cap = 3))]
    map: M,
}

impl<M: Value + Keyed> Value for Named<M> {
    fn random(random: &mut Random) -> Self {
        Self { map: M::random(random) }
    }
}

/// The lengths of the entries' vectors, which are also their keys.
const NUMBERS: [usize; 5] = [30, 4, 100, 20, 1];

/// The entries whose names sort first, with the bytes of each entry and its vector. The last row is
/// the sum of the other entries.
const ENTRIES: [(&str, u64); 4] = [("1", 25), ("100", 124), ("20", 44), (OTHER, 2 * 24 + 30 + 4)];

fn entries() -> impl Iterator<Item = (usize, Vec<u8>)> {
    NUMBERS.into_iter().map(|number| (number, vec![0; number]))
}

/// Creates a map, and compares its totals with the allocator's count. One total is with named
/// entries, the other without.
#[track_caller]
fn assert_exact<M: MemoryProfile + Keyed>(make: impl FnOnce() -> M) -> Profile {
    let (named, owned) = owned_by(|| Named { map: make() });
    let expected = owned as u64 + size_of::<M>() as u64;
    let profile = Profile::of(&named);
    assert!(profile.is_exact(), "{profile:?}");
    assert_eq!(profile.total_bytes(), expected, "{profile:?}");
    assert_eq!(total_bytes(&named.map), expected);
    let (counts, plain) = (counts(&profile), counts(&Profile::of(&named.map)));
    assert_eq!(counts, plain);
    profile
}

/// Returns the numbers of values, nodes and allocations.
fn counts(profile: &Profile) -> (u64, u64, u64) {
    profile.root().subtree().map(Branch::counts).fold((0, 0, 0), |sum, counts| {
        (sum.0 + counts.values, sum.1 + counts.nodes, sum.2 + counts.allocations)
    })
}

/// Returns the names and bytes of the branches directly below the map, without the bracketed
/// frames.
fn named(profile: &Profile) -> Vec<(String, u64)> {
    let map = profile.root().child("map").expect("it is the only field");
    let entries = map.children().filter(|entry| !entry.name().starts_with('['));
    let other = map.child(OTHER);
    entries.chain(other).map(|entry| (entry.name().to_owned(), entry.total_bytes())).collect()
}

#[track_caller]
fn assert_named(profile: &Profile) {
    let expected = ENTRIES.map(|(name, bytes)| (name.to_owned(), bytes));
    assert_eq!(named(profile), expected);
}

#[test]
fn entries_are_named_by_the_keys_that_sort_first() {
    assert_named(&assert_exact(|| entries().collect::<HashMap<_, _, Plain>>()));
    assert_named(&assert_exact(|| entries().collect::<HashMap<_, _, RandomState>>()));
    assert_named(&assert_exact(|| entries().collect::<IndexMap<_, _, Plain>>()));
    for _ in 0..10 {
        assert_named(&assert_exact(|| entries().collect::<DashMap<_, _, RandomState>>()));
    }
}

#[test]
fn equal_maps_name_the_same_entries() {
    let forth: IndexMap<_, _, Plain> = entries().collect();
    let mut back = forth.clone();
    back.reverse();
    assert_eq!(forth, back);
    let profile = |map: &IndexMap<_, _, Plain>| Profile::of(&Named { map: map.clone() });
    assert_eq!(profile(&forth), profile(&back));
}

#[test]
fn maps_of_std_and_of_hashbrown_name_the_same_entries() {
    let std: std::collections::HashMap<usize, Vec<u8>> = entries().collect();
    let hashbrown: HashMap<usize, Vec<u8>, RandomState> = entries().collect();
    assert_eq!(
        named(&Profile::of(&Named { map: std })),
        named(&Profile::of(&Named { map: hashbrown }))
    );
}

#[test]
fn keys_of_objects_name_their_values_in_either_form() {
    let object = || -> Map<String, Json> {
        let values = [("b", json!(["x"])), ("d", json!(null)), ("a", json!("yy")), ("c", json!(1))];
        values.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
    };
    let is_tree = size_of::<Map<String, Json>>() == size_of::<BTreeMap<String, Json>>();
    let numbers_own = std::mem::needs_drop::<serde_json::Number>();
    let profile = if is_tree && !numbers_own {
        assert_exact(object)
    } else {
        let named = Named { map: object() };
        let profile = Profile::of(&named);
        assert_eq!(profile.total_bytes(), total_bytes(&named.map));
        assert!(!profile.is_exact());
        profile
    };
    let names: Vec<String> = named(&profile).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["a", "b", "c", OTHER]);
    let bytes = |name: &str| profile.bytes_at(&format!("map;{name}"));
    let value = size_of::<Json>() as u64;
    assert_eq!((bytes("a"), bytes(OTHER)), (Some(value + 2), Some(value)));
}

#[test]
fn keys_of_an_object_in_a_value_name_its_values() {
    let value = Named { map: json!({"b": "xx", "a": {"c": "yyy"}}) };
    let profile = Profile::of(&value);
    let bytes = |name: &str| profile.bytes_at(&format!("map;Object;{name}"));
    let json = size_of::<Json>() as u64;
    assert_eq!(bytes("b"), Some(json + 2), "{profile:?}");
    assert!(bytes("a").is_some_and(|bytes| bytes > 2 * json), "{profile:?}");
    assert_eq!(profile.total_bytes(), total_bytes(&value.map));
    let text = Named { map: json!("text") };
    assert_eq!(Profile::of(&text).total_bytes(), json + 4);
}

#[test]
fn empty_maps_keep_what_they_allocated() {
    type Values = Vec<u8>;
    let hasher = Plain::default;
    assert_nameless(|| HashMap::<u8, Values, Plain>::with_capacity_and_hasher(9, hasher()));
    assert_nameless(|| DashMap::<u8, Values, Plain>::with_hasher(hasher()));
    assert_nameless(|| {
        let mut map: IndexMap<_, _, Plain> = entries().collect();
        map.clear();
        map
    });
    if size_of::<Map<String, Json>>() == size_of::<BTreeMap<String, Json>>() {
        assert_nameless(|| {
            let mut object: Map<String, Json> =
                [("a".to_owned(), Json::Null)].into_iter().collect();
            object.remove("a");
            object
        });
    }
}

#[track_caller]
fn assert_nameless<M: MemoryProfile + Keyed>(make: impl FnOnce() -> M) {
    assert_eq!(named(&assert_exact(make)), []);
}

#[test]
fn consecutive_maps_share_their_names() {
    let maps = [&[3, 1, 2][..], &[0, 1, 4]].map(|keys| {
        let map: IndexMap<u8, Vec<u8>, Plain> = keys.iter().map(|&key| (key, vec![0])).collect();
        Named { map }
    });
    let profile = Profile::named("maps", &maps);
    let folded = profile.to_folded();
    let lines = folded.lines().filter(|line| line.matches(';').count() == 2);
    let mut entries = String::new();
    lines.for_each(|line| writeln!(entries, "{line}").expect("text can be written"));
    assert_eq!(entries, "maps;map;1 50\nmaps;map;2 25\nmaps;map;3 25\nmaps;map;[other] 50\n");
}

#[test]
fn a_locked_shard_is_marked_and_the_others_name_their_entries() {
    let map: DashMap<usize, Vec<u8>, BuildHasherDefault<Last>> = entries().collect();
    let named = Named { map };
    let held = named.map.get_mut(&100).expect("it is there");
    let profile = Profile::of(&named);
    assert_eq!(reasons(profile.root()), [(OpaqueReason::Locked, 1)], "{profile:?}");
    assert_eq!(profile.bytes_at("map;100"), None);
    assert_eq!(profile.total_bytes(), total_bytes(&named.map));
    drop(held);
    assert_named(&Profile::of(&named));
}
