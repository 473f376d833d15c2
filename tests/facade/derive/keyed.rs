//! `#[profile(keyed)]`: entries named after their keys.

use super::check;
use expect_test::expect;
use memprof::{MemoryProfile, Profile, total_bytes};
use std::collections::{BTreeMap, HashMap};

/// A map without `keyed`.
#[derive(MemoryProfile)]
struct Plain<M> {
    map: M,
}

#[test]
fn entries_are_named_after_their_keys() {
    #[derive(MemoryProfile)]
    struct Registry {
        #[profile(keyed)]
        entries: BTreeMap<String, Entry>,
    }
    #[derive(MemoryProfile)]
    struct Entry {
        samples: Vec<u64>,
        unit: String,
    }
    let entry = |len| Entry { samples: vec![0; len], unit: String::from("kg") };
    let entries =
        BTreeMap::from([(String::from("mass"), entry(10)), (String::from("time"), entry(5))]);
    let registry = Registry { entries };
    check(
        &registry,
        &expect![[r#"
        Registry;entries 744
        Registry;entries;mass;samples 104
        Registry;entries;mass;unit 26
        Registry;entries;time;samples 64
        Registry;entries;time;unit 26
    "#]],
    );
    let profile = Profile::of(&registry);
    assert!(profile.is_exact());
    let counts = profile.root().child("entries").unwrap().counts();
    assert_eq!((counts.values, counts.nodes, counts.allocations), (2, 1, 1));
    let plain = Plain { map: registry.entries };
    assert_eq!(profile.total_bytes(), total_bytes(&plain));
}

#[test]
fn entries_past_the_cap_share_a_branch() {
    #[derive(MemoryProfile)]
    struct Cache {
        #[profile(keyed(cap = 2))]
        pages: HashMap<u32, Vec<u8>>,
    }
    let pages = |range: std::ops::Range<u32>| range.map(|page| (page, vec![0; 10])).collect();
    check(
        &Cache { pages: pages(10..15) },
        &expect![[r#"
        Cache;pages 208
        Cache;pages;10 34
        Cache;pages;11 34
        Cache;pages;[other] 102
    "#]],
    );
    // The first map's keys name the entries of both maps. All other entries are in `[other]`.
    check(
        &vec![Cache { pages: pages(12..14) }, Cache { pages: pages(10..20) }],
        &expect![[r#"
        Vec 24
        Vec;pages 500
        Vec;pages;12 68
        Vec;pages;13 68
        Vec;pages;[other] 272
    "#]],
    );
}

#[test]
fn twenty_entries_are_named_by_default() {
    #[derive(MemoryProfile)]
    struct Many {
        #[profile(keyed)]
        map: BTreeMap<u8, String>,
    }
    let map = (0..30).map(|key| (key, String::from("x"))).collect();
    let many = Many { map };
    let profile = Profile::of(&many);
    let map = profile.root().child("map").unwrap();
    let named = map.children().filter(|branch| !branch.name().starts_with('[')).count();
    assert_eq!(named, 20);
    let other = map.child("[other]");
    assert_eq!(other.map(memprof::tree::Branch::total_bytes), Some(10 * 25));
    assert_eq!(profile.total_bytes(), total_bytes(&Plain { map: many.map }));
}

#[test]
fn names_of_entries_move_no_other_bytes() {
    #[derive(MemoryProfile)]
    struct Keys<K: std::fmt::Display, V> {
        #[profile(keyed)]
        map: HashMap<K, V>,
    }
    fn totals<V: MemoryProfile>(map: HashMap<String, V>) -> (u64, u64) {
        let keyed = Keys { map };
        let named = Profile::of(&keyed);
        assert!(named.is_exact());
        (named.total_bytes(), total_bytes(&Plain { map: keyed.map }))
    }
    let keys = || (0..100).map(|key| key.to_string());
    let empty = totals(HashMap::<String, u8>::with_capacity(100));
    assert_eq!(empty.0, empty.1);
    let flat = totals(keys().map(|key| (key, 1_u16)).collect());
    assert_eq!(flat.0, flat.1);
    let maps = keys().map(|key| (key, HashMap::from([(1_u8, vec![String::from("deep")])])));
    let maps = totals(maps.collect());
    assert_eq!(maps.0, maps.1);
    let shared = std::sync::Arc::new(vec![1_u8; 50]);
    let handles = totals(keys().map(|key| (key, shared.clone())).collect());
    assert_eq!(handles.0, handles.1);
}

#[test]
fn generic_keys_are_bound_by_display() {
    #[derive(MemoryProfile)]
    struct Index<K, V> {
        #[profile(keyed(cap = 1), rename = "entries")]
        map: BTreeMap<K, V>,
    }
    check(
        &Index { map: BTreeMap::from([('a', 1_u64), ('b', 2)]) },
        &expect![[r#"
        Index;entries 152
        Index;entries;[other] 8
        Index;entries;a 8
    "#]],
    );
}

#[test]
fn recursion_through_keys_folds() {
    #[derive(Default, MemoryProfile)]
    struct Trie {
        #[profile(keyed)]
        children: BTreeMap<char, Trie>,
        word: Option<String>,
    }
    let mut root = Trie::default();
    for word in ["to", "tea", "ten", "in"] {
        let end =
            word.chars().fold(&mut root, |trie, letter| trie.children.entry(letter).or_default());
        end.word = Some(String::from(word));
    }
    check(
        &root,
        &expect![[r#"
            Trie;children 512
            Trie;children;i;children 584
            Trie;children;i;word 50
            Trie;children;t;children 1096
            Trie;children;t;word 128
            Trie;word 24
        "#]],
    );
}

#[test]
fn a_variant_may_name_entries() {
    #[derive(MemoryProfile)]
    enum Table {
        Named(#[profile(keyed)] HashMap<&'static str, Vec<u8>>),
        Empty,
    }
    let named = Table::Named(HashMap::from([("a", vec![1]), ("b", vec![1, 2])]));
    check(
        &[named, Table::Empty],
        &expect![[r#"
            array 96
            array;Named 132
            array;Named;a 25
            array;Named;b 26
        "#]],
    );
}

#[test]
fn maps_in_maps_in_maps_take_no_time_and_no_stack() {
    #[derive(Default, MemoryProfile)]
    struct Trie {
        #[profile(keyed)]
        children: BTreeMap<u8, Trie>,
    }
    let mut root = Trie::default();
    let mut end = &mut root;
    for key in (0..5).cycle().take(300) {
        end = end.children.entry(key).or_default();
    }
    let total = total_bytes(&root);
    assert!(total > 300 * 24, "{total}");
}
