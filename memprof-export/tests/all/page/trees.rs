//! The trees of pages are complete and exact, and huge ones are folded.

use super::contents::NodeKind;
use super::page;
use super::reader::{Decoded, written};
use crate::made::{Holds, Made, root, snapshot};
use memprof_export::Page;
use memprof_profile::tree::LeafKind;
use memprof_session::Recording;
use memprof_session::document::Snapshot;
use serde_json::json;
use std::collections::BTreeMap;

/// Returns the leaves of a snapshot's profile, in the form of a page.
fn expected(recording: &Recording, snapshot: &Snapshot) -> BTreeMap<String, f64> {
    let profile = snapshot.profile(&recording.metadata.program).expect("it is a profile");
    let mut leaves: BTreeMap<String, f64> = BTreeMap::new();
    for (path, leaf) in profile.leaves() {
        let mut frames = path.frames().to_vec();
        // Unattributed memory is a leaf of its own. The free memory of a device belongs to no root.
        if frames.windows(2).any(|pair| pair == ["cuda:0", "free"]) {
            continue;
        }
        if frames.len() > 2 && frames[frames.len() - 2] == "unattributed" {
            assert_eq!(leaf.kind(), LeafKind::Data);
            frames.pop();
        }
        let path = format!("{} on {}", frames.join(";"), leaf.device());
        *leaves.entry(path).or_default() += leaf.bytes() as f64;
    }
    leaves
}

fn tree_of(page: &Decoded, number: u64) -> Option<usize> {
    page.document.snapshots.iter().find(|snapshot| snapshot.number == number)?.tree
}

#[test]
fn every_tree_is_in_the_page_to_the_byte_with_what_nobody_claims() {
    let recording = Made::importer().recording();
    let page = written(&Page::new(&recording));
    for snapshot in &recording.snapshots {
        let tree = tree_of(&page, snapshot.number).expect("it has a tree");
        let mut expected = expected(&recording, snapshot);
        expected.insert("importer;unattributed on cpu".into(), 7000.0);
        assert_eq!(page.leaves(tree), expected, "{}", snapshot.number);
    }
    let unclaimed = page.of_kind(0, NodeKind::Unattributed);
    let names: Vec<&str> = unclaimed.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["importer;gpu;cuda:0;used;process;unattributed on cuda:0", "importer;unattributed on cpu"]
    );
}

#[test]
fn where_roots_claim_more_than_is_live_nothing_is_unattributed() {
    let mut made = Made::importer();
    made.snapshots[0]["reconciliation"]["roots_bytes"] = 1_000_000.into();
    let page = page(&made);
    let tree = tree_of(&page, 0).expect("it has a tree");
    assert!(!page.leaves(tree).contains_key("importer;unattributed on cpu"));
    let waterfall = &page.document.snapshots[0].waterfall;
    let is_told = waterfall.iter().any(|step| step.what.contains("counted by several roots"));
    assert!(is_told, "{waterfall:?}");
}

#[test]
fn what_is_left_is_not_told_where_the_profilers_own_is_not_known() {
    let mut made = Made::importer();
    made.snapshots[0]["reconciliation"]["profiler_bytes"] = json!(null);
    let page = page(&made);
    let tree = tree_of(&page, 0).expect("it has a tree");
    assert!(!page.leaves(tree).contains_key("importer;unattributed on cpu"));
}

#[test]
fn of_too_many_snapshots_the_ends_the_peak_and_checkpoints_have_trees() {
    let mut made = Made::importer();
    made.snapshots = (0..40)
        .map(|number| snapshot(number, number * 10, (number == 7).then_some("loaded")))
        .collect();
    made.snapshots[23]["heap"]["live_bytes"] = 90_000_000.into();
    let page = written(&Page::new(&made.recording()).most_snapshots(6));
    let with_tree: Vec<u64> = (0..40).filter(|&number| tree_of(&page, number).is_some()).collect();
    assert_eq!(with_tree.len(), 6);
    assert!([0, 7, 23, 39].iter().all(|number| with_tree.contains(number)), "{with_tree:?}");
    let notes = page.notes();
    assert!(notes.iter().any(|note| note.starts_with("34 snapshots: without a tree")), "{notes:?}");
    assert_eq!(page.curve("process", "live heap").len(), 40, "curves have them all");
}

#[test]
fn trees_are_evenly_in_time_though_snapshots_are_not() {
    let mut made = Made::importer();
    // The first hundred snapshots are in the first thousandth of the time.
    made.snapshots = (0..100).map(|number| snapshot(number, number, None)).collect();
    made.snapshots.extend((0..100).map(|number| snapshot(100 + number, number * 1000, None)));
    let page = written(&Page::new(&made.recording()).most_snapshots(16));
    let late = (120..200).filter(|&number| tree_of(&page, number).is_some()).count();
    assert!(late >= 10, "{late}");
}

#[test]
fn huge_trees_are_folded_where_they_are_small_and_add_up_as_before() {
    let names: Vec<String> = (0..40_000).map(|index| format!("name {index}")).collect();
    let rows: Vec<(&str, u64)> = names.iter().zip(1..).map(|(name, at)| (&**name, at)).collect();
    let mut made = Made::importer();
    made.snapshots.truncate(1);
    made.snapshots[0]["roots"] = json!([root("table", &Holds(&rows, 0))]);
    let recording = made.recording();
    let page = written(&Page::new(&recording));
    assert!(page.nodes() <= 100_000, "{}", page.nodes());
    let expected: f64 = expected(&recording, &recording.snapshots[0]).values().sum();
    let leaves = page.leaves(0);
    let unattributed = leaves.get("importer;unattributed on cpu").copied().unwrap_or_default();
    assert_eq!(leaves.values().sum::<f64>() - unattributed, expected);
    let others = page.of_kind(0, NodeKind::Others);
    assert!(others.contains_key("importer;table;others on cpu"), "{others:?}");
    assert!(leaves.contains_key("importer;table;name 39999;[data] on cpu"), "the largest stay");
    assert!(page.notes().iter().any(|note| note.contains("added up as `others`")));
}

#[test]
fn a_root_that_is_no_profile_is_missing_and_the_rest_is_there() {
    let mut made = Made::importer();
    made.snapshots.truncate(1);
    made.snapshots[0]["roots"][0]["profile"] = json!({"format": "memprof profile", "version": 1});
    let page = page(&made);
    assert_eq!(page.document.snapshots[0].missing[0].0, "cache");
    assert!(page.leaves(0).contains_key("importer;net;names;[data] on cpu"));
    assert!(page.notes().iter().any(|note| note.starts_with("1 snapshot: with a root")));
}

#[test]
fn a_snapshot_of_which_nothing_could_be_read_is_listed_and_says_why() {
    let mut made = Made::importer();
    let nothing = json!({"format": "memprof profile", "version": 1});
    made.snapshots[3]["roots"] = json!([{
        "name": "cache", "state": "profiled", "held_ns": 1, "total_bytes": 1, "heap_bytes": 1,
        "profile": nothing,
    }]);
    made.snapshots[3]["sources"] = json!([]);
    let page = page(&made);
    assert_eq!(tree_of(&page, 3), None);
    assert_eq!(page.document.snapshots[3].missing[0].0, "cache");
}

#[test]
fn what_was_locked_is_missing_with_the_reason() {
    let mut made = Made::importer();
    made.snapshots.truncate(1);
    made.snapshots[0]["roots"][0] = json!({
        "name": "cache", "state": "locked", "held_ns": 0, "total_bytes": null, "heap_bytes": null,
    });
    let page = page(&made);
    assert_eq!(page.document.snapshots[0].missing, [("cache".into(), "locked".into())]);
}
