//! Tests that every view has the figures of a stored recording of the example `source_index`.
//!
//! `cargo xtask recording` wrote the files.

use crate::memprof::{folder, run};
use memprof_recording::Recording;
use serde_json::Value;
use std::fs;

pub(crate) const DOCUMENT: &str =
    concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/recordings/source_index.json");
pub(crate) const TIMELINE: &str =
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
    assert!(ran.err.is_empty() || ran.err.starts_with("memprof: no debug file for "), "{ran:?}");
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
        assert_eq!(snapshots[SNAPSHOTS - 1]["heap"]["live_bytes"], LIVE_BYTES);
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
fn limited_json_takes_few_bytes_and_counts_what_it_leaves_out() {
    for path in [DOCUMENT, TIMELINE] {
        for command in ["info", "leaks"] {
            let text = printed(&[command, "--json", "--limit", "2", path]);
            assert!(text.len() < 5000 && text.lines().count() == 1, "{text}");
        }
        let brief = json(&["info", "--json", "--limit", "2", path]);
        assert_eq!((&brief["leaks"], &brief["roots"][0]["name"]), (&2.into(), &"index".into()));
        assert_eq!(brief["operations"].as_array().map(Vec::len), Some(2));
        let all = json(&["info", "--json", path]);
        let sites = all["summary"]["sites"].as_array().expect("it has sites").len();
        assert_eq!(brief["left_out"]["sites"], sites - 2);
        assert_eq!(
            brief["end"]["live_bytes"],
            all["snapshots"].as_array().expect("it has snapshots").last().expect("it has one")["heap"]
                ["live_bytes"]
        );
    }
}

#[test]
fn info_begins_with_growth_and_has_one_peak() {
    for path in [DOCUMENT, TIMELINE] {
        let text = printed(&["info", "--width", "80", path]);
        let at = |part: &str| text.find(part).unwrap_or_else(|| panic!("{part}: {text}"));
        let sections =
            ["\n2 call sites keep growing\n", "\nheap  ", "\nat the peak of ", "\nroots  "];
        assert!(sections.map(at).is_sorted(), "{text}");
        // The peak is 33.4 MiB everywhere, and the shares at the peak are those of one whole.
        assert_eq!(text.matches("peak 33.4 MiB").count(), 1, "{text}");
        assert_eq!(text.matches("peak of 33.4 MiB").count(), 1, "{text}");
        let peak = &text[at("\nat the peak of ")..at("\nroots  ")];
        let shares =
            peak.lines().skip(3).filter_map(|line| line.split(" %").next()?.rsplit(' ').next());
        let sum: f64 = shares.filter_map(|share| share.parse::<f64>().ok()).sum();
        assert!((90.0..=100.2).contains(&sum), "{sum}: {peak}");
        assert!(text.lines().count() <= 55, "{text}");
    }
}

#[test]
fn operations_are_sorted_by_what_they_retain() {
    let table = printed(&["ops", DOCUMENT]);
    let names: Vec<_> = table.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names[1..5], ["index", "index_one", "remember", "insert"], "{table}");
    // No sample was of these.
    assert!(!table.contains("at most") && table.matches('–').count() == 5, "{table}");
    assert_eq!(
        json(&["ops", "--json", "-n", "1", DOCUMENT])["operations"][0]["path"][2],
        "remember"
    );
    let info = printed(&["info", DOCUMENT]);
    let first = info.lines().skip_while(|line| !line.starts_with("operation ")).nth(1);
    assert!(first.is_some_and(|line| line.contains("index;index_one;remember")), "{info}");
}

#[test]
fn heap_that_no_root_holds_is_compared() {
    for path in [DOCUMENT, TIMELINE] {
        let (loaded, end) = (format!("{path}@indexed 1"), format!("{path}@end"));
        let ran = run(&["diff", "--fail-if-grows", "5%", &loaded, &end]);
        assert_eq!(ran.code, Some(1), "{ran:?}");
        assert!(ran.out.contains("source_index;unexplained\n"), "{ran:?}");
        assert!(
            ran.err.contains("@end: grew by 26.8 MiB (6.5 MiB → 33.3 MiB), more than 5 %"),
            "{ran:?}"
        );
        // A root alone has no other heap.
        let root = ["diff", "--root", "index", "--fail-if-grows", "5%", &loaded, &end];
        assert_eq!(run(&root).code, Some(0));
    }
}

#[test]
fn the_start_is_the_first_snapshot_with_a_root() {
    for path in [DOCUMENT, TIMELINE] {
        let at = |selector: &str| printed(&["tree", &format!("{path}@{selector}")]);
        assert_eq!(at("start"), at("1"));
        let diff = printed(&["diff", &format!("{path}@start"), &format!("{path}@end")]);
        assert!(diff.contains("source_index;index;words\n"), "{diff}");
        let stacks = ["export", "--to", "folded-sites", &format!("{path}@start")];
        assert_eq!(run(&stacks).code, Some(0), "the session began with stacks");
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
