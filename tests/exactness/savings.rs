//! Savings that advice states, compared with the allocator's count of the bytes that are freed.

#![expect(dead_code, reason = "only the bytes of the fields matter")]

use crate::allocator::{calls, live_bytes};
use memprof::report::{Recommendation, Severity};
use memprof::{MemoryProfile, Profile};
use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet, BinaryHeap, HashMap, HashSet, VecDeque};
use std::hash::{BuildHasherDefault, DefaultHasher};
use std::io::BufReader;
use std::sync::Arc;

/// Returns the findings of one rule.
fn found<T: MemoryProfile>(rule: &str, value: &T) -> Vec<Recommendation> {
    let mut advice = Profile::named("x", value).advice();
    advice.retain(|found| found.rule() == rule);
    advice
}

/// Returns the bytes that `act` frees.
fn freed<T>(value: &mut T, act: impl FnOnce(&mut T)) -> u64 {
    let before = live_bytes();
    act(value);
    (before - live_bytes()) as u64
}

/// Returns a value and the bytes that it took from the allocator.
fn held<T>(make: impl FnOnce() -> T) -> (T, u64) {
    let before = live_bytes();
    let value = make();
    (value, (live_bytes() - before) as u64)
}

/// Checks that the advice states the bytes that `act` frees, and that no advice is left afterwards.
#[track_caller]
fn assert_saves<T: MemoryProfile>(mut value: T, action: &str, act: impl FnOnce(&mut T)) {
    let before = found("spare", &value);
    let [advice] = &before[..] else { panic!("{before:?}") };
    assert_eq!(advice.severity(), Severity::Warning);
    assert!(advice.action().is_some_and(|to_do| to_do.contains(action)), "{advice}");
    let freed = freed(&mut value, act);
    assert!(freed > 0);
    assert_eq!((advice.savings(), advice.is_upper_bound()), (Some(freed), false), "{advice}");
    assert_eq!(found("spare", &value), []);
}

#[track_caller]
fn assert_silent<T: MemoryProfile>(value: &T) {
    assert_eq!(found("spare", value), []);
}

#[derive(Clone, Default, MemoryProfile)]
struct Point {
    x: u64,
    y: u64,
    name: String,
}

#[derive(MemoryProfile)]
enum Track {
    Empty,
    Points(Vec<Point>),
}

#[derive(MemoryProfile)]
struct Node {
    weight: u64,
    below: Vec<Node>,
}

fn with_room<T: Clone>(value: &T, len: usize, capacity: usize) -> Vec<T> {
    let mut values = Vec::with_capacity(capacity);
    values.resize(len, value.clone());
    values
}

type Map<K, V> = HashMap<K, V, BuildHasherDefault<DefaultHasher>>;
type Set<T> = HashSet<T, BuildHasherDefault<DefaultHasher>>;

const SHRINK: &str = "shrink_to_fit";
const COLLECT: &str = "collect";

#[test]
#[cfg_attr(not(target_pointer_width = "64"), ignore = "the sizes are those of 64-bit systems")]
fn excess_capacity_of_structs_is_compared_with_the_whole_buffer() {
    let point = Point::default();
    let half = with_room(&point, 8_000, 16_000);
    let advice = &found("spare", &half)[0];
    assert_eq!(advice.evidence(), "312.5 KiB of 625.0 KiB is unused capacity (50.0 %)");
    assert_saves(half, SHRINK, Vec::shrink_to_fit);
    assert_silent(&with_room(&point, 8_000, 8_192));
    assert_saves(with_room(&point, 0, 1_000), SHRINK, Vec::shrink_to_fit);
}

#[test]
fn shrinking_a_sequence_frees_the_predicted_bytes() {
    let point = Point::default();
    let room = || with_room(&point, 100, 1_000);
    assert_saves(VecDeque::from(room()), SHRINK, VecDeque::shrink_to_fit);
    let mut turned = VecDeque::from(room());
    turned.rotate_left(30);
    assert_saves(turned, SHRINK, VecDeque::shrink_to_fit);
    assert_saves(BinaryHeap::from(with_room(&7_u64, 10, 1_000)), SHRINK, BinaryHeap::shrink_to_fit);
    let mut text = String::with_capacity(10_000);
    text.push_str("short");
    assert_saves(text, SHRINK, String::shrink_to_fit);
    assert_saves(Track::Points(room()), SHRINK, |track| {
        if let Track::Points(points) = track {
            points.shrink_to_fit();
        }
    });
    assert_silent(&Track::Empty);
    assert_saves((room(), 5_u8), SHRINK, |pair| pair.0.shrink_to_fit());
    assert_saves(RefCell::new(room()), SHRINK, |cell| cell.get_mut().shrink_to_fit());
    let names: Vec<String> = (0..100).map(|_| String::with_capacity(100)).collect();
    assert_saves(names, SHRINK, |names| names.iter_mut().for_each(String::shrink_to_fit));
    assert_saves(vec![room(), room()], SHRINK, |rows| {
        rows.iter_mut().for_each(Vec::shrink_to_fit);
    });
}

#[test]
fn a_type_that_contains_itself_is_shrunk_at_all_its_depths() {
    fn tree(depth: u64) -> Node {
        let mut below = Vec::with_capacity(8);
        if depth > 0 {
            below.extend([tree(depth - 1), tree(depth - 1)]);
        }
        Node { weight: depth, below }
    }
    fn shrink(node: &mut Node) {
        node.below.shrink_to_fit();
        node.below.iter_mut().for_each(shrink);
    }
    assert_saves(tree(6), SHRINK, shrink);
}

#[test]
fn excess_capacity_of_a_shared_value_gets_advice() {
    let shared = Arc::new(with_room(&Point::default(), 100, 1_000));
    assert_saves(shared, SHRINK, |shared| {
        Arc::get_mut(shared).expect("one handle").shrink_to_fit();
    });
}

#[test]
fn shrinking_a_table_frees_the_predicted_bytes() {
    for len in [0, 1, 3, 4, 7, 8, 14, 15, 28, 29, 100, 1_000] {
        let mut map: Map<u64, Point> =
            Map::with_capacity_and_hasher(5_000, BuildHasherDefault::new());
        map.extend((0..len).map(|key| (key, Point::default())));
        assert_saves(map, SHRINK, Map::shrink_to_fit);
        // Tables with entries of 1 or 2 bytes have other minimum sizes.
        let mut bytes: Set<u8> = Set::with_capacity_and_hasher(9_000, BuildHasherDefault::new());
        bytes.extend((0..len).map(|key| key as u8));
        assert_saves(bytes, SHRINK, Set::shrink_to_fit);
        let mut pairs: Set<u16> = Set::with_capacity_and_hasher(9_000, BuildHasherDefault::new());
        pairs.extend((0..len).map(|key| key as u16));
        assert_saves(pairs, SHRINK, Set::shrink_to_fit);
    }
    let mut removed: Map<u64, u64> = (0..1_000).map(|key| (key, key)).collect();
    removed.retain(|key, _| key % 100 == 0);
    assert_saves(removed, SHRINK, Map::shrink_to_fit);
}

#[derive(MemoryProfile)]
struct Named {
    #[profile(keyed)]
    by_name: Map<String, Vec<Point>>,
}

#[test]
fn the_table_of_a_keyed_map_is_compared_with_its_entries() {
    let mut by_name = Map::with_capacity_and_hasher(1_000, BuildHasherDefault::new());
    by_name.extend((0..20).map(|key| (format!("{key:08}"), vec![Point::default(); 2])));
    assert_saves(Named { by_name }, SHRINK, |named| named.by_name.shrink_to_fit());
    let by_name = (0..1_000).map(|key| (key.to_string(), Vec::new())).collect();
    assert_silent(&Named { by_name });
}

#[test]
#[cfg_attr(not(target_pointer_width = "64"), ignore = "the sizes are those of 64-bit systems")]
fn minimal_tables_get_no_advice_to_shrink() {
    let tables: Vec<Map<u32, u64>> =
        (0..820).map(|_| (0..29).map(|key| (key, 7)).collect()).collect();
    assert_silent(&tables);
    assert!(Profile::of(&tables).statistics().spare > 400 << 10, "half of them is free");
}

#[test]
fn compact_trees_get_no_advice_to_collect() {
    let trees: Vec<BTreeMap<u32, [u64; 4]>> =
        (0..1_000).map(|key| BTreeMap::from([(key, [0; 4])])).collect();
    assert_silent(&trees);
    let trees: Vec<BTreeSet<u64>> = (0..1_000).map(|_| (0..23).collect()).collect();
    assert_silent(&trees);
}

/// Returns all numbers below `len` in a scrambled order.
fn shuffled(len: u64) -> impl Iterator<Item = u64> {
    (0..len).map(move |index| index * 7919 % len)
}

fn collect<K: Ord, V>(map: &mut BTreeMap<K, V>) {
    *map = std::mem::take(map).into_iter().collect();
}

/// Returns a tree whose keys were inserted in ascending order.
fn ascending(len: u64) -> BTreeMap<u64, Point> {
    let mut map = BTreeMap::new();
    for key in 0..len {
        map.insert(key, Point::default());
    }
    map
}

#[test]
fn collecting_a_tree_frees_the_predicted_bytes() {
    // The lengths include those at which a tree of full nodes gets another level.
    for len in [600, 1_727, 1_728, 20_000] {
        assert_saves(ascending(len), COLLECT, collect);
    }
    let emptied: Vec<BTreeMap<u64, u64>> = (0..100)
        .map(|key| {
            let mut map = BTreeMap::from([(key, key)]);
            map.clear();
            map.insert(key, key);
            map.remove(&key);
            map
        })
        .collect();
    assert_saves(emptied, COLLECT, |maps| maps.iter_mut().for_each(collect));
}

#[test]
fn collecting_an_ascending_tree_saves_bytes_for_good() {
    let (mut kept, mut collected) = (ascending(10_000), ascending(10_000));
    let saves = found("spare", &kept)[0].savings().expect("the tree is exact");
    collect(&mut collected);
    for key in 10_000..15_000 {
        kept.insert(key, Point::default());
        collected.insert(key, Point::default());
    }
    let (kept, collected) = (Profile::of(&kept), Profile::of(&collected));
    let left = kept.total_bytes() - collected.total_bytes();
    assert!(left.abs_diff(saves) < saves / 50, "{saves} promised, {left} left");
}

#[test]
fn trees_that_random_inserts_fill_again_get_no_advice() {
    let random = |len| -> BTreeMap<u64, u64> {
        let mut map = BTreeMap::new();
        for key in shuffled(len) {
            map.insert(key.wrapping_mul(0x9e37_79b9_7f4a_7c15), key);
        }
        map
    };
    let (mut kept, mut collected) = (random(10_000), random(10_000));
    assert_silent(&kept);
    // A quarter more keys, and nothing is left of what collecting saved.
    collect(&mut collected);
    for key in 10_000..12_500_u64 {
        let key = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        kept.insert(key, key);
        collected.insert(key, key);
    }
    assert!(Profile::of(&collected).total_bytes() > Profile::of(&kept).total_bytes());
    for keep in [9, 5, 1] {
        let mut thinned = random(20_000);
        thinned.retain(|_, value| value.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33 & 7 < keep);
        assert_silent(&thinned);
    }
    let texts: BTreeSet<String> = BTreeSet::new();
    let texts = shuffled(5_000).fold(texts, |mut texts, value| {
        texts.insert(value.to_string());
        texts
    });
    assert_silent(&texts);
}

#[test]
fn a_tree_and_its_buffers_get_separate_advice() {
    let mut map: BTreeMap<u64, Vec<u64>> = BTreeMap::new();
    for key in 0..2_000 {
        map.insert(key, with_room(&7, 1, 4));
    }
    let advice = found("spare", &map);
    let saves = |action: &str| {
        let of_action =
            advice.iter().find(|found| found.action().is_some_and(|to_do| to_do.contains(action)));
        of_action.and_then(Recommendation::savings)
    };
    let shrunk = freed(&mut map, |map| map.values_mut().for_each(Vec::shrink_to_fit));
    assert_eq!(saves(SHRINK), Some(shrunk));
    let collected = freed(&mut map, collect);
    // The nodes' share of all buffers may be too small for advice.
    assert!(saves(COLLECT).is_none_or(|bytes| bytes == collected));
}

#[test]
fn excess_capacity_that_cannot_be_freed_has_no_action() {
    let readers: Vec<_> = (0..100).map(|_| BufReader::new(&b"text"[..])).collect();
    let found = found("spare", &readers);
    let [advice] = &found[..] else { panic!("{found:?}") };
    assert_eq!(
        (advice.severity(), advice.action(), advice.savings()),
        (Severity::Info, None, None)
    );
}

#[test]
fn sharing_equal_values_saves_at_most_the_predicted_bytes() {
    #[derive(Hash, MemoryProfile)]
    #[profile(shareable)]
    struct Unit(String);
    let unit = || Unit("a rather long name of a unit".into());
    let (apart, all) = held(|| (0..100).map(|_| unit()).collect::<Vec<_>>());
    let advice = &found("share equal", &apart)[0];
    let (_shared, least) = held(|| {
        let one = Arc::new(unit());
        (0..100).map(|_| one.clone()).collect::<Vec<_>>()
    });
    let saved = all - least;
    assert!(advice.is_upper_bound());
    assert!(advice.savings() >= Some(saved) && saved > 0, "{advice}: {saved}");
}

#[test]
fn sharing_equal_values_that_have_handles_of_their_own_saves_at_most_the_predicted_bytes() {
    #[derive(Hash, MemoryProfile)]
    #[profile(shareable)]
    #[repr(align(64))]
    struct Unit(String);
    let unit = || Arc::new(Unit("kg".to_owned()));
    let mut handles: Vec<Arc<Unit>> = (0..100).map(|_| unit()).collect();
    let advice = &found("share equal", &handles)[0];
    let shared = unit();
    let saved = freed(&mut handles, |handles| handles.fill(shared));
    assert!(advice.is_upper_bound());
    assert!(advice.savings() >= Some(saved) && saved > 0, "{advice}: {saved}");
}

#[test]
fn dropping_a_value_frees_what_is_not_externally_held() {
    let table = Arc::new(vec![0_u8; 10_000]);
    let (value, _) = held(|| Box::new((table.clone(), vec![0_u8; 7_000])));
    let advice = &found("externally held", &value)[0];
    let frees = Profile::of(&value).sharing().retained_bytes - size_of_val(&value) as u64;
    assert!(advice.evidence().contains("dropping the value frees 6.9 KiB"), "{advice}");
    let mut value = Some(value);
    assert_eq!(freed(&mut value, |value| drop(value.take())), frees);
    drop(table);
}

#[test]
fn one_array_of_many_small_values_takes_less_metadata() {
    let (apart, all) = held(|| (0..1_000).map(|_| Box::from([7])).collect::<Vec<Box<[u8]>>>());
    let advice = &found("metadata", &apart)[0];
    let (_batched, less) = held(|| vec![7_u8; 1_000]);
    assert!(advice.action().is_some_and(|action| action.starts_with("batch")), "{advice}");
    assert_eq!(advice.savings(), None, "how much depends on the batches");
    assert!(all > 10 * less, "{all} {less}");
}

#[test]
#[cfg_attr(not(target_pointer_width = "64"), ignore = "the sizes are those of 64-bit systems")]
fn an_array_per_field_saves_at_most_the_padding() {
    #[derive(Clone, MemoryProfile)]
    struct Sample {
        time: u64,
        valid: bool,
    }
    #[derive(MemoryProfile)]
    struct Samples {
        time: Vec<u64>,
        valid: Vec<bool>,
    }
    let (rows, all) = held(|| vec![Sample { time: 0, valid: true }; 1_000]);
    let advice = &found("padding", &rows)[0];
    let (_columns, least) = held(|| Samples { time: vec![0; 1_000], valid: vec![true; 1_000] });
    let saved = all - least;
    assert!(advice.is_upper_bound());
    assert!(advice.savings() >= Some(saved) && saved > 0, "{advice}: {saved}");
}

#[test]
fn computing_auxiliary_memory_on_demand_saves_at_most_the_predicted_bytes() {
    #[derive(MemoryProfile)]
    struct Measured {
        data: Vec<f64>,
        #[profile(role = "auxiliary")]
        deviations: Vec<f64>,
    }
    let mut measured = Measured { data: vec![0.0; 1_000], deviations: vec![0.0; 1_000] };
    let advice = &found("auxiliary", &measured)[0];
    let saved = freed(&mut measured, |measured| measured.deviations = Vec::new());
    assert!(advice.is_upper_bound());
    assert!(advice.savings() >= Some(saved) && saved > 0, "{advice}: {saved}");
    assert!(advice.to_string().contains("(saves at most 7.8 KiB)"), "{advice}");
    drop(measured.data);
}

#[test]
fn all_rules_read_one_plain_tree() {
    let by_name = (0..10_000).map(|key| (key.to_string(), vec![Point::default()])).collect();
    let profile = Profile::of(&Named { by_name });
    let count = |act: &dyn Fn()| {
        let before = calls();
        act();
        calls() - before
    };
    let once = count(&|| assert_eq!(profile.bytes_at("no such path"), None));
    let advice = count(&|| assert!(profile.advice().len() < 5));
    assert!(once > 20 && advice < 2 * once, "{once} for a plain tree, {advice} for all rules");
}
