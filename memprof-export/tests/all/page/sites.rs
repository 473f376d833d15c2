//! The call sites of pages: leaks, live memory, unexplained memory and the peak.

use super::contents::{MarkKind, NodeKind, Tables};
use super::{page, written};
use crate::fixture::Fixture;
use memprof_export::Page;
use memprof_recording::Recording;
use serde_json::{Value, json};

fn estimate(value: u64) -> Value {
    json!({"value": value as f64, "standard_error": 1.0, "samples": 5})
}

/// Returns a frame that has only a return address.
fn unnamed(address: u64) -> Value {
    json!({"function": null, "file": null, "line": null, "address": address})
}

/// Returns a growing call site, with the innermost frame first.
fn leak(stack: &[Value], operation: &str) -> Value {
    json!({
        "place": stack[0], "operation": [operation], "bytes_per_second": 5.0, "bytes_per_call": 1.0,
        "bytes_per_second_interval": [900.0, 1100.0], "live": estimate(1000), "live_blocks": estimate(10), "stack": stack,
    })
}

fn site(stack: &[Value]) -> Value {
    json!({
        "place": stack[0], "live": estimate(1000), "live_blocks": estimate(10), "allocated": null,
        "stack": stack,
    })
}

/// Returns the modules of a stripped program.
fn modules() -> Value {
    json!([{
        "path": "/opt/bin/importer", "build_id": null, "load_bias": 0x5555_0000_0000_u64,
        "ranges": [[0x5555_0001_0000_u64, 0x5555_0002_0000_u64]],
    }])
}

const ALLOCATOR: u64 = 0x5555_0001_0101;

#[test]
fn call_sites_of_a_stripped_program_are_told_apart_by_an_address() {
    let stack = |own: u64| [ALLOCATOR, own, 0x5555_0001_0f01].map(unnamed);
    let (first, second) = (stack(0x5555_0001_0201), stack(0x5555_0001_0301));
    let mut fixture = Fixture::importer();
    fixture.summary = json!({
        "modules": modules(),
        "leaks": [leak(&first, "load"), leak(&second, "load"), leak(&second, "serve")],
        "sites": [site(&first), site(&second)],
        "unexplained_sites": [site(&[unnamed(ALLOCATOR)]), site(&[unnamed(9)])],
        "largest_blocks": [
            {"bytes": 10, "age_ns": 5, "operation": [], "place": first[0], "stack": first},
        ],
    });
    let tables = page(&fixture).document.tables;
    let places = ["importer+0x10200", "importer+0x10300", "importer+0x10100", "0x8"];
    assert_eq!(texts(&tables), places, "no module has the last address");
    let frames = ["importer+0x10100", "importer+0x10200", "importer+0x10f00"];
    assert_eq!(tables.sites[0].stack, frames, "a stack without names is complete");
    let growing: Vec<bool> = tables.sites.iter().map(|site| site.growth.is_some()).collect();
    assert_eq!(growing, [true, true, false, false]);
    let live: Vec<bool> = tables.sites.iter().map(|site| site.live.is_some()).collect();
    assert_eq!(live, [true, true, false, false], "unexplained call sites may be unlisted");
    assert_eq!(tables.largest_blocks[0].place, places[0], "the stack is the same");
}

/// Returns the texts of call sites.
fn texts(tables: &Tables) -> Vec<&str> {
    tables.sites.iter().map(|site| &*site.place).collect()
}

#[test]
fn call_sites_begin_with_the_line_of_the_users_code() {
    let insert = json!({
        "function": "map::Map<u8>::insert", "line": 138,
        "file": "/root/.cargo/registry/src/x-1/map-1.0.0/src/lib.rs",
    });
    let parse = json!({"function": "importer::parse", "file": "src/main.rs", "line": 18});
    let mut fixture = Fixture::importer();
    fixture.summary = json!({
        "leaks": [leak(&[insert.clone(), parse.clone()], "load")],
        "sites": [site(&[insert.clone(), parse.clone()]), site(std::slice::from_ref(&parse))],
        "unexplained_sites": [site(&[insert.clone(), parse]), site(&[insert])],
    });
    let tables = page(&fixture).document.tables;
    let allocates = "map::Map<…>::insert (map-1.0.0/src/lib.rs:138)";
    let whole = format!("importer::parse (src/main.rs:18) → {allocates}");
    assert_eq!(texts(&tables), [&whole, allocates], "a line of the user is one call site");
    let site = &tables.sites[0];
    let values = [site.live, site.unexplained].map(|one| one.expect("it is listed").value);
    assert_eq!(values, [2000.0, 1000.0], "both live call sites are at the user's line");
    assert!(site.growth.is_some() && tables.sites[1].growth.is_none());
}

#[test]
fn call_sites_that_keep_growing_come_first_with_all_their_figures() {
    let frame =
        |line: u32| json!({"function": "importer::log", "file": "src/main.rs", "line": line});
    let mut fast = leak(&[frame(3)], "load");
    fast["bytes_per_second"] = 50.0.into();
    let mut fixture = Fixture::importer();
    fixture.summary = json!({
        "leaks": [leak(&[frame(2)], "load"), fast], "doubtful_leaks": [],
        "sites": [site(&[frame(1)]), site(&[frame(2)])],
    });
    let tables = page(&fixture).document.tables;
    let lines = [3, 2, 1].map(|line| format!("importer::log (src/main.rs:{line})"));
    assert_eq!(texts(&tables), lines);
    assert_eq!(tables.sites[0].operation, ["load"]);
}

#[test]
fn call_sites_that_are_no_suspects_have_the_words_of_the_list_of_leaks() {
    let frame =
        |line: u32| json!({"function": "importer::log", "file": "src/main.rs", "line": line});
    let doubtful = |line: u32, doubt: &str| {
        let mut leak = leak(&[frame(line)], "load");
        leak["doubt"] = doubt.into();
        leak
    };
    let mut fixture = Fixture::importer();
    fixture.snapshots[5]["heap"]["level"] = "sampled".into();
    fixture.summary = json!({
        "leaks": [], "doubtful_leaks": [
            doubtful(1, "few_samples"), doubtful(2, "short_lived"), doubtful(3, "replaced"),
        ],
        "leak_watch": {
            "verdict": "no_certain_site", "observations": 60, "watched_ns": 59_500_000_000_u64,
            "process_bytes": 900_000, "process_bytes_per_second": 15_000.0,
            "smallest_found_bytes_per_second": 40_960.0,
        },
    });
    let recording = fixture.recording();
    let tables = written(&Page::new(&recording)).document.tables;
    let list = recording.leak_list().to_string();
    assert_eq!(tables.leak_verdict, list.lines().take(3).collect::<Vec<_>>());
    let growths = tables.sites.iter().filter_map(|site| site.growth.as_ref());
    let doubts: Vec<&str> = growths.filter_map(|growth| growth.doubt.as_deref()).collect();
    assert_eq!(doubts.len(), 3, "none is a suspect");
    for doubt in &doubts[..2] {
        assert!(list.contains(&format!(", {doubt}: importer::log")), "{list}");
    }
    assert_eq!((doubts[0], doubts[1]), ("5 samples", "short-lived blocks"));
    assert_eq!(tables.leaks_unknown, None);
    fixture.summary["leak_watch"]["verdict"] = "unknown".into();
    let tables = page(&fixture).document.tables;
    assert_eq!(
        (tables.leak_verdict, tables.leaks_unknown.as_deref()),
        (Vec::new(), Some("too few observations"))
    );
}

#[test]
fn lifetimes_have_an_interval_with_enough_samples_and_old_files_have_none() {
    let parse =
        |line: u32| json!({"function": "importer::parse", "file": "src/main.rs", "line": line});
    let with = |line: u32, lifetime: Value| {
        let mut site = site(&[parse(line)]);
        (site["lifetime"], site["allocated"]) = (lifetime, estimate(4001));
        site
    };
    let mut fixture = Fixture::importer();
    let enough = json!({"mean_ms": 100.0, "standard_error_ms": 10.0, "samples": 20});
    fixture.summary = json!({"sites": [
        with(18, enough.clone()),
        with(19, json!({"mean_ms": 0.0, "samples": 1})),
        site(&[parse(20)]),
    ]});
    let recording = fixture.recording();
    let sites = written(&Page::new(&recording)).document.tables.sites;
    let of = |index: usize| {
        let lifetime = sites[index].lifetime.as_ref()?;
        Some((lifetime.mean_ms, lifetime.interval_ms, lifetime.samples))
    };
    assert_eq!(of(0), Some((100.0, Some([80.4, 119.6]), 20)));
    assert_eq!((of(1), of(2)), (Some((0.0, None, 1)), None));
    let overview = recording.overview().width(200).to_string();
    let lived: Vec<&str> = overview.lines().filter(|line| line.contains("blocks lived")).collect();
    assert_eq!(lived.len(), 1, "one is known well enough: {overview}");
    assert!(lived[0].ends_with("(src/main.rs:18), freed blocks lived 100.0 ms"), "{lived:?}");
    fixture.summary = json!({"sites": [with(18, enough)]});
    fixture.summary["sites"][0]["allocated"] = estimate(3999);
    let overview = fixture.recording().overview().width(200).to_string();
    assert!(!overview.contains("lived"), "more than a quarter of it is live: {overview}");
}

#[test]
fn the_peak_is_marked_at_the_moment_of_its_stacks() {
    let mut recording = Fixture::importer().recording();
    recording.summary.modules = serde_json::from_value(modules()).expect("they are modules");
    recording.stacks.addresses =
        [(7, vec![ALLOCATOR]), (8, vec![ALLOCATOR, 0x5555_0001_0201])].into();
    let moment = json!({
        "at_ns": 3_000_000, "trigger": "peak", "live_bytes": 96, "snapshot": 3,
        "rows": [[7, null, null, 64, 0, 1, 0, 1], [8, null, null, 32, 0, 1, 0, 1]],
    });
    recording.live_stacks = vec![serde_json::from_value(moment).expect("it is a moment")];
    let page = written(&Page::new(&recording));
    let marks = page.document.marks.iter().filter(|mark| mark.kind == MarkKind::Peak);
    let marks: Vec<_> = marks.map(|mark| (mark.at, mark.snapshot)).collect();
    assert_eq!(marks, [(3_000_000, Some(3))]);
    assert!(page.document.snapshots[3].peak, "the last snapshot has more live bytes");
    let peak = page.document.tables.at_peak.as_ref().expect("it has stacks");
    assert_eq!((peak.at, peak.live), (3_000_000, 96));
    assert_eq!(peak.sampled.value, 96.0);
    assert_eq!(texts(&page.document.tables), ["importer+0x10100", "importer+0x10200"]);
    let at_peak = page.document.tables.sites.iter().map(|site| site.peak.expect("it is").value);
    assert_eq!(at_peak.collect::<Vec<_>>(), [64.0, 32.0]);
}

#[test]
fn roots_that_were_visited_in_part_own_at_least_their_bytes() {
    let mut fixture = Fixture::importer();
    let mut set = |number: usize, state: &str, low: Value| {
        let root = &mut fixture.snapshots[number]["roots"][0];
        (root["state"], root["low_bytes"]) = (state.into(), low);
    };
    set(1, "partial", json!(null));
    set(2, "partial", json!(5));
    set(3, "profiled", json!(5));
    set(4, "locked", json!(null));
    let at_least: Vec<bool> =
        page(&fixture).document.snapshots.iter().map(|one| one.roots_at_least).collect();
    assert_eq!(at_least, [false, true, false, false, true, false], "the third is an estimate");
}

#[test]
fn the_peak_is_one_number_everywhere() {
    let mut fixture = Fixture::importer();
    // The maximum that the allocator counted is below a figure of one moment.
    fixture.snapshots[5]["heap"]["peak_bytes"] = 50_000.into();
    fixture.calls.push(json!([1, 1, 10, 20, 5, 100, 90_000, null]));
    let mut recording = fixture.recording();
    let moment = json!({"at_ns": 3_000_000, "trigger": "peak", "live_bytes": 80_000, "rows": []});
    recording.live_stacks = vec![serde_json::from_value(moment).expect("it is a moment")];
    let page = written(&Page::new(&recording));
    let peak = page.document.tables.at_peak.as_ref().expect("it has stacks");
    let fact = page.head.facts.iter().find(|fact| fact.label == "peak live heap");
    let highest = recording.operation_events.iter().map(|call| call.after_bytes).max();
    assert_eq!(Some(peak.bytes), highest);
    assert_eq!(fact.expect("it is known").bytes, highest.map(i128::from));
    let curve = page.curve("process", "live heap").iter().filter_map(|point| point.1);
    assert_eq!(curve.fold(0.0, f64::max), peak.bytes as f64);
}

#[test]
fn call_sites_that_no_root_reached_are_below_the_unexplained_bytes() {
    let mut fixture = Fixture::importer();
    fixture.snapshots.truncate(1);
    let mut recording = fixture.recording();
    recording.summary.modules = serde_json::from_value(modules()).expect("they are modules");
    recording.stacks.addresses = [(7, vec![ALLOCATOR]), (8, vec![9]), (9, vec![99])].into();
    let leaves = |recording: &mut Recording, live: u64, roots: &Value| {
        let moment = json!({
            "at_ns": 0, "trigger": "start", "live_bytes": 96, "snapshot": 0, "root_names": roots,
            "rows": [[7, null, null, live, 0, 1, 0, 1], [8, null, null, 32, 0, 1, 0, 1], [9, null, 0, 99, 0, 1, 0, 1]],
        });
        recording.live_stacks = vec![serde_json::from_value(moment).expect("it is a moment")];
        let page = written(&Page::new(recording));
        let mut leaves = page.of_kind(0, NodeKind::Site);
        leaves.extend(page.of_kind(0, NodeKind::Unexplained));
        leaves.retain(|path, _| path.contains(";unexplained"));
        leaves.into_iter().collect::<Vec<_>>()
    };
    let site = |name: &str, bytes: f64| (format!("importer;unexplained{name} on cpu"), bytes);
    let named = |bytes| [site("", bytes), site(";0x8", 32.0), site(";importer+0x10100", 968.0)];
    assert_eq!(leaves(&mut recording, 968, &json!(["cache"])), named(6000.0));
    // Estimates above the exact sum are reduced.
    let reduced = [site("", 1.0), site(";0x8", 14.0), site(";importer+0x10100", 6985.0)];
    assert_eq!(leaves(&mut recording, 14_968, &json!(["cache"])), reduced);
    assert_eq!(leaves(&mut recording, 968, &json!([])), [site("", 7000.0)], "roots claim nothing");
}

/// Returns a recording of 100 bytes of orders and 20 bytes of unknown type, which pin 40 MiB of 48 MiB of
/// free memory.
fn pinning() -> Recording {
    const MIB: u64 = 1 << 20;
    let mut fixture = Fixture::importer();
    fixture.snapshots[5]["resident"] = json!({
        "number": 1, "took_ns": 1, "resident_bytes": 64 * MIB, "threads": 1,
        "parts": [{"kind": "allocator_free", "bytes": 48 * MIB}],
    });
    let mut recording = fixture.recording();
    let frame = |function: &str, file: &str, address: u64| json!({"function": function, "file": file, "line": 9, "address": address});
    recording.stacks.frames = serde_json::from_value(json!([
        frame(GROW, "/rustc/5980/library/alloc/src/raw_vec/mod.rs", 70),
        frame("importer::orders", "src/main.rs", 71),
        frame("importer::index", "src/main.rs", 80),
    ]))
    .expect("they are places");
    recording.stacks.addresses = [(7, vec![70, 71]), (8, vec![80])].into();
    let bytes = |mib: u64| json!({"value": mib * MIB, "standard_error": 0.0, "samples": 9});
    let moment = json!({
        "at_ns": 5_000_000, "trigger": "end", "live_bytes": 120, "snapshot": 5, "root_names": ["cache"],
        "rows": [[7, 4, 0, 100, 0, 1, 0, 1], [8, null, null, 20, 0, 1, 0, 1]],
        "pinned": [
            {"stack": 8, "free": bytes(30), "alone": bytes(28), "shared": bytes(32)},
            {"stack": 7, "path": 4, "root": 0, "free": bytes(10), "alone": bytes(0), "shared": bytes(12)},
        ],
    });
    recording.live_stacks = vec![serde_json::from_value(moment).expect("it is a moment")];
    recording
}

const GROW: &str = "alloc::raw_vec::RawVec<importer::Order, alloc::alloc::Global>::grow_one";

#[test]
fn types_and_pinned_memory_are_those_of_the_overview() {
    let recording = pinning();
    let tables = written(&Page::new(&recording)).document.tables;
    let types = tables.at_peak.expect("it has stacks").types;
    let types: Vec<_> = types.iter().map(|one| (one.name.as_deref(), one.live.value)).collect();
    assert_eq!(types, [(Some("Vec<importer::Order>"), 100.0), (None, 20.0)]);
    let pinned = tables.pinned.expect("it is much");
    assert_eq!(
        (pinned.at, pinned.trimmable, pinned.free.value),
        (5_000_000, 8 << 20, 41_943_040.0)
    );
    let sites = pinned.sites.iter().map(|one| (&*one.place, &one.roots[..], one.returned));
    let expected: [(&str, &[String], [u64; 2]); 2] = [
        ("importer::index (src/main.rs:9)", &[], [28 << 20, 32 << 20]),
        ("importer::orders (src/main.rs:9)", &["cache".to_owned()], [0, 12 << 20]),
    ];
    assert_eq!(sites.collect::<Vec<_>>(), expected);
    assert_eq!(pinned.sites[1].operation, ["load", "parse"]);
    let overview = recording.overview().to_string();
    for text in ["Vec<importer::Order>", "40.0 MiB is free but pinned", "28.0 MiB to 32.0 MiB"] {
        assert!(overview.contains(text), "{text}: {overview}");
    }
}

#[test]
fn unknown_types_and_little_pinned_memory_are_left_out() {
    let mut recording = pinning();
    recording.live_stacks[0].rows.remove(0);
    for row in &mut recording.live_stacks[0].pinned {
        row.free.value /= 16.0;
    }
    let tables = written(&Page::new(&recording)).document.tables;
    assert!(tables.at_peak.expect("it has stacks").types.is_empty());
    assert!(tables.pinned.is_none());
}
