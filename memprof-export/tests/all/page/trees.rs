//! The trees of pages are complete and exact, and huge ones are folded.

use super::contents::NodeKind;
use super::page;
use super::reader::{Decoded, written};
use crate::fixture::{Fixture, Holds, root, snapshot};
use memprof_export::Page;
use memprof_profile::Profile;
use memprof_profile::tree::LeafKind;
use memprof_recording::Recording;
use memprof_recording::document::Snapshot;
use serde_json::json;
use std::collections::BTreeMap;

/// Returns the leaves of a snapshot's profile, in the form of a page.
fn expected(recording: &Recording, snapshot: &Snapshot) -> BTreeMap<String, f64> {
    let profile = snapshot.profile(&recording.metadata.program).expect("it is a profile");
    let mut leaves: BTreeMap<String, f64> = BTreeMap::new();
    for (path, leaf) in profile.leaves() {
        let mut frames = path.frames().to_vec();
        // Memory that is not attributed is a leaf of its own. The free memory of a device belongs to no root.
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
fn each_tree_is_in_the_page_with_unexplained_bytes() {
    let recording = Fixture::importer().recording();
    let page = written(&Page::new(&recording));
    for snapshot in &recording.snapshots {
        let tree = tree_of(&page, snapshot.number).expect("it has a tree");
        let mut expected = expected(&recording, snapshot);
        expected.insert("importer;unexplained on cpu".into(), 7000.0);
        assert_eq!(page.leaves(tree), expected, "{}", snapshot.number);
    }
    let unexplained = page.of_kind(0, NodeKind::Unexplained);
    let names: Vec<&str> = unexplained.keys().map(String::as_str).collect();
    assert_eq!(
        names,
        ["importer;gpu;cuda:0;used;process;unattributed on cuda:0", "importer;unexplained on cpu"]
    );
}

#[test]
fn roots_and_sources_with_the_name_of_the_program_keep_their_rows() {
    let mut fixture = Fixture::importer();
    fixture.snapshots.truncate(1);
    fixture.snapshots[0]["roots"] = json!([
        root("importer", &Holds(&[("cache", 200)], 0)),
        root("cache", &Holds(&[("entries", 30)], 0)),
    ]);
    let recording = fixture.recording();
    let page = written(&Page::new(&recording));
    let mut expected = expected(&recording, &recording.snapshots[0]);
    let root = expected.get("importer;importer;cache;[data] on cpu");
    assert_eq!(root, Some(&200.0), "{expected:?}");
    expected.insert("importer;unexplained on cpu".into(), 7000.0);
    assert_eq!(page.leaves(0), expected);
    let source = fixture.snapshots[0]["sources"][0].clone();
    fixture.snapshots[0]["sources"][0] = json!({
        "name": "importer", "profile": renamed(source["profile"].clone(), "importer"),
    });
    fixture.snapshots[0]["roots"] = json!([]);
    let leaves = written(&Page::new(&fixture.recording())).leaves(0);
    assert!(leaves.keys().any(|path| path.starts_with("importer;importer;cuda:0;")), "{leaves:?}");
}

/// Returns a profile with another name.
fn renamed(mut profile: serde_json::Value, name: &str) -> serde_json::Value {
    profile["branches"][0]["name"] = name.into();
    profile
}

#[test]
fn nothing_is_unexplained_if_roots_claim_more_than_is_live() {
    let mut fixture = Fixture::importer();
    fixture.snapshots[0]["reconciliation"]["roots_bytes"] = 1_000_000.into();
    let page = page(&fixture);
    let tree = tree_of(&page, 0).expect("it has a tree");
    assert!(!page.leaves(tree).contains_key("importer;unexplained on cpu"));
    let waterfall = &page.document.snapshots[0].waterfall;
    let has_step = waterfall.iter().any(|step| step.what.contains("counted by several roots"));
    assert!(has_step, "{waterfall:?}");
}

#[test]
fn unexplained_bytes_are_unknown_without_the_profilers_bytes() {
    let mut fixture = Fixture::importer();
    fixture.snapshots[0]["reconciliation"]["profiler_bytes"] = json!(null);
    let page = page(&fixture);
    let tree = tree_of(&page, 0).expect("it has a tree");
    assert!(!page.leaves(tree).contains_key("importer;unexplained on cpu"));
}

#[test]
fn of_too_many_snapshots_the_first_the_last_the_peak_and_checkpoints_have_trees() {
    let mut fixture = Fixture::importer();
    fixture.snapshots = (0..40)
        .map(|number| snapshot(number, number * 10, (number == 7).then_some("loaded")))
        .collect();
    fixture.snapshots[23]["heap"]["live_bytes"] = 90_000_000.into();
    let page = written(&Page::new(&fixture.recording()).max_snapshots(6));
    let with_tree: Vec<u64> = (0..40).filter(|&number| tree_of(&page, number).is_some()).collect();
    assert_eq!(with_tree.len(), 6);
    assert!([0, 7, 23, 39].iter().all(|number| with_tree.contains(number)), "{with_tree:?}");
    let notes = page.notes();
    assert!(notes.iter().any(|note| note.starts_with("34 snapshots: without a tree")), "{notes:?}");
    assert_eq!(page.curve("process", "resident").len(), 40, "curves have them all");
}

#[test]
fn trees_are_evenly_spread_over_time() {
    let mut fixture = Fixture::importer();
    // The first hundred snapshots are in the first thousandth of the time.
    fixture.snapshots = (0..100).map(|number| snapshot(number, number, None)).collect();
    fixture.snapshots.extend((0..100).map(|number| snapshot(100 + number, number * 1000, None)));
    let page = written(&Page::new(&fixture.recording()).max_snapshots(16));
    let late = (120..200).filter(|&number| tree_of(&page, number).is_some()).count();
    assert!(late >= 10, "{late}");
}

#[test]
fn huge_trees_are_folded_and_keep_their_sums() {
    // Each name is three nodes, and a page has at most 100,000.
    let names: Vec<String> = (0..34_000).map(|index| format!("name {index}")).collect();
    let rows: Vec<(&str, u64)> = names.iter().zip(1..).map(|(name, at)| (&**name, at)).collect();
    let mut fixture = Fixture::importer();
    fixture.snapshots.truncate(1);
    fixture.snapshots[0]["roots"] = json!([root("table", &Holds(&rows, 0))]);
    let recording = fixture.recording();
    let page = written(&Page::new(&recording));
    assert!(page.nodes() <= 100_000, "{}", page.nodes());
    let expected: f64 = expected(&recording, &recording.snapshots[0]).values().sum();
    let leaves = page.leaves(0);
    let unexplained = leaves.get("importer;unexplained on cpu").copied().unwrap_or_default();
    assert_eq!(leaves.values().sum::<f64>() - unexplained, expected);
    let others = page.of_kind(0, NodeKind::Others);
    assert!(others.contains_key("importer;table;others on cpu"), "{others:?}");
    assert!(leaves.contains_key("importer;table;name 33999;[data] on cpu"), "the largest stay");
    assert!(page.notes().iter().any(|note| note.contains("added up as `others`")));
}

#[test]
fn a_root_without_a_valid_profile_is_missing() {
    let mut fixture = Fixture::importer();
    fixture.snapshots.truncate(1);
    fixture.snapshots[0]["roots"][0]["profile"] =
        json!({"format": "memprof profile", "version": 1});
    let page = page(&fixture);
    assert_eq!(page.document.snapshots[0].missing[0].0, "cache");
    assert!(page.leaves(0).contains_key("importer;net;names;[data] on cpu"));
    assert!(page.notes().iter().any(|note| note.starts_with("1 snapshot: with a root")));
}

#[test]
fn an_unreadable_snapshot_is_listed_with_the_reason() {
    let mut fixture = Fixture::importer();
    let empty = json!({"format": "memprof profile", "version": 1});
    fixture.snapshots[3]["roots"] = json!([{
        "name": "cache", "state": "profiled", "held_ns": 1, "total_bytes": 1, "heap_bytes": 1,
        "profile": empty,
    }]);
    fixture.snapshots[3]["sources"] = json!([]);
    let page = page(&fixture);
    assert_eq!(tree_of(&page, 3), None);
    assert_eq!(page.document.snapshots[3].missing[0].0, "cache");
}

/// Returns the paths of nodes.
fn paths(page: &Decoded, nodes: &[u32]) -> Vec<String> {
    nodes.iter().map(|&node| page.path(node as usize).replace(" on cpu", "")).collect()
}

#[test]
fn a_root_whose_lock_was_held_is_a_lower_bound_and_what_is_unexplained_an_upper_bound() {
    let map = std::sync::Mutex::new(vec![0_u8; 100]);
    let guard = map.lock().expect("no thread panicked");
    let profile = Profile::named("map", &map);
    drop(guard);
    assert!(profile.is_lower_bound());
    let mut fixture = Fixture::importer();
    fixture.snapshots.truncate(1);
    let json = profile.to_json().expect("it is not deep");
    fixture.snapshots[0]["roots"][0] = json!({
        "name": "map", "state": "locked", "held_ns": 0, "total_bytes": profile.total_bytes(),
        "heap_bytes": 0, "profile": serde_json::from_str::<serde_json::Value>(&json).expect("JSON"),
    });
    fixture.snapshots[0]["roots"][1]["profile"] = json!(null);
    fixture.snapshots[0]["roots"][1]["state"] = "spared".into();
    fixture.snapshots[0]["devices"] = json!([]);
    let tree = |fixture: &Fixture| {
        let page = page(fixture);
        let tree = &page.document.trees[0];
        let nodes = [paths(&page, &tree.unread), paths(&page, &tree.missed)];
        (nodes, tree.unexplained_at_most)
    };
    let roots = ["importer;map", "importer;net"].map(str::to_owned).to_vec();
    // The live heap is known, so the total is.
    assert_eq!(tree(&fixture), ([roots.clone(), roots.clone()], true));
    fixture.snapshots[0]["reconciliation"] = json!(null);
    fixture.snapshots[0]["heap"] = json!(null);
    let with_total = [vec!["importer".to_owned()], roots.clone()].concat();
    assert_eq!(tree(&fixture).0, [with_total, roots]);
}

#[test]
fn a_complete_tree_has_no_bounds() {
    let page = page(&Fixture::importer());
    for tree in &page.document.trees {
        assert_eq!((tree.unread.len(), tree.missed.len()), (0, 0));
        assert!(!tree.unexplained_at_most);
    }
}

#[test]
fn a_locked_root_is_missing_with_the_reason() {
    let mut fixture = Fixture::importer();
    fixture.snapshots.truncate(1);
    fixture.snapshots[0]["roots"][0] = json!({
        "name": "cache", "state": "locked", "held_ns": 0, "total_bytes": null, "heap_bytes": null,
    });
    let page = page(&fixture);
    assert_eq!(page.document.snapshots[0].missing, [("cache".into(), "locked".into())]);
}
