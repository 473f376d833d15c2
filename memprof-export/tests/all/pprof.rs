//! pprof files have the same bytes and names as the recording, and no unknown data.

use crate::decoded::Decoded;
use crate::recordings::{hostile, operations, recording, recording_of, site, sites};
use expect_test::{expect, expect_file};
use memprof_export::{Moment, Pprof};
use memprof_profile::tree::{Device, LeafKind};
use memprof_profile::walk::{Position, Walk};
use memprof_profile::{MemoryProfile, Profile};
use memprof_recording::Recording;
use serde_json::json;
use std::sync::Arc;

/// A value with shared parts, keys, excess capacity and a device.
struct Model;

impl MemoryProfile for Model {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let values = walk.entry(at, "values");
        walk.leaf(values, LeafKind::Data, 8000);
        walk.leaf(values, LeafKind::Spare, 500);
        walk.count_allocations(values, 3);
        let shared = walk.entry(values, "[shared]");
        walk.leaf(shared, LeafKind::Counts, 16);
        walk.count_allocations(shared, 1);
        let unit = walk.entry(shared, "unit");
        walk.leaf(unit, LeafKind::Data, 40);
        let names = walk.entry(at, "names");
        walk.leaf(names, LeafKind::Table, 64);
        let keys = walk.entry(names, "[keys]");
        walk.leaf(keys, LeafKind::Data, 300);
        walk.count_allocations(keys, 30);
    }

    /// Adds no bytes for the value itself, so that the totals are the sums of the bytes above.
    fn pointee<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        self.owned(walk, at);
    }
}

fn of_profile(profile: &Profile) -> Decoded {
    Decoded::of(&Pprof::of_profile(profile, None).unwrap())
}

/// Returns each stack and its bytes, as folded stacks have them.
fn folded(text: &str) -> Vec<(String, i64)> {
    let line = |line: &str| {
        let (stack, bytes) = line.rsplit_once(' ').unwrap();
        (stack.to_owned(), bytes.parse().unwrap())
    };
    let mut lines: Vec<_> = text.lines().map(line).collect();
    lines.sort();
    lines
}

#[test]
fn a_profile_is_its_tree_with_devices_and_kinds_as_labels() {
    let decoded = of_profile(&Profile::named("model", &Model));
    expect![[r#"
        [0, 64] model;names device=cpu kind=[table]
        [0, 300] model;names device=cpu kind=[keys]
        [30, 0] model;names
        [0, 8000] model;values device=cpu kind=[data]
        [0, 500] model;values device=cpu kind=[spare]
        [3, 0] model;values
        [0, 16] model;values device=cpu kind=[counts]
        [1, 0] model;values
        [0, 40] model;values;unit device=cpu kind=[data]
    "#]]
    .assert_eq(&decoded.lines());
    assert_eq!(decoded.types, ["inuse_objects/count", "inuse_space/bytes"]);
    assert_eq!(decoded.default_type, "inuse_space");
    assert_eq!((decoded.program.as_str(), &decoded.comments[..]), ("model", &["exact".into()][..]));
    assert_eq!((decoded.time_nanos, decoded.duration_nanos), (0, 0), "the time is unknown");
}

#[test]
fn stacks_and_bytes_are_those_of_folded_stacks() {
    let shared = Arc::new(vec![String::from("alpha"); 3]);
    let value = (vec![shared.clone(), shared], vec![(1_u8, 7_u64)], Model);
    for profile in [Profile::named("model", &Model), Profile::named("root", &value.0)] {
        let sums: Vec<_> = of_profile(&profile).by_stack("inuse_space").into_iter().collect();
        assert_eq!(sums, folded(&profile.to_folded()));
    }
}

#[test]
fn a_profile_of_a_session_names_the_process_and_the_time() {
    let recording = recording(&sites());
    let moment = Moment::of(&recording.metadata, &recording.snapshots[0]);
    let profile = Profile::named("cache", &Model);
    let decoded = Decoded::of(&Pprof::of_profile(&profile, Some(&moment)).unwrap());
    assert_eq!(decoded.program, "importer");
    assert_eq!(decoded.time_nanos, 1_795_249_805_000_000_000);
    expect![[r#"
        importer, process 4711 on linux x86_64, recorded by memprof 0.1.0
        snapshot 3 (checkpoint "loaded")
        exact"#]]
    .assert_eq(&decoded.comments.join("\n"));
}

#[test]
fn uncounted_allocations_are_left_out() {
    let gpu = [(["cuda:0", "used"], Device::Cuda(0), 3 << 30), (["host", "used"], Device::Cpu, 5)];
    let decoded = of_profile(&Profile::of_counters("gpu", gpu));
    assert_eq!(decoded.types, ["inuse_space/bytes"]);
    expect![[r#"
        [3221225472] gpu;cuda:0;used device=cuda:0 kind=[data]
        [5] gpu;host;used device=cpu kind=[data]
    "#]]
    .assert_eq(&decoded.lines());
    let folded = of_profile(&Profile::from_folded("main;load 12\n").unwrap());
    assert_eq!(folded.types, ["inuse_space/bytes"]);
    assert!(folded.comments.is_empty(), "the exactness is unknown");
}

#[test]
fn the_stacks_of_sites_add_up_to_the_live_bytes() {
    let decoded = Decoded::of(&Pprof::of_sites(&recording(&sites())).unwrap());
    expect![[r#"
        [12289, 41, 4096] app::main src/lib.rs:4;app::cache::insert src/lib.rs:3;Vec<T>::push src/lib.rs:2;alloc::alloc src/lib.rs:1
        [3001, 10, 1001] app::main src/lib.rs:4;app::parse src/lib.rs:3;String::push_str src/lib.rs:2;alloc::alloc src/lib.rs:1
        [32, 0, 10] app::main src/lib.rs:2;app::parse src/lib.rs:1
        [0, 0, 501] [other_sites]
    "#]]
    .assert_eq(&decoded.lines());
    assert_eq!(decoded.types, ["alloc_space/bytes", "inuse_objects/count", "inuse_space/bytes"]);
    let live = 4096.4_f64 + 1000.4 + 10.4 + 500.4;
    #[expect(clippy::cast_possible_truncation, reason = "it is small")]
    let whole = live.round() as i64;
    assert_eq!(decoded.total("inuse_space"), whole, "rounded once");
    assert_eq!(decoded.drop_frames, r"String\:\:push_str|Vec\<T\>\:\:push");
    assert!(decoded.comments.contains(&"only inuse_space is known for [other_sites]".to_owned()));
    assert_eq!(decoded.duration_nanos, 125_000_000_000);
}

#[test]
fn allocated_bytes_are_left_out_if_a_site_lacks_them() {
    let mut summary = sites();
    summary["sites"][1]["allocated"] = json!(null);
    let decoded = Decoded::of(&Pprof::of_sites(&recording(&summary)).unwrap());
    assert_eq!(decoded.types, ["inuse_objects/count", "inuse_space/bytes"]);
}

#[test]
fn a_site_without_debug_information_has_its_known_location() {
    let nameless = json!({"function": null, "file": null, "line": null});
    let mut by_file = nameless.clone();
    by_file["file"] = json!("src/a.rs");
    let mut with_location = site(&["a"], 0, 10.0);
    with_location["stack"] = json!([nameless, by_file]);
    let mut without = site(&["place"], 0, 5.0);
    without["stack"] = json!([]);
    let summary = json!({"sites": [with_location, without]});
    let decoded = Decoded::of(&Pprof::of_sites(&recording(&summary)).unwrap());
    expect![[r#"
        [30, 0, 10] src/a.rs src/a.rs:0;[unknown]
        [15, 0, 5] place src/lib.rs:1
    "#]]
    .assert_eq(&decoded.lines());
}

#[test]
fn intermediate_functions_are_not_dropped() {
    let summary = json!({"sites": [
        site(&["grow", "collect", "app::a"], 2, 10.0),
        // Here `collect` calls the program's function `app::b`.
        site(&["grow", "app::b", "collect", "app::a"], 1, 10.0),
        site(&["grow", "Extend<(A, B)>::extend", "app::c"], 2, 10.0),
        site(&["(unnamed)", "app::d"], 1, 10.0),
        site(&["Own<(u8)>::copy", "Own<(u16)>::copy"], 1, 10.0),
    ]});
    let decoded = Decoded::of(&Pprof::of_sites(&recording(&summary)).unwrap());
    // `collect` is kept, because it is also a caller of a call site. The last two sites give no
    // name, because readers compare names only up to the first parenthesis.
    assert_eq!(decoded.drop_frames, r"Extend\<|grow");
}

#[test]
fn bytes_count_once_at_the_innermost_operation() {
    let decoded = Decoded::of(&Pprof::of_operations(&recording(&operations(true))).unwrap());
    expect![[r#"
        [100, 1000, 0, 0] load 
        [200, 2000, 7, 700] load;parse 
        [100, 1000, 1, 51] load;parse;read 
        [50, 500, 0, 20] serve 
    "#]]
    .assert_eq(&decoded.lines().replace('\n', " \n"));
    assert_eq!(decoded.default_type, "inuse_space");
    assert_eq!(
        decoded.total("alloc_space"),
        4500,
        "as much as was allocated in `load` and `serve`"
    );
    assert_eq!(decoded.total("alloc_objects"), 450);
    assert_eq!(decoded.total("inuse_space"), 771);
}

#[test]
fn without_samples_operations_have_only_allocated_bytes() {
    let counters = recording_of("importer", 1, Some("counters"), &operations(false));
    let decoded = Decoded::of(&Pprof::of_operations(&counters).unwrap());
    assert_eq!(decoded.types, ["alloc_objects/count", "alloc_space/bytes"]);
    assert_eq!(decoded.default_type, "alloc_space");
    assert_eq!(decoded.total("alloc_space"), 4500);
}

#[test]
fn the_recording_for_other_tools_is_up_to_date() {
    expect_file!["../golden/hostile.json"].assert_eq(&hostile());
    let recording = Recording::from_text(&hostile()).unwrap();
    let sites = Decoded::of(&Pprof::of_sites(&recording).unwrap());
    assert_eq!(sites.total("inuse_space"), 45_791, "45013.5 and 777.7");
}

#[test]
fn processes_of_one_program_have_the_same_frames() {
    let of = |pid: u32| {
        let recording = recording_of("importer", pid, Some("sampled"), &sites());
        let pprof = [Pprof::of_sites(&recording), Pprof::of_operations(&recording)];
        pprof.map(|pprof| Decoded::of(&pprof.unwrap()))
    };
    for (one, other) in of(1).into_iter().zip(of(99)) {
        assert_eq!((one.lines(), one.names), (other.lines(), other.names));
        assert_ne!(one.comments, other.comments, "the comments name the process");
    }
}

#[test]
fn the_same_recording_gives_the_same_bytes() {
    let bytes = || {
        let mut bytes = Vec::new();
        Pprof::of_sites(&recording(&sites())).unwrap().write(&mut bytes).unwrap();
        bytes
    };
    assert_eq!(bytes(), bytes());
}
