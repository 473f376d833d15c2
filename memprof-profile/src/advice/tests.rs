//! Tests of the rules: each reports at its threshold, and nothing below it.

#![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

use crate::Profile;
use crate::report::{Advisor, Recommendation, Rule, Severity, Thresholds};
use crate::tree::{LeafKind, OpaqueReason};
use crate::views::samples::Sample;
use expect_test::expect;
use std::sync::Arc;

fn names(profile: &Profile) -> Vec<String> {
    profile.advice().iter().map(|found| found.rule().to_owned()).collect()
}

fn shown(profile: &Profile) -> String {
    let lines: Vec<String> =
        profile.advice().iter().map(|found| format!("{} {found}\n", found.severity())).collect();
    lines.concat()
}

#[test]
fn a_value_without_faults_gets_no_advice() {
    assert_eq!(names(&Profile::of(&vec![0_u64; 1000])), [""; 0]);
    assert_eq!(names(&Profile::of(&())), [""; 0]);
    assert_eq!(names(&Profile::of(&7_u64)), [""; 0]);
}

#[test]
fn spare_capacity_counts_from_a_quarter_and_a_page_on() {
    let with = |data, spare| Sample::data("x", data).spare(data + spare, spare).profile();
    assert_eq!(names(&with(100, 4095)), [""; 0], "less than a page");
    let beside = |data, spare| {
        let buffer = Sample::data("buffer", data).spare(data + spare, spare);
        Sample::new("x").with([buffer, Sample::data("rest", 1 << 20)]).profile()
    };
    assert_eq!(names(&beside(12_288, 4096)), ["spare"]);
    assert_eq!(names(&beside(12_289, 4096)), [""; 0], "less than a quarter");
}

#[test]
fn advice_is_weighed_by_its_share_of_the_whole_value() {
    let kib = |data: usize, spare: usize| {
        move |name| Sample::data(name, data << 10).spare((data + spare) << 10, spare << 10)
    };
    let sample = Sample::new("x").with([
        kib(2513, 803)("large"),
        kib(0, 14)("empty"),
        Sample::data("rest", 100 << 10),
    ]);
    expect![[r#"
        warning spare at x;large: 803.0 KiB of 3.2 MiB is unused capacity (24.2 %); call `shrink_to_fit` after filling it, or reserve only the capacity it needs (saves 803.0 KiB)
        info spare at x;empty: 14.0 KiB of 14.0 KiB is unused capacity (100.0 %); call `shrink_to_fit` after filling it, or reserve only the capacity it needs (saves 14.0 KiB)
    "#]]
    .assert_eq(&shown(&sample.profile()));
}

#[test]
fn a_part_that_is_not_exact_gets_no_promise() {
    let spare = || Sample::data("buffer", 8).spare(8200, 8192);
    let known = |sample: Sample| sample.profile().advice()[0].savings();
    assert_eq!(known(Sample::new("x").with([spare()])), Some(8192));
    let locked = Sample::data("other", 1).opaque(OpaqueReason::Locked);
    assert_eq!(known(Sample::new("x").with([spare(), locked])), Some(8192), "another part");
    assert_eq!(known(spare().opaque(OpaqueReason::Locked)), None);
    let below = Sample::data("element", 1).opaque(OpaqueReason::Borrowed);
    assert_eq!(known(spare().with([below])), None);
    assert_eq!(known(spare().estimated(LeafKind::Table, 1)), None);
}

#[test]
fn unread_contents_do_not_turn_a_statement_around() {
    let unit = Arc::new([0_u8; 10_000]);
    let value = (unit.clone(), std::sync::Mutex::new(vec![unit]));
    assert_eq!(names(&Profile::of(&value)), ["shared"]);
    let _held = value.1.lock();
    // The other handle is in the vector that the walk could not read.
    assert_eq!(Profile::of(&value).sharing().externally_held_bytes, 10_016);
    assert_eq!(names(&Profile::of(&value)), ["not exact", "shared"]);
    let small = Sample::data("x", 10).leaf(LeafKind::Inline, 200);
    assert_eq!(names(&small.profile()), ["metadata"]);
    assert_eq!(names(&small.opaque(OpaqueReason::Locked).profile()), ["not exact"]);
}

#[test]
fn advice_compares_freed_bytes_and_not_spare_bytes() {
    let tight = Sample::data("x", 5000).leaf(LeafKind::Spare, 5000).excess(10_000, 0, 0);
    assert_eq!(names(&tight.profile()), [""; 0], "as small as it can be");
    let whole = Sample::new("x").spare(100_000, 5000).with([Sample::data("field", 95_000)]);
    assert_eq!(names(&whole.profile()), [""; 0], "the elements are below");
    let both = Sample::data("x", 4000).leaf(LeafKind::Spare, 18_000).excess(22_000, 6000, 10_000);
    assert_eq!(names(&both.profile()), ["spare", "spare"]);
    let random = Sample::data("x", 14_000).leaf(LeafKind::Spare, 8000).excess(22_000, 0, 8000);
    assert_eq!(names(&random.profile()), [""; 0], "a tree that random inserts fill again");
}

#[test]
fn spare_capacity_of_unknown_buffers_is_compared_with_the_total_below() {
    let sample = Sample::new("x").leaf(LeafKind::Spare, 5000).with([Sample::data("field", 15_000)]);
    expect![[r#"
        info spare at x: 4.9 KiB of 19.5 KiB is unused capacity (25.0 %)
    "#]]
    .assert_eq(&shown(&sample.profile()));
}

#[test]
fn an_upper_bound_of_savings_is_marked() {
    let found = Recommendation::new(Severity::Info, "much").with_savings_at_most(2048);
    assert!(found.to_string().ends_with("much (saves at most 2.0 KiB)"));
    assert!(found.is_upper_bound() && !found.with_savings(1).is_upper_bound());
}

#[test]
fn padding_counts_from_a_tenth_and_a_page_on() {
    let with = |data, padding| Sample::data("x", data).leaf(LeafKind::Padding, padding).profile();
    assert_eq!(names(&with(36_864, 4096)), ["padding"]);
    assert_eq!(names(&with(36_865, 4096)), [""; 0], "less than a tenth");
    assert_eq!(names(&with(100, 4095)), [""; 0], "less than a page");
}

#[test]
fn metadata_counts_where_it_is_more_than_nine_tenths_of_a_small_value() {
    let with = |data, inline| Sample::data("x", data).leaf(LeafKind::Inline, inline).profile();
    assert_eq!(names(&with(10, 90)), ["metadata"]);
    assert_eq!(names(&with(11, 90)), [""; 0], "less than nine tenths");
    assert_eq!(names(&with(100, 925)), [""; 0], "not small");
    let nothing = Sample::new("x").leaf(LeafKind::Inline, 24);
    assert_eq!(names(&nothing.profile()), ["metadata"], "for no data");
    let unseen = Sample::new("x").leaf(LeafKind::Inline, 24).opaque(OpaqueReason::Locked);
    assert_eq!(names(&unseen.profile()), ["not exact"], "data that could not be seen");
    let many =
        Sample::data("x", 10_000).leaf(LeafKind::Inline, 90_000).counts(1000, 0, 0).profile();
    assert_eq!(names(&many), ["metadata"], "small on average");
}

#[test]
fn advice_has_evidence_path_and_action() {
    let spare = |name, bytes| Sample::data(name, 8).spare(bytes + 8, bytes);
    let nodes = spare("tree", 8192).leaf(LeafKind::Nodes, 100).excess(8300, 0, 7200);
    let sample = Sample::new("root").with([
        spare("small", 5000),
        spare("large", 50_000),
        nodes,
        Sample::data("locked", 24).opaque(OpaqueReason::Locked).estimated(LeafKind::Data, 7),
    ]);
    expect![[r#"
        warning spare at root;large: 48.8 KiB of 48.8 KiB is unused capacity (100.0 %); call `shrink_to_fit` after filling it, or reserve only the capacity it needs (saves 48.8 KiB)
        warning spare at root;tree: 7.0 KiB of 8.1 KiB is free space in half-empty nodes (86.7 %); collect the entries into a new map, unless keys are inserted between them later (saves 7.0 KiB)
        info spare at root;small: 4.9 KiB of 4.9 KiB is unused capacity (99.8 %); call `shrink_to_fit` after filling it, or reserve only the capacity it needs (saves 4.9 KiB)
        info not exact: 1 locked, 1 estimated (7 B); print the tree with `detailed()` to see where
    "#]]
    .assert_eq(&shown(&sample.profile()));
}

#[test]
fn sharing_is_good_and_externally_held_bytes_are_reported() {
    let unit = Arc::new([0_u8; 10_000]);
    let arrays = vec![unit.clone(); 10];
    expect![[r#"
        info externally held: 9.8 KiB is externally held: dropping the value frees 104 B
        good shared at arrays: 11 handles share 1 allocation
    "#]]
    .assert_eq(&shown(&Profile::named("arrays", &arrays)));
}

#[test]
fn each_rule_reports_only_its_largest_findings() {
    let lines =
        (0..20).map(|index| Sample::data(&format!("{index:02}"), 1).spare(6000, 5000 + index));
    let profile = Sample::new("x").with(lines).profile();
    let advice = profile.advice();
    assert_eq!(advice.len(), Thresholds::default().max_findings);
    assert_eq!(advice[0].path(), Some("x;19"));
    assert_eq!(advice[4].savings(), Some(5015));
}

struct Always(Severity);

impl Rule for Always {
    fn name(&self) -> &'static str {
        "always"
    }

    fn check(&self, profile: &Profile, _: &Thresholds) -> Vec<Recommendation> {
        let evidence = format!("{} B", profile.total_bytes());
        vec![Recommendation::new(self.0, evidence).with_action("smile").with_savings(0)]
    }
}

#[test]
fn rules_can_be_added_removed_and_configured() {
    let profile = Sample::data("x", 4096).spare(8192, 4096).profile();
    let advisor = Advisor::new().rule(Always(Severity::Critical));
    let advice = advisor.advise(&profile);
    assert_eq!(advice[0].to_string(), "always: 8192 B; smile");
    assert_eq!(advice[0].action(), Some("smile"));
    assert_eq!((advice.len(), advice[1].rule()), (2, "spare"));
    assert!(Advisor::new().without("spare").advise(&profile).is_empty());
    assert!(Advisor::without_rules().advise(&profile).is_empty());
    let thresholds = Thresholds { spare_share: 0.6, warning_share: 0.6, ..Thresholds::default() };
    assert!(Advisor::default().thresholds(thresholds).advise(&profile).is_empty());
    assert!(format!("{advisor:?}").contains("\"always\""));
}
