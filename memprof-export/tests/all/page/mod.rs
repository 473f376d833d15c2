//! Pages, written and read back.

#![expect(
    clippy::cast_precision_loss,
    clippy::cast_sign_loss,
    clippy::float_cmp,
    reason = "numbers of scripts are exact where these tests compare them"
)]

mod bounds;
#[expect(dead_code, reason = "fields of pages that no test reads")]
#[path = "../../../src/page/contents.rs"]
mod contents;
mod curves;
mod hostile;
mod reader;
mod sites;
mod trees;

use crate::fixture::Fixture;
use contents::{MarkKind, UnitsName};
use memprof_export::Page;
use memprof_profile::Profile;
use memprof_profile::views::Units;
use memprof_recording::Recording;
use memprof_recording::document::OperationEvent;
use reader::{Call, Decoded, element, unpacked, written};
use serde_json::json;
use std::sync::Arc;

/// Returns the page of a recording with default settings.
fn page(fixture: &Fixture) -> Decoded {
    written(&Page::new(&fixture.recording()))
}

/// Returns the end of a call; its start if the clock was set back during the call.
fn end_ns(call: &OperationEvent) -> u64 {
    call.end_ns.max(call.start_ns)
}

/// Returns the expected calls of a page, in no particular order.
fn expected_calls(recording: &Recording) -> Vec<Call> {
    let whole = |number| {
        let path = recording.operation_paths.iter().find(|path| path.path == number);
        path.map_or_else(|| format!("unknown operation {number}"), |path| path.names.join(";"))
    };
    let calls = recording.operation_events.iter().map(|call| Call {
        path: whole(call.path),
        thread: u64::from(call.thread),
        start: call.start_ns as f64,
        duration: (end_ns(call) - call.start_ns) as f64,
        delta: call.net_bytes as f64,
        before: call.before_bytes as f64,
        after: call.after_bytes as f64,
        tensors: call.tensor_net_bytes.map(|bytes| bytes as f64),
    });
    sorted(calls.collect())
}

fn sorted(mut calls: Vec<Call>) -> Vec<Call> {
    calls.sort_by(|one, other| {
        let key = |call: &Call| (call.start, call.duration, call.delta, call.thread as f64);
        key(one).partial_cmp(&key(other)).expect("no call is unknown")
    });
    calls
}

/// Returns calls of eight threads, with small, large, negative and zero amounts.
fn calls_of_many_threads(count: u64) -> Fixture {
    let mut fixture = Fixture::importer();
    // A Lehmer generator: it returns the same numbers in each run.
    let mut seed = 7_u64;
    let mut random = move |below: u64| {
        seed = seed * 48_271 % 2_147_483_647;
        seed % below
    };
    let mut call = |number: u64| {
        let start = number * 700 + random(2000);
        let length = random(1 << (number % 24));
        let delta = random(1 << 20).cast_signed() - (1 << 19);
        let before = 30_000_000 + random(1_000_000);
        let tensors = number.is_multiple_of(3).then(|| random(100_000).cast_signed() - 50_000);
        let path = if number.is_multiple_of(5) { 4 } else { 1 };
        json!([path, number % 8 + 1, start, start + length, delta, before, before + 100, tensors])
    };
    fixture.calls = (0..count).map(&mut call).collect();
    fixture
}

#[test]
fn each_call_is_in_the_page_as_recorded() {
    for fixture in [Fixture::importer(), calls_of_many_threads(50_000)] {
        let recording = fixture.recording();
        let page = written(&Page::new(&recording));
        assert_eq!(page.calls.len(), recording.operation_events.len());
        assert!(sorted(page.calls) == expected_calls(&recording), "all calls are the same");
    }
}

#[test]
fn calls_of_a_row_are_sorted_and_do_not_overlap() {
    let page = page(&calls_of_many_threads(20_000));
    let mut calls = page.calls.iter();
    for lane in &page.document.lanes {
        let row: Vec<&Call> = calls.by_ref().take(lane.count).collect();
        assert!(row.iter().all(|call| call.thread == u64::from(lane.thread)));
        assert!(row.windows(2).all(|two| two[0].start + two[0].duration <= two[1].start));
    }
}

#[test]
fn a_thread_of_concurrent_calls_has_rows_for_each_operation() {
    let mut fixture = Fixture::importer();
    // Thread 1 runs 100 requests at a time, and thread 2 one after the other.
    let call = |number: u64, path: u64, thread: u64, length: u64| {
        let start = number * 100;
        json!([path, thread, start, start + length, 1, 0, 1, null])
    };
    fixture.calls = (0..1000)
        .flat_map(|number| {
            let path = if number % 3 == 0 { 4 } else { 1 };
            [call(number, path, 1, 10_000), call(number, path, 2, 50)]
        })
        .collect();
    let page = page(&fixture);
    let mut calls = page.calls.iter();
    for lane in &page.document.lanes {
        let row: Vec<&Call> = calls.by_ref().take(lane.count).collect();
        assert_eq!(lane.operation.is_some(), lane.thread == 1, "thread {}", lane.thread);
        if let Some(operation) = lane.operation {
            let path = &page.document.paths[operation as usize].whole;
            assert!(row.iter().all(|call| call.path == *path), "a row of {path}");
        }
    }
    let operations: Vec<_> = page.document.lanes.iter().filter_map(|lane| lane.operation).collect();
    assert!(operations.is_sorted(), "the rows of an operation are together");
}

#[test]
fn of_too_many_calls_the_longest_and_those_with_the_largest_changes_are_kept() {
    let recording = calls_of_many_threads(10_000).recording();
    let page = written(&Page::new(&recording).max_calls(1000));
    assert_eq!(page.calls.len(), 1000);
    let mut lengths: Vec<u64> =
        recording.operation_events.iter().map(|call| end_ns(call) - call.start_ns).collect();
    lengths.sort_unstable();
    let longest = lengths[lengths.len() - 500] as f64;
    assert!(page.calls.iter().filter(|call| call.duration >= longest).count() >= 500);
    let mut changes: Vec<u64> =
        recording.operation_events.iter().map(|call| call.net_bytes.unsigned_abs()).collect();
    changes.sort_unstable();
    let largest = changes[changes.len() - 500] as f64;
    assert!(page.calls.iter().filter(|call| call.delta.abs() >= largest).count() >= 480);
    assert!(page.notes().iter().any(|note| note.starts_with("9,000 calls: left out of the page")));
}

#[test]
fn a_page_without_calls_is_valid() {
    let page = written(&Page::new(&calls_of_many_threads(100).recording()).max_calls(0));
    assert_eq!(page.calls.len(), 0);
    assert!(page.notes().iter().any(|note| note.starts_with("100 calls: left out of the page")));
}

#[test]
fn the_head_has_the_growth_between_the_first_and_the_last_known_figure() {
    let recording = Fixture::importer().recording();
    let known = || recording.snapshots.iter().filter_map(|one| Some((one.at_ns, one.heap?)));
    let (first, last) = (known().next().expect("one"), known().next_back().expect("one"));
    let growth = page(&Fixture::importer()).head.growth.expect("it is known");
    assert_eq!(growth.what, "live heap");
    assert_eq!(growth.bytes, i128::from(last.1.live_bytes) - i128::from(first.1.live_bytes));
    assert_eq!((growth.begin, growth.end), (first.0, last.0));
    assert!(growth.bytes != 0, "the example grows");
}

#[test]
fn the_growth_of_a_profile_is_unknown() {
    let page = written(&Page::of_profile(&Profile::named("numbers", &vec![1_u8; 100])));
    assert_eq!(page.head.growth, None);
}

#[test]
fn the_head_names_the_run_and_its_end() {
    let page =
        written(&Page::new(&Fixture::importer().recording()).title("nightly").units(Units::Si));
    let head = &page.head;
    assert_eq!(head.program, "importer");
    assert_eq!(head.title, "nightly");
    assert_eq!(head.began.as_deref(), Some("2026-11-21 08:30:00 UTC"));
    assert_eq!(head.end, 5_000_000);
    assert_eq!(head.ended, "finished");
    assert_eq!(head.units, UnitsName::Si);
    assert!(head.notes.is_empty(), "nothing is left out: {:?}", head.notes);
    assert!(page.html.contains("<title>nightly</title>"));
    assert!(page.html.contains(">nightly</h1>"));
}

#[test]
fn marks_are_at_checkpoints_the_peak_signals_and_out_of_memory() {
    let mut fixture = Fixture::importer();
    fixture.snapshots[4]["trigger"] = "signal".into();
    fixture.out_of_memory =
        vec![json!({"at_ns": 4_500_000, "requested_bytes": 1 << 30, "heap": null})];
    let page = page(&fixture);
    let marks = page.document.marks.iter();
    let marks: Vec<_> =
        marks.map(|mark| (mark.at, mark.kind, &*mark.text, mark.snapshot)).collect();
    let peaks: Vec<_> = page.document.snapshots.iter().map(|one| one.peak).collect();
    assert_eq!(
        peaks,
        [false, false, false, false, false, true],
        "only the last snapshot is the peak"
    );
    let peak = "the snapshot at the peak";
    assert_eq!(
        marks,
        [
            (2_000_000, MarkKind::Checkpoint, "loaded", Some(2)),
            (4_000_000, MarkKind::Signal, "a signal", Some(4)),
            (4_500_000, MarkKind::OutOfMemory, "out of memory: 1.0 GiB requested", None),
            (5_000_000, MarkKind::Peak, peak, Some(5)),
        ]
    );
}

#[test]
fn without_scripts_the_summary_is_text() {
    let recording = Fixture::importer().recording();
    let page = written(&Page::new(&recording));
    let overview = recording.overview().width(100).to_string();
    assert!(overview.contains("importer"), "{overview}");
    let escaped = overview.replace('&', "&amp;").replace('<', "&lt;").replace('\'', "&#39;");
    assert!(page.html.contains(escaped.trim_end()), "{overview}");
}

#[test]
fn a_profile_alone_is_a_page_of_one_tree() {
    let profile = Profile::named("numbers", &vec![1_u64; 1000]);
    let page = written(&Page::of_profile(&profile));
    assert_eq!(page.head.began, None);
    assert_eq!(page.leaves(0).values().sum::<f64>(), profile.total_bytes() as f64);
    assert_eq!(page.document.snapshots[0].tree, Some(0));
    assert_eq!(page.document.trees[0].verdict, "exact");
    assert!(page.calls.is_empty() && page.curves.is_empty());
}

#[test]
fn a_node_has_the_holders_of_its_shared_memory() {
    let block = Arc::new([0_u8; 1000]);
    let value = ([block.clone(), block], "text");
    let page = written(&Page::of_profile(&Profile::with_holders("blocks", &value)));
    let [(node, held)] = &page.document.trees[0].holders[..] else { panic!("one node") };
    assert_eq!(page.path(*node as usize), "blocks;0 on cpu");
    let line = "1,016 B at blocks;0: held by blocks;0 (2 handles); dropping blocks;0 frees 1,016 B of \
                shared memory";
    assert_eq!(held, line);
    let usual = written(&Page::of_profile(&Profile::named("blocks", &value)));
    assert!(usual.document.trees[0].holders.is_empty());
}

#[test]
fn an_empty_page_is_smaller_than_100_kilobytes() {
    let page = page(&Fixture::empty());
    assert!(page.html.len() < 100_000, "{} bytes", page.html.len());
}

#[test]
fn a_call_takes_few_bytes_of_the_page() {
    let recording = calls_of_many_threads(20_000).recording();
    let size = |calls| written(&Page::new(&recording).max_calls(calls)).html.len() as f64;
    let each = (size(20_000) - size(0)) / 20_000.0;
    // So a million of these calls take less than 22 MB. They are random; calls of programs take
    // less.
    assert!(each < 22.0, "{each} bytes");
}

#[test]
fn a_page_loads_nothing_and_runs_only_its_own_script() {
    let html = page(&Fixture::importer()).html;
    let policy = html.split("Content-Security-Policy\" content=\"").nth(1).expect("a policy");
    let policy = policy.split('"').next().expect("it ends");
    assert!(policy.starts_with("default-src 'none'; script-src 'sha256-"), "{policy}");
    assert!(!policy.contains("unsafe") && !policy.contains("http"), "{policy}");
    for asks in ["src=", "href=\"http", "@import", "<link", "<iframe"] {
        assert!(!html.contains(asks), "{asks}");
    }
    assert_eq!(html.matches("url(").count(), html.matches("url(#").count(), "only of the page");
    let script = String::from_utf8(unpacked(&html, "script")).expect("it is UTF-8");
    for asks in ["fetch(", "XMLHttpRequest", "WebSocket", "innerHTML", "eval(", "localStorage"] {
        assert!(!script.contains(asks), "{asks}");
    }
    assert!(!element(&html, "columns").is_empty());
}
