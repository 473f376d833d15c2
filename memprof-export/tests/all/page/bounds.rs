//! Recordings at the limits: empty ones, one of everything, clocks that jump, amounts that
//! overflow.

use super::{page, written};
use crate::fixture::{Fixture, snapshot};
use memprof_export::Page;
use memprof_recording::Recording;
use serde_json::json;
use std::fmt::Write;
use std::time::{Duration, Instant};

#[test]
fn an_empty_session_is_a_page() {
    let page = page(&Fixture::empty());
    assert_eq!((page.calls.len(), page.curves.len()), (0, 0));
    assert_eq!(page.head.end, 1, "an axis has a length");
}

#[test]
fn one_snapshot_is_a_page() {
    let mut fixture = Fixture::importer();
    fixture.snapshots.truncate(1);
    fixture.calls.clear();
    fixture.paths.clear();
    let page = page(&fixture);
    assert_eq!(page.document.snapshots.len(), 1);
    assert!(page.document.marks.is_empty(), "one snapshot is not a peak");
}

#[test]
fn snapshots_are_sorted_by_time_after_the_clock_was_set_back() {
    let mut fixture = Fixture::importer();
    fixture.snapshots[4]["at_ns"] = 1500.into();
    let page = page(&fixture);
    let times: Vec<f64> = page.curve("process", "live heap").iter().map(|one| one.0).collect();
    assert!(times.is_sorted(), "{times:?}");
    assert!(page.notes().iter().any(|note| note.starts_with("The clock was set back")));
}

#[test]
fn a_call_that_ended_before_it_began_has_no_length() {
    let mut fixture = Fixture::importer();
    fixture.calls = vec![json!([1, 1, 900, 500, 7, 1, 8, null])];
    let page = page(&fixture);
    assert_eq!((page.calls[0].start, page.calls[0].duration), (900.0, 0.0));
    assert!(page.notes().iter().any(|note| note.starts_with("1 call: with an end before")));
}

#[test]
fn a_call_of_an_unknown_operation_is_shown() {
    let mut fixture = Fixture::importer();
    fixture.calls.push(json!([99, 1, 1, 2, 0, 0, 0, null]));
    let page = page(&fixture);
    assert!(page.calls.iter().any(|call| call.path == "unknown operation 99"));
    assert!(page.notes().iter().any(|note| note.starts_with("1 call: the file does not name")));
}

#[test]
fn cyclic_paths_do_not_hang_the_page() {
    let mut fixture = Fixture::importer();
    let path = |number: u32, parent: u32| json!({"path": number, "names": ["a"], "parent": parent, "file": "", "line": 0});
    fixture.paths = vec![path(1, 4), path(4, 1), path(5, 5), path(5, 1), path(4, 77)];
    let page = page(&fixture);
    for (index, path) in page.document.paths.iter().enumerate() {
        assert!(path.parent.is_none_or(|parent| (parent as usize) < index), "{path:?}");
    }
}

#[test]
fn amounts_over_the_limit_are_clamped_and_noted() {
    let mut fixture = Fixture::importer();
    let most = 2_f64.powi(52);
    fixture.calls = vec![
        json!([1, 1, 0, u64::MAX, i64::MAX, i64::MIN, i64::MAX, null]),
        json!([1, 1, 5, 9, 1, 2, 3, null]),
    ];
    fixture.snapshots[0]["process"]["rss_bytes"] = u64::MAX.into();
    let page = page(&fixture);
    assert_eq!((page.calls[0].delta, page.calls[0].before), (most, -most));
    let small = &page.calls[1];
    assert_eq!(
        (small.start, small.duration, small.delta, small.before, small.after),
        (5.0, 4.0, 1.0, 2.0, 3.0)
    );
    assert_eq!(page.curve("process", "resident")[0].1, Some(most));
    assert_eq!(page.curve("process", "resident")[1].1, Some(83_472.0), "the next one is exact");
    assert!(page.notes().contains(&"Amounts above 4 PiB are shown as 4 PiB.".to_owned()));
}

#[test]
fn times_of_months_are_exact_within_the_precision_of_a_script() {
    let year = 31_536_000_000_000_000_u64;
    let mut fixture = Fixture::importer();
    fixture.calls = (0..1000)
        .map(|at| json!([1, 1, year + at * 8, year + at * 8 + 4, 0, 0, 0, null]))
        .collect();
    let page = page(&fixture);
    for (at, call) in page.calls.iter().enumerate() {
        assert_eq!(call.start, (year + at as u64 * 8) as f64);
    }
}

#[test]
fn a_call_of_months_has_its_exact_duration() {
    let quarter = 90 * 86_400_000_000_000_u64;
    let mut fixture = Fixture::importer();
    fixture.calls = vec![json!([1, 1, 5, 5 + quarter, 0, 0, 0, null])];
    let page = page(&fixture);
    assert_eq!(page.calls[0].duration, quarter as f64);
    assert!(!page.notes().iter().any(|note| note.contains("4 PiB")), "{:?}", page.notes());
}

#[test]
fn the_time_for_a_page_is_not_quadratic_in_roots_and_checkpoints() {
    let count = 10_000;
    let mut fixture = Fixture::importer();
    let root = fixture.snapshots[0]["roots"][0].clone();
    let mut last = fixture.snapshots[5].clone();
    let roots = (0..count).map(|at| {
        let mut root = root.clone();
        root["name"] = format!("root {at} of very many").into();
        root.as_object_mut().expect("it is an object").remove("profile");
        root
    });
    last["roots"] = roots.collect::<Vec<_>>().into();
    let mut checkpoint = fixture.snapshots[0].clone();
    for key in ["roots", "devices", "sources"] {
        checkpoint[key] = json!([]);
    }
    fixture.snapshots = (0..count)
        .map(|at| {
            let mut checkpoint = checkpoint.clone();
            checkpoint["number"] = at.into();
            checkpoint["at_ns"] = at.into();
            checkpoint["name"] = format!("checkpoint {at} of very many").into();
            checkpoint
        })
        .collect();
    last["number"] = count.into();
    last["at_ns"] = count.into();
    fixture.snapshots.push(last);
    let recording = fixture.recording();
    let begun = Instant::now();
    let page = written(&Page::new(&recording));
    // A loop over all roots for each checkpoint would take minutes.
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
    let notes = page.notes();
    assert!(
        notes.iter().any(|note| note.contains("left out of the list of snapshots")),
        "{notes:?}"
    );
}

/// Returns `true` if a fact of the head is a lower bound; `None` if the head lacks it.
fn at_least(page: &super::reader::Decoded, label: &str) -> Option<bool> {
    page.head.facts.iter().find(|fact| fact.label == label).map(|fact| fact.at_least)
}

#[test]
fn the_bytes_of_partial_and_locked_roots_are_lower_bounds_in_the_head() {
    let mut fixture = Fixture::importer();
    assert_eq!(at_least(&page(&fixture), "roots at the end"), Some(false));
    for state in ["partial", "locked"] {
        fixture.snapshots[5]["roots"][0]["state"] = state.into();
        let page = page(&fixture);
        assert_eq!(at_least(&page, "roots at the end"), Some(true), "{state}");
        let roots: Vec<_> = page.curve("process", "all roots").iter().map(|one| one.1).collect();
        assert!(roots[4].is_some() && roots[5].is_none(), "{state}: {roots:?}");
        let least = page.curve("process", "all roots, at least");
        assert!(least[5].1.is_some(), "{state}: {least:?}");
        assert!(page.document.snapshots[5].roots_at_least, "{state}");
    }
    fixture.snapshots[5]["roots"][0]["total_bytes"] = json!(null);
    assert_eq!(at_least(&page(&fixture), "roots at the end"), None, "nothing is known");
}

#[test]
fn an_estimated_root_has_its_interval_above_the_tree() {
    let mut fixture = Fixture::importer();
    let root = &mut fixture.snapshots[5]["roots"][0];
    root["state"] = "partial".into();
    root["low_bytes"] = 1024.into();
    root["high_bytes"] = 4096.into();
    let name = root["name"].as_str().expect("it has a name").to_owned();
    let page = page(&fixture);
    let mut verdicts = page.document.trees.iter().map(|tree| &tree.verdict);
    let start = format!("; {name} is estimated: ");
    let verdict = verdicts.find(|verdict| verdict.contains(&start)).expect("one tree has it");
    assert!(verdict.ends_with(" (1.0 KiB to 4.0 KiB)"), "{verdict}");
}

#[test]
fn further_devices_are_one_figure() {
    let mut fixture = Fixture::importer();
    let last = fixture.snapshots.last_mut().expect("it has some");
    last["devices"] = (0..7_u32)
        .map(|number| json!({"device": format!("cuda:{number}"), "bytes": 1 << number}))
        .collect();
    let facts = page(&fixture).head.facts.into_iter();
    let of_devices = facts
        .filter(|fact| fact.label.starts_with("roots on"))
        .map(|fact| (fact.label, fact.bytes.expect("it is known")));
    let expected = ["cuda:0", "cuda:1", "cuda:2", "cuda:3", "3 more devices"];
    let expected = expected.map(|device| format!("roots on {device}"));
    let bytes = [1, 2, 4, 8, 16 + 32 + 64];
    assert_eq!(of_devices.collect::<Vec<_>>(), expected.into_iter().zip(bytes).collect::<Vec<_>>());
}

#[test]
fn a_page_notes_that_its_timeline_was_cut_off() {
    let fixture = Fixture::importer();
    let mut text = fixture.first_line();
    for snapshot in &fixture.snapshots {
        writeln!(text, "{{\"snapshot\":{snapshot}}}").expect("a string takes everything");
    }
    text.truncate(text.len() - 500);
    let recording = Recording::from_text(&text).expect("its first line is whole");
    let page = written(&Page::new(&recording));
    assert_eq!(page.curve("process", "live heap").len(), 5);
    assert!(page.notes().iter().any(|note| note.contains("1 line could not be read")));
}

#[test]
fn a_page_of_a_million_snapshots_is_small_and_keeps_the_peaks() {
    let count = if cfg!(debug_assertions) { 70_000 } else { 1_000_000 };
    let fixture = Fixture::empty();
    let mut text = fixture.first_line();
    let mut line = snapshot(0, 0, None);
    for key in ["roots", "devices", "sources"] {
        line[key] = json!([]);
    }
    let line = line.to_string();
    for number in 0..count {
        let bytes = if number == 66_666 { 5_000_000 } else { 17_824 };
        let line = line
            .replace("\"at_ns\":0", &format!("\"at_ns\":{}", number * 1000))
            .replace("\"live_bytes\":17824", &format!("\"live_bytes\":{bytes}"));
        writeln!(text, "{{\"snapshot\":{line}}}").expect("a string takes everything");
    }
    let recording = Recording::from_text(&text).expect("it is a timeline");
    assert_eq!(recording.snapshots.len(), count);
    let page = written(&Page::new(&recording));
    let points = page.curve("process", "live heap");
    assert!(points.len() <= 65_536, "{}", points.len());
    assert!(points.contains(&(66_666_000.0, Some(5_000_000.0))));
    assert!(page.html.len() < 2_000_000, "{} bytes", page.html.len());
    let notes = page.notes();
    assert!(notes.iter().any(|note| note.contains("fewer points")), "{notes:?}");
}
