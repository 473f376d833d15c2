//! Tests that every view can read recordings of format version 1 completely.
//!
//! `cargo xtask recording` wrote the files.

use crate::memprof::{folder, run};
use memprof_session::Recording;
use serde_json::Value;
use std::fs;

const REPORT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/recordings/v1.json");
const TIMELINE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/recordings/v1.jsonl");

/// The figures of the recording when it was made.
const SNAPSHOTS: usize = 25;
const LIVE_BYTES: i64 = 22_090_616;
const PROFILE_BYTES: u64 = 2_952_588;
const CALLS: u64 = 5120;
const EVENTS: usize = 145;
const LEAK: &str = "source_index::long_lines::complain";

fn json(arguments: &[&str]) -> Value {
    serde_json::from_str(&run(arguments).well()).expect("it is JSON")
}

#[test]
fn both_files_are_read_whole() {
    for path in [REPORT, TIMELINE] {
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
    for path in [REPORT, TIMELINE] {
        let info = json(&["info", "--json", path]);
        let snapshots = info["snapshots"].as_array().expect("they are listed");
        assert_eq!(snapshots.len(), SNAPSHOTS);
        assert_eq!(snapshots[SNAPSHOTS - 1]["live_bytes"], LIVE_BYTES);
        assert!(run(&["info", path]).well().contains("source_index"));
    }
}

#[test]
fn the_tree_has_its_bytes() {
    for path in [REPORT, TIMELINE] {
        let profile = json(&["export", "--to", "json", path]);
        assert_eq!(profile["total_bytes"], PROFILE_BYTES);
        for view in ["tree", "top", "report"] {
            assert!(run(&[view, path]).well().contains("words"), "{view}");
        }
    }
}

#[test]
fn the_operations_have_their_calls() {
    for path in [REPORT, TIMELINE] {
        let table = json(&["ops", "--json", path]);
        let operations = table["operations"].as_array().expect("they are listed");
        let one = operations
            .iter()
            .find(|operation| operation["path"] == serde_json::json!(["index", "index_one"]));
        assert_eq!(one.map(|one| &one["calls"]), Some(&CALLS.into()), "{path}");
    }
}

#[test]
fn the_leak_is_named() {
    for path in [REPORT, TIMELINE] {
        let leaks = json(&["leaks", "--json", path]);
        assert_eq!(leaks["leaks"][0]["place"]["function"], LEAK, "{path}");
        assert_eq!(leaks["leaks"].as_array().map(Vec::len), Some(1), "{path}");
    }
}

#[test]
fn each_export_and_the_page_are_written() {
    const FORMATS: [&str; 13] = [
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
        "speedscope",
        "prometheus",
    ];
    let folder = folder("version-1");
    for path in [REPORT, TIMELINE] {
        for format in FORMATS {
            let file = folder.join(format);
            let file = file.to_str().expect("its name is UTF-8");
            run(&["export", "--to", format, "--force", "-o", file, path]).well();
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
