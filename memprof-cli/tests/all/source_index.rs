//! Tests that every view has the figures of a stored recording of the example `source_index`.
//!
//! `cargo xtask recording` wrote the files.

use crate::memprof::{folder, run};
use memprof_session::Recording;
use serde_json::Value;
use std::fs;

const DOCUMENT: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/recordings/source_index.json");
const TIMELINE: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/recordings/source_index.jsonl");

/// The figures of the recording when it was made.
const SNAPSHOTS: usize = 31;
const LIVE_BYTES: i64 = 34_878_265;
const PROFILE_BYTES: u64 = 3_862_330;
const CALLS: u64 = 6260;
const EVENTS: usize = 161;
const LEAKS: [&str; 2] =
    ["source_index::long_lines::complain", "source_index::long_lines::remember"];

/// Returns what the command prints. The recorded program is not here, so names of its last frames may
/// be missing.
fn printed(arguments: &[&str]) -> String {
    let ran = run(arguments);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(ran.err.is_empty() || ran.err.starts_with("memprof: found no file of "), "{ran:?}");
    ran.out
}

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&printed(arguments)).expect("it is JSON")
}

#[test]
fn both_files_are_read_whole() {
    for path in [DOCUMENT, TIMELINE] {
        let recording = Recording::read_file(path).expect("it is a recording");
        assert_eq!(recording.unreadable_lines, 0, "{path}");
        assert_eq!(recording.snapshots.len(), SNAPSHOTS, "{path}");
        assert_eq!(recording.operation_events.len(), EVENTS, "{path}");
        assert_eq!(recording.metadata.program, "source_index", "{path}");
        let last = recording.snapshots.last().expect("there are some");
        assert_eq!(last.heap.as_ref().map(|heap| heap.live_bytes), Some(LIVE_BYTES), "{path}");
        assert!(last.process.rss_bytes > Some(LIVE_BYTES.unsigned_abs()), "{path}");
    }
}

#[test]
fn the_overview_has_its_snapshots() {
    for path in [DOCUMENT, TIMELINE] {
        let info = json(&["info", "--json", path]);
        let snapshots = info["snapshots"].as_array().expect("they are listed");
        assert_eq!(snapshots.len(), SNAPSHOTS);
        assert_eq!(snapshots[SNAPSHOTS - 1]["live_bytes"], LIVE_BYTES);
        assert!(printed(&["info", path]).contains("source_index"));
    }
}

#[test]
fn the_tree_has_its_bytes() {
    for path in [DOCUMENT, TIMELINE] {
        let profile = json(&["export", "--to", "json", path]);
        assert_eq!(profile["total_bytes"], PROFILE_BYTES);
        for view in ["tree", "top", "report"] {
            assert!(printed(&[view, path]).contains("words"), "{view}");
        }
    }
}

#[test]
fn the_operations_have_their_calls() {
    for path in [DOCUMENT, TIMELINE] {
        let table = json(&["ops", "--json", path]);
        let operations = table["operations"].as_array().expect("they are listed");
        let one = operations
            .iter()
            .find(|operation| operation["path"] == serde_json::json!(["index", "index_one"]));
        assert_eq!(one.map(|one| &one["calls"]), Some(&CALLS.into()), "{path}");
    }
}

#[test]
fn the_leaks_are_named() {
    for path in [DOCUMENT, TIMELINE] {
        let leaks = json(&["leaks", "--json", path]);
        let leaks = leaks["leaks"].as_array().expect("they are listed");
        let places = leaks.iter().map(|leak| &leak["place"]["function"]);
        assert!(places.eq(&LEAKS), "{path}: {leaks:?}");
    }
}

#[test]
fn each_export_and_the_page_are_written() {
    const FORMATS: [&str; 12] = [
        "folded",
        "folded-detailed",
        "json",
        "yaml",
        "svg",
        "pprof",
        "pprof-sites",
        "pprof-operations",
        "folded-sites",
        "folded-operations",
        "perfetto",
        "prometheus",
    ];
    let folder = folder("source-index");
    for path in [DOCUMENT, TIMELINE] {
        for format in FORMATS {
            let file = folder.join(format);
            let file = file.to_str().expect("its name is UTF-8");
            printed(&["export", "--to", format, "--force", "-o", file, path]);
            assert!(fs::metadata(file).expect("it is written").len() > 50, "{format}");
        }
        let sum = |format: &str| -> u64 {
            let text = fs::read_to_string(folder.join(format)).expect("it is written");
            text.lines().filter_map(|line| line.rsplit_once(' ')?.1.parse::<u64>().ok()).sum()
        };
        assert_eq!(sum("folded"), PROFILE_BYTES);
        let operations =
            fs::read_to_string(folder.join("folded-operations")).expect("it is written");
        assert!(operations.contains("remember"), "{operations}");
        let page = folder.join("page.html");
        let page = page.to_str().expect("its name is UTF-8");
        let html = run(&["html", "--force", "-o", page, path]);
        assert_eq!(html.code, Some(0), "{html:?}");
        assert!(fs::read_to_string(page).expect("it is written").contains("source_index"));
    }
}
