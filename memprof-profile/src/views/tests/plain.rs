//! Tests of the merge of bracketed branches into the lines that they describe.

use crate::Profile;
use crate::tree::{KEYS, LeafKind, OTHER, SHARED};
use crate::views::samples::Sample;
use expect_test::{Expect, expect};
use std::sync::Arc;

fn check(sample: &Sample, expected: &Expect) {
    expected.assert_eq(&sample.profile().to_folded());
}

#[test]
fn leaves_of_every_kind_are_the_own_bytes_of_their_branch() {
    let leaf = |sample: Sample, &kind: &LeafKind| sample.leaf(kind, 10);
    let sample = LeafKind::ALL.iter().fold(Sample::new("x"), leaf);
    check(
        &sample,
        &expect![[r#"
        x 90
    "#]],
    );
}

#[test]
fn shared_memory_is_at_the_path_of_its_handle() {
    let unit = |bytes| [Sample::data("name", bytes), Sample::data("symbol", bytes)];
    let sample = Sample::new("x").with([Sample::new("unit")
        .leaf(LeafKind::Inline, 8)
        .with(unit(1))
        .with([Sample::new(SHARED)
            .leaf(LeafKind::Counts, 16)
            .with(unit(10))
            .with([Sample::data("only_shared", 5), Sample::new(SHARED).with(unit(100))])])]);
    check(
        &sample,
        &expect![[r#"
        x;unit 24
        x;unit;name 111
        x;unit;only_shared 5
        x;unit;symbol 111
    "#]],
    );
}

#[test]
fn a_path_does_not_depend_on_the_number_of_handles() {
    let names = |folded: &str| -> Vec<String> {
        folded.lines().map(|line| line.rsplit_once(' ').unwrap().0.to_owned()).collect()
    };
    let single = (Arc::new((String::from("kWh"), vec![0_u8; 8])), 1_u8);
    let both = (single.0.clone(), 1_u8);
    let shared = Profile::named("x", &both).to_folded();
    drop(single);
    assert_eq!(names(&Profile::named("x", &both).to_folded()), names(&shared));
}

#[test]
fn keys_without_names_join_the_line_of_their_map() {
    let keys = Sample::new(KEYS).leaf(LeafKind::Inline, 8).leaf(LeafKind::Data, 3);
    let map = Sample::data("map", 100).with([keys, Sample::data("value", 50)]);
    check(
        &map,
        &expect![[r#"
        map 111
        map;value 50
    "#]],
    );
    let keys = Sample::new(KEYS).with([Sample::new(SHARED).leaf(LeafKind::Data, 3)]);
    check(
        &Sample::data("map of shared keys", 100).with([keys]),
        &expect![[r#"
        map_of_shared_keys 103
    "#]],
    );
}

#[test]
fn keys_with_names_keep_their_branch() {
    let keys = Sample::new(KEYS).leaf(LeafKind::Inline, 8).with([Sample::data("country", 3)]);
    check(
        &Sample::data("map", 100).with([keys]),
        &expect![[r#"
        map 100
        map;[keys] 8
        map;[keys];country 3
    "#]],
    );
}

#[test]
fn the_entries_past_the_cap_of_a_keyed_map_keep_their_branch() {
    let map = Sample::data("map", 1).with([Sample::data("a", 2), Sample::data(OTHER, 3)]);
    check(
        &map,
        &expect![[r#"
        map 1
        map;[other] 3
        map;a 2
    "#]],
    );
}
