//! Tests of every command with recordings: reports and timelines, any snapshot, complete and
//! truncated files.

use crate::memprof::{Ran, command, feed, file, folder, run};
use crate::recordings::{Recorded, bare, importer};
use crate::samples::{json, model};
use expect_test::{expect, expect_file};
use memprof_recording::{OperationOrder, Recording};
use serde_json::{Value, json};
use std::fs::File;
use std::path::Path;
use std::time::{Duration, SystemTime};

/// Writes the report and the timeline of one session.
fn files(folder: &Path, recorded: &Recorded) -> (String, String) {
    (file(folder, "run.json", recorded.report()), file(folder, "run.jsonl", recorded.timeline()))
}

/// Returns the output of a run that succeeded, with or without notes on standard error.
fn printed(arguments: &[&str]) -> String {
    let ran = run(arguments);
    assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
    ran.out
}

#[test]
fn an_overview_fits_on_a_screen_of_any_width() {
    let (report, _) = files(&folder("session-info"), &importer());
    for width in ["80", "120"] {
        let text = run(&["info", "--width", width, &report]).well();
        let columns = width.parse().unwrap();
        assert!(text.lines().all(|line| line.chars().count() <= columns), "{text}");
        assert!(text.lines().count() <= 70, "{text}");
        let golden = format!("../golden/session_info_{width}.txt");
        expect_file![golden].assert_eq(&text);
    }
    expect_file!["../golden/session_info_at.txt"]
        .assert_eq(&run(&["info", "--width", "80", &format!("{report}@after_load")]).well());
    expect_file!["../golden/session_info.json"]
        .assert_eq(&run(&["info", "--json", &report]).well());
}

#[test]
fn info_of_a_killed_program_lists_what_is_missing() {
    let folder = folder("session-killed");
    let mut killed = importer();
    killed.metadata["ended"] = "running".into();
    killed.snapshots.pop();
    killed.summary["at_ns"] = 1_100_000_000_u64.into();
    killed.summary["names_at_ns"] = 1_100_000_000_u64.into();
    let timeline = killed.timeline() + "{\"snapshot\":{\"number\":25,";
    let path = file(&folder, "killed.jsonl", timeline);
    let info = run(&["info", &path]).well();
    let missing: Vec<&str> =
        info.lines().skip_while(|line| !line.starts_with("missing ")).take(3).collect();
    assert_eq!(
        missing.join("\n"),
        "missing     everything after 2 min 5 s;\n            \
         operations, call sites and leaks are as of 1.1 s of 2 min: anything later is unknown;\n            \
         1 line that could not be read",
        "{info}"
    );
    assert_eq!(info.matches("could not be read").count(), 1, "it is no warning: {info}");
}

#[test]
fn before_the_first_summary_data_are_unknown_and_not_none() {
    let folder = folder("session-not-summed-up");
    let whole = importer().timeline();
    let kept: Vec<&str> = whole.lines().filter(|line| !line.starts_with("{\"summary\"")).collect();
    assert!(kept.len() < whole.lines().count(), "it had one");
    let killed = file(&folder, "killed.jsonl", kept.join("\n"));
    let reason = "the file ends before the first summary";
    assert!(run(&["info", &killed]).well().contains("operations, places and leaks are unknown"));
    assert_eq!(run(&["leaks", &killed]).well(), format!("unknown: {reason}\n"));
    let operations = "unknown: the file ends before the first summary\n";
    assert_eq!(run(&["ops", &killed]).well(), operations);
    // An early summary may lack operations, and calls may end after it.
    let early = format!("{}\n{{\"summary\":{{}}}}", kept.join("\n"));
    assert_eq!(run(&["ops", &file(&folder, "early.jsonl", early)]).well(), operations);
    for (command, key) in
        [("ops", "operations"), ("ops", "more"), ("leaks", "leaks"), ("info", "summary")]
    {
        let json: Value = serde_json::from_str(&run(&[command, "--json", &killed]).well()).unwrap();
        assert_eq!(json.get(key), Some(&Value::Null), "{command} {key}");
    }
    for to in ["folded-sites", "folded-operations", "pprof-sites", "pprof-operations"] {
        let ran =
            run(&["export", "--to", to, "-o", folder.join("never").to_str().unwrap(), &killed]);
        assert_eq!(ran.code, Some(2), "{to}: {ran:?}");
        assert!(
            ran.err.contains("the file ends before") && !ran.err.contains("level"),
            "{}",
            ran.err
        );
    }
    let metrics = run(&["export", "--to", "prometheus", &killed]).well();
    assert!(!metrics.contains("memprof_operation") && !metrics.contains("not_kept"), "{metrics}");
}

#[test]
fn unknown_data_are_printed_as_unknown() {
    let folder = folder("session-bare");
    let (report, _) = files(&folder, &bare());
    expect![[r#"
        app · process 7 · memprof 0.1.0 · macos aarch64
        began       2026-11-21 08:30:00 UTC; recorded for 120.0 µs;
                    still running when this was written, or killed
        snapshots   1, every 1.0 s to 5.0 s
        missing     everything after 120.0 µs

        heap        unknown: memprof's allocator did not count
        resident    unknown
    "#]]
    .assert_eq(&run(&["info", &report]).well());
    expect![[r#"
        unknown: operations were not counted
    "#]]
    .assert_eq(&run(&["ops", &report]).well());
    expect![[r#"
        unknown: memprof's allocator did not count in this program
    "#]]
    .assert_eq(&run(&["leaks", &report]).well());
    let leaks: Value = serde_json::from_str(&run(&["leaks", "--json", &report]).well()).unwrap();
    assert_eq!(leaks["leaks"], Value::Null, "nothing was sampled");
    let mut recorded = bare();
    recorded.snapshots.clear();
    let (report, timeline) = files(&folder, &recorded);
    for path in [&report, &timeline] {
        assert!(run(&["info", path]).well().contains("unknown"));
        let json: Value = serde_json::from_str(&run(&["info", "--json", path]).well()).unwrap();
        assert_eq!(json["snapshots"], json!([]));
    }
}

#[test]
fn operations_are_a_tree_in_any_order() {
    let (report, _) = files(&folder("session-ops"), &importer());
    expect![[r#"
        operation   calls      total    average        max       peak  allocated  time, all calls        retained (own)
        serve       1,250   38.0 MiB   31.1 KiB   60.0 KiB    2.0 MiB    4.7 GiB            1.5 s   2.0 MiB ± 334.5 KiB
          handle    6,250   38.0 MiB    6.2 KiB   60.0 KiB    2.0 MiB    4.5 GiB            7.7 s    38.0 MiB ± 6.2 MiB
            render  6,250        0 B        0 B        0 B  192.0 KiB  900.0 MiB            7.7 s                   0 B
          expire       25   −2.0 MiB  −81.9 KiB   −1.0 KiB    4.0 KiB    1.0 MiB          30.9 ms                   0 B
        load            1   13.0 MiB   13.0 MiB   13.0 MiB   25.0 MiB   40.0 MiB           1.2 ms   3.5 MiB ± 585.4 KiB
          parse        12    9.0 MiB  768.0 KiB    4.0 MiB    6.0 MiB   30.0 MiB          14.8 ms     9.0 MiB ± 1.5 MiB
          net           1  512.0 KiB  512.0 KiB  512.0 KiB    1.0 MiB    2.0 MiB           1.2 ms  512.0 KiB ± 83.6 KiB
    "#]].assert_eq(&run(&["ops", &report]).well());
    expect![[r#"
        operation   calls      total       peak  time, all calls        retained (own)
        serve       1,250   38.0 MiB    2.0 MiB            1.5 s   2.0 MiB ± 334.5 KiB
          handle    6,250   38.0 MiB    2.0 MiB            7.7 s    38.0 MiB ± 6.2 MiB
            render  6,250        0 B  192.0 KiB            7.7 s                   0 B
          expire       25   −2.0 MiB    4.0 KiB          30.9 ms                   0 B
        load            1   13.0 MiB   25.0 MiB           1.2 ms   3.5 MiB ± 585.4 KiB
          parse        12    9.0 MiB    6.0 MiB          14.8 ms     9.0 MiB ± 1.5 MiB
          net           1  512.0 KiB    1.0 MiB           1.2 ms  512.0 KiB ± 83.6 KiB
        left out at this width: average, max, allocated
    "#]]
    .assert_eq(&run(&["ops", "--width", "80", &report]).well());
    expect![[r#"
        operation  calls         total       average           max          peak  time, all calls             retained (own)
        load           1  13,631,488 B  13,631,488 B  13,631,488 B  26,214,400 B           1.2 ms    3,670,016 B ± 599,435 B
          parse       12   9,437,184 B     786,432 B   4,194,304 B   6,291,456 B          14.8 ms  9,437,184 B ± 1,541,407 B
        5 more operations · left out at this width: allocated
    "#]]
        .assert_eq(&run(&["ops", "--sort", "peak", "-n", "2", "--units", "bytes", &report]).well());
    let orders = [
        ("total", "serve"),
        ("calls", "serve"),
        ("average", "load"),
        ("max", "load"),
        ("peak", "load"),
        ("allocated", "serve"),
        ("time", "serve"),
        ("retained", "serve"),
    ];
    for (sort, first) in orders {
        let text = run(&["ops", "--sort", sort, &report]).well();
        assert!(text.lines().nth(1).unwrap().starts_with(first), "{sort}: {text}");
    }
    let json = run(&["ops", "--json", "-n", "1", &report]).well();
    expect_file!["../golden/session_ops.json"].assert_eq(&json);
}

#[test]
fn a_running_operation_is_the_parent_of_ended_ones() {
    let mut recorded = importer();
    let operations = recorded.summary["operations"].as_array_mut().unwrap();
    operations.retain(|row| row["path"] != json!(["serve"]));
    let (report, _) = files(&folder("session-running"), &recorded);
    let text = run(&["ops", "--width", "60", &report]).well();
    let serve: Vec<&str> = text.lines().filter(|line| line.contains("serve")).collect();
    assert_eq!(serve, ["serve"], "its name and no figures: {text}");
    assert!(text.contains("\n  handle "), "{text}");
}

#[test]
fn leaks_are_shown_with_their_stacks() {
    let folder = folder("session-leaks");
    let (report, _) = files(&folder, &importer());
    expect![[r#"
        importer::cache::Cache::insert (src/cache.rs:41)
          in serve;handle
          +300.0 KiB/s (270.0 KiB to 330.0 KiB) · +6.0 KiB per call ·
          37.0 MiB ± 3.6 MiB live in 9,472 blocks ± 78
            from importer::serve::handle (src/serve.rs:88)
            from importer::main (src/main.rs:31)
        importer::cache::Cache::index (src/cache.rs:58)
          in serve;handle
          +30.0 KiB/s (27.0 KiB to 33.0 KiB) · +614 B per call ·
          4.0 MiB ± 401.4 KiB live in 1,024 blocks ± 78
            from importer::serve::handle (src/serve.rs:88)
            from importer::main (src/main.rs:31)
        2 call sites keep growing
        the live heap grows by 335.9 KiB/s: 26 observations in 125.0 s
    "#]]
    .assert_eq(&run(&["leaks", "--width", "80", &report]).well());
    let json: Value = serde_json::from_str(&run(&["leaks", "--json", &report]).well()).unwrap();
    assert_eq!(json["leaks"].as_array().unwrap().len(), 2);
    let mut recorded = importer();
    recorded.summary["leaks"] = json!([]);
    recorded.summary["leak_watch"]["verdict"] = "nothing_grows".into();
    recorded.summary["leak_watch"]["process_bytes_per_second"] = Value::Null;
    let (report, _) = files(&folder, &recorded);
    let nothing = "no call site keeps growing\n\
        the live heap does not grow (change: 41.0 MiB): 26 observations in 125.0 s\n\
        growth of 11.7 KiB/s at one call site would have been found\n";
    assert_eq!(run(&["leaks", &report]).well(), nothing);
    let info = run(&["info", &report]).well();
    assert!(info.contains(nothing.replace('\n', "\n  ").trim_end()), "{info}");
    let mut one = importer().summary["leaks"][0].take();
    one["doubt"] = "many_callers".into();
    recorded.summary["doubtful_leaks"] = json!([one]);
    let (report, _) = files(&folder, &recorded);
    let leaks = run(&["leaks", &report]).well();
    assert!(leaks.contains(", many callers: Cache::insert"), "{leaks}");
    assert!(!leaks.contains("would have been found"), "{leaks}");
    let info = run(&["info", &report]).well();
    assert!(info.contains("Cache::insert") && info.contains(", many callers"), "{info}");
    // Too few observations are no verdict.
    for watch in [
        json!({"verdict": "unknown", "observations": 4, "watched_ns": 2_500_000_000_u64, "process_bytes": 9, "process_bytes_per_second": null, "smallest_found_bytes_per_second": null}),
        Value::Null,
    ] {
        recorded.summary["leak_watch"] = watch;
        let (report, _) = files(&folder, &recorded);
        let unknown = "unknown: too few observations";
        assert!(run(&["leaks", &report]).well().starts_with(unknown));
        let info = run(&["info", &report]).well();
        assert!(info.contains("\ngrowth unknown: too few observations"), "{info}");
        let json: Value = serde_json::from_str(&run(&["leaks", "--json", &report]).well()).unwrap();
        assert_eq!(json["leaks"], Value::Null);
    }
    // The recording is as after `kill -9`. An old summary without leaks does not prove that nothing
    // leaks.
    let mut old = importer();
    old.summary["leaks"] = json!([]);
    old.summary["at_ns"] = 1_100_000_000_u64.into();
    let (report, _) = files(&folder, &old);
    let text = run(&["leaks", &report]).well();
    assert!(text.starts_with("unknown: the last summary is older"), "{text}");
    assert!(text.contains("as of 1.1 s of "), "{text}");
    let json: Value = serde_json::from_str(&run(&["leaks", "--json", &report]).well()).unwrap();
    assert!(json["leaks"].is_null());
    assert_eq!(json["at_ns"], 1_100_000_000_u64);
    assert!(json["end_ns"].as_u64() > Some(1_100_000_000));
    let json: Value = serde_json::from_str(&run(&["ops", "--json", &report]).well()).unwrap();
    assert_eq!(json["at_ns"], 1_100_000_000_u64);
    for command in ["info", "ops"] {
        let text = run(&[command, &report]).well();
        assert!(text.contains("as of 1.1 s of "), "{text}");
    }
    for snapshot in &mut recorded.snapshots {
        snapshot["heap"]["level"] = "counters".into();
    }
    let (report, _) = files(&folder, &recorded);
    let text = run(&["leaks", &report]).well();
    assert_eq!(text, "unknown: suspects need samples, and none were taken\n");
}

#[test]
fn a_report_and_its_timeline_give_the_same_output() {
    let (report, timeline) = files(&folder("session-forms"), &importer());
    let commands: [&[&str]; 12] = [
        &["info"],
        &["info", "--json"],
        &["ops"],
        &["ops", "--json"],
        &["leaks"],
        &["leaks", "--json"],
        &["tree"],
        &["tree", "--json"],
        &["top"],
        &["report", "--detailed"],
        &["flamegraph"],
        &["export", "--to", "folded"],
    ];
    for command in commands {
        let of = |path: &str| run(&[command, &[path]].concat());
        let (from_report, from_timeline) = (of(&report), of(&timeline));
        assert_eq!(from_report.code, Some(0), "{command:?}: {from_report:?}");
        assert_eq!(from_report.out, from_timeline.out, "{command:?}");
        assert_eq!(from_report.err.replace(&report, &timeline), from_timeline.err);
        let fed = feed(&[command, &["-"]].concat(), importer().timeline().as_bytes());
        assert_eq!(fed.out, from_report.out, "{command:?}");
    }
}

#[test]
fn a_snapshot_is_selected_by_number_name_or_position() {
    let (report, timeline) = files(&folder("session-at"), &importer());
    let at = |selector: &str| format!("{report}@{selector}");
    expect![[r#"
        importer          34.4 MiB  100.0 %
        ├─ net            18.0 MiB   52.4 %
        │  ├─ embedding   16.0 MiB   46.6 %
        │  ├─ output       2.0 MiB    5.8 %
        │  └─ bias         2.0 KiB    0.0 %
        ├─ model          12.5 MiB   36.4 %
        │  ├─ matrix       9.0 MiB   26.2 %   2,305 allocations
        │  ├─ bounds       3.0 MiB    8.7 %   769 allocations
        │  └─ names      512.0 KiB    1.5 %   129 allocations
        ├─ cache           3.8 MiB   11.1 %
        │  ├─ entries      3.5 MiB   10.1 %   888 allocations
        │  └─ index      354.8 KiB    1.0 %   89 allocations
        └─ queue          39.1 KiB    0.1 %
        exact · 4,193 allocations · 18.0 MiB on cuda:0
    "#]]
    .assert_eq(&printed(&["tree", &at("after_load")]));
    expect![[r#"
        cache       40.9 MiB  100.0 %
        ├─ entries  37.2 MiB   90.9 %   9,513 allocations
        └─ index     3.7 MiB    9.1 %   952 allocations
        exact · 10,465 allocations
    "#]]
    .assert_eq(&printed(&["tree", "--root", "cache", &at("warm")]));
    for (selector, number) in [("start", "1"), ("end", "25"), ("peak", "25"), ("warm", "24")] {
        assert_eq!(
            printed(&["tree", &at(selector)]),
            printed(&["tree", &at(number)]),
            "{selector}"
        );
        assert_eq!(run(&["info", &at(selector)]).well(), run(&["info", &at(number)]).well());
    }
    assert_eq!(printed(&["tree", &report]), printed(&["tree", &at("end")]), "the last one");
    expect![[r#"
        +33.7 MiB    3.5 MiB →  37.2 MiB      ×11  importer;cache;entries
         +3.4 MiB  354.8 KiB →   3.7 MiB      ×11  importer;cache;index
        +37.1 MiB   39.2 MiB →  76.2 MiB  +94.6 %  total
        2 paths grown · exact before and after
    "#]]
    .assert_eq(&printed(&["diff", &at("start"), &at("warm")]));
    let alone = ["diff", "--root", "cache", "--fail-if-grows", "10%", &at("1"), &at("8")];
    assert_eq!(run(&alone).code, Some(1), "one root alone can be watched");
    assert_eq!(
        printed(&["diff", &at("start"), &format!("{timeline}@warm")]),
        printed(&["diff", &at("start"), &at("warm")])
    );
    // One argument is a snapshot, and the other is a profile.
    let model = file(&folder("session-beside"), "model.json", json(&model()));
    assert!(printed(&["diff", &model, &at("1")]).contains("   total\n"));
}

#[test]
fn a_root_that_was_locked_is_not_gone() {
    let (report, _) = files(&folder("session-locked"), &importer());
    let (warm, end) = (format!("{report}@warm"), format!("{report}@end"));
    let diff = printed(&["diff", &warm, &end]);
    let line = diff.lines().find(|line| line.ends_with("importer;queue;jobs"));
    assert!(line.is_some_and(|line| line.trim_start().starts_with("unknown")), "{diff}");
    assert!(!diff.contains("gone") && diff.contains("not after: 1 locked"), "{diff}");
    // A root that no snapshot could walk is not compared.
    let mut recorded = importer();
    let queue = recorded.snapshots[5]["roots"][3].clone();
    recorded.snapshots[4]["roots"][3] = queue;
    let (report, _) = files(&folder("session-locked-twice"), &recorded);
    let (warm, end) = (format!("{report}@warm"), format!("{report}@end"));
    let ran = run(&["diff", "--fail-if-grows", "100%", &warm, &end]);
    assert_eq!(ran.code, Some(0), "{ran:?}");
    assert!(!ran.out.contains("queue") && ran.out.contains("exact before and after"), "{ran:?}");
}

#[test]
fn a_recording_without_roots_compares_its_heap() {
    let mut recorded = importer();
    for snapshot in &mut recorded.snapshots {
        (snapshot["roots"], snapshot["sources"]) = (json!([]), json!([]));
        snapshot["reconciliation"] = Value::Null;
    }
    let (report, _) = files(&folder("session-without-roots"), &recorded);
    let ends = [format!("{report}@start"), format!("{report}@end")];
    let ran = run(&["diff", "--fail-if-grows", "5%", &ends[0], &ends[1]]);
    assert_eq!(ran.code, Some(1), "{ran:?}");
    assert!(ran.out.contains("importer;unexplained\n"), "{ran:?}");
    assert_eq!(run(&["tree", &ends[1]]).code, Some(2), "no values were profiled");
}

#[test]
fn roots_missing_in_a_snapshot_are_noted_on_standard_error() {
    let (report, _) = files(&folder("session-notes"), &importer());
    let ran = run(&["tree", &report]);
    let note = "not in snapshot 25: queue (locked), textures (the driver did not answer)";
    assert_eq!(ran.err, format!("memprof: {report}: {note}\n"));
    assert_eq!(run(&["tree", "--root", "cache", &report]).err, "", "the root is not missing");
}

#[test]
fn a_folder_stands_for_its_newest_recording() {
    let folder = folder("session-newest");
    let empty = command(&["info"]).current_dir(&folder).output().expect("it runs");
    let empty = Ran::from(empty);
    assert_eq!(empty.code, Some(2));
    assert!(
        empty.err.contains(
            "no recording (`memory_profile_….json` or `.jsonl`) in this folder; create one"
        ),
        "{empty:?}"
    );
    let mut older = importer();
    older.metadata["program"] = "older".into();
    let old = file(&folder, "memory_profile_20261121_083000.json", older.report());
    file(&folder, "memory_profile_20261121_083000.jsonl", older.timeline());
    let long_ago = SystemTime::now() - Duration::from_mins(1);
    let old = File::options().append(true).open(old).expect("it is a file");
    old.set_modified(long_ago).expect("the system sets it");
    drop(old);
    // The timeline of the older program is newer, but its document is complete.
    let newest = "memory_profile_20261121_083100.jsonl";
    file(&folder, newest, importer().timeline());
    file(&folder, "other.json", json(&model()));
    for arguments in
        [&["info"][..], &["leaks"], &["ops"], &["tree"], &["top"], &["report"], &["tree", ".@warm"]]
    {
        let ran = command(arguments).current_dir(&folder).output().expect("it runs");
        let ran = Ran::from(ran);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        assert!(
            ran.err.starts_with(&format!("memprof: the newest recording is {newest}\n")),
            "{ran:?}"
        );
        assert!(!ran.out.contains("older"), "{ran:?}");
    }
    let html = command(&["html"]).current_dir(&folder).output().expect("it runs");
    assert_eq!(html.status.code(), Some(0), "{html:?}");
    assert!(folder.join("memory_profile_20261121_083100.html").exists());
    let path = folder.to_str().expect("its name is UTF-8");
    let ran = run(&["info", path]);
    assert!(ran.err.contains(&format!("is {path}/{newest}\n")), "{ran:?}");
    let at = format!("{path}@start");
    let diff = run(&["diff", "--root", "cache", &at, path]);
    assert_eq!((diff.code, diff.out.contains("cache;entries")), (Some(0), true), "{diff:?}");
}

#[test]
fn a_file_whose_name_has_an_at_sign_is_itself() {
    let folder = folder("session-literal");
    let literal = file(&folder, "run.json@end", json(&model()));
    assert!(run(&["tree", &literal]).well().starts_with("Model"));
    file(&folder, "run.json", importer().report());
    assert!(run(&["tree", &literal]).well().starts_with("Model"), "the name is taken as a whole");
    let mut recorded = importer();
    recorded.snapshots[1]["name"] = "load@night".into();
    let report = file(&folder, "a@b.json", recorded.report());
    assert!(printed(&["tree", &format!("{report}@start")]).starts_with("importer"));
    assert!(run(&["info", &format!("{report}@load@night")]).well().contains("load@night"));
}

#[test]
fn the_error_for_a_missing_name_lists_the_available_ones() {
    let folder = folder("session-wrong");
    let (report, _) = files(&folder, &importer());
    let bare = file(&folder, "bare.json", bare().report());
    let model = file(&folder, "model.json", json(&model()));
    let at = |file: &str, selector: &str| format!("{file}@{selector}");
    let mut recorded = importer();
    recorded.snapshots.clear();
    let none = file(&folder, "none.json", recorded.report());
    let mut locked = importer();
    locked.snapshots[5]["roots"].as_array_mut().unwrap().retain(|root| root["name"] == "queue");
    let locked = file(&folder, "locked.json", locked.report());
    let mut rootless = importer();
    rootless.snapshots[5]["roots"] = json!([]);
    rootless.snapshots[5]["sources"] = json!([]);
    let rootless = file(&folder, "rootless.json", rootless.report());
    let cases: [&[&str]; 16] = [
        &["tree", &locked],
        &["tree", &at(&report, "nope")],
        &["tree", &at(&report, "")],
        &["info", &at(&report, "\u{1b}[31m")],
        &["tree", "--root", "nope", &report],
        &["tree", "--root", "queue", &report],
        &["tree", &bare],
        &["tree", "--root", "cache", &bare],
        &["tree", &rootless],
        &["tree", "--root", "cache", &rootless],
        &["export", "--to", "folded", &rootless],
        &["tree", &none],
        &["tree", &at(&model, "end")],
        &["top", "--root", "cache", &model],
        &["ops", &model],
        &["leaks", &at(&report, "end")],
    ];
    let mut messages = String::new();
    for arguments in cases {
        let ran = run(arguments);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{arguments:?}: {ran:?}");
        assert_eq!(ran.err.lines().count(), 1, "{}", ran.err);
        assert!(ran.err.contains("; "), "{}", ran.err);
        messages.push_str(&ran.err.replace(folder.to_str().unwrap(), ""));
    }
    expect![[r#"
        memprof: /locked.json: snapshot 25 (end) at 2 min 5 s has no profiles: queue (locked), textures (the driver did not answer); choose another snapshot with `@`
        memprof: /run.json@nope: no snapshot `nope`; available: after_load, warm, start, end, peak, 0, 1, 8, 16, 24, 25
        memprof: /run.json@: no snapshot ``; available: after_load, warm, start, end, peak, 0, 1, 8, 16, 24, 25
        memprof: /run.json@\u{1b}[31m: no snapshot `\u{1b}[31m`; available: after_load, warm, start, end, peak, 0, 1, 8, 16, 24, 25
        memprof: /run.json: no root or source `nope` in snapshot 25 (end) at 2 min 5 s; available: cache, model, net, queue, textures
        memprof: /run.json: snapshot 25 (end) at 2 min 5 s has no profile of `queue` (locked); choose another snapshot with `@`
        memprof: /bare.json: snapshot 0 (start) at 120.0 µs has no profiles; register roots with the session, or choose another snapshot with `@`
        memprof: /bare.json: snapshot 0 (start) at 120.0 µs has no roots; choose another snapshot with `@`
        memprof: /rootless.json: snapshot 25 (end) at 2 min 5 s has no profiles; register roots with the session, or choose another snapshot with `@`; the formats `folded-sites` and `pprof-sites` of `memprof export` need no roots
        memprof: /rootless.json: snapshot 25 (end) at 2 min 5 s has no roots; choose another snapshot with `@`; the formats `folded-sites` and `pprof-sites` of `memprof export` need no roots
        memprof: /rootless.json: snapshot 25 (end) at 2 min 5 s has no profiles; register roots with the session, or choose another snapshot with `@`; the formats `folded-sites` and `pprof-sites` of `memprof export` need no roots
        memprof: /none.json: the recording has no snapshots, because the program exited before the first one; `memprof info` prints the rest
        memprof: /model.json@end: this is a profile, not a recording; specify a `memory_profile_….json` or `.jsonl`
        memprof: /model.json: this is a profile, not a recording; specify a `memory_profile_….json` or `.jsonl`
        memprof: /model.json: this is a profile, not a recording; specify a `memory_profile_….json` or `.jsonl`
        memprof: /run.json@end: this command reads a whole recording; remove `@` and what follows
    "#]].assert_eq(&messages);
    let missing = run(&["tree", &at(folder.join("none").to_str().unwrap(), "end")]);
    assert!(missing.err.contains("none@end: no such file"), "{}", missing.err);
}

#[test]
fn a_timeline_is_read_up_to_the_kill_of_its_program() {
    let folder = folder("session-killed");
    let whole = importer().timeline();
    let path = file(&folder, "killed.jsonl", &whole[..whole.len() - 100]);
    let note = "1 line could not be read, because the program was killed or the disk was full";
    let info = run(&["info", &path]).well();
    assert!(info.contains(&note[..40]), "{info}");
    let ops = run(&["ops", &path]);
    assert_eq!((ops.code, ops.err), (Some(0), format!("memprof: {path}: {note}\n")));
    let tree = run(&["tree", &path]);
    assert!(tree.out.starts_with("importer") && tree.err.ends_with(&format!("{note}\n")));
}

/// Returns the text of all views of a recording.
fn all_views(recording: &Recording) -> String {
    let mut text = format!(
        "{}\n{}\n{}",
        recording.overview().width(80),
        recording.operation_table().order(OperationOrder::Retained).width(80),
        recording.leak_list().width(80)
    );
    for snapshot in &recording.snapshots {
        text += &recording.overview().at(snapshot).to_string();
        text += &snapshot.profile("all").map_or_else(|e| e.to_string(), |p| p.to_string());
    }
    text
}

#[test]
fn a_truncated_recording_is_an_error_or_read_in_part() {
    let mut recorded = importer();
    recorded.snapshots.truncate(1);
    for list in recorded.summary.as_object_mut().unwrap().values_mut() {
        if let Value::Array(list) = list {
            list.truncate(1);
        }
    }
    let report = recorded.report();
    for end in 0..report.trim_end().len() {
        let error = Recording::from_text(&report[..end]).expect_err("it is not whole");
        assert!(error.is_truncated() || error.is_foreign(), "{end}: {error}");
        assert_eq!(error.to_string().lines().count(), 1, "{error}");
    }
    let timeline = recorded.timeline();
    let head = timeline.find('\n').unwrap();
    let mut last = 0;
    for end in 0..timeline.len() {
        match Recording::from_text(&timeline[..end]) {
            Err(error) => assert!(end < head, "{error}"),
            Ok(recording) => {
                let line = timeline[..end].rfind('\n').unwrap_or_default();
                let whole = timeline.as_bytes().get(end) == Some(&b'\n');
                let torn = end > line + 1 && end > head && !whole;
                assert_eq!(recording.unreadable_lines, u64::from(torn), "{end}");
                // One call per line is enough, because the views are slower than the reader.
                if line != last {
                    all_views(&recording);
                    last = line;
                }
            }
        }
    }
    let folder = folder("session-cut");
    for part in 0..10 {
        let path = file(&folder, "cut.json", &report[..report.len() * part / 10]);
        let ran = run(&["info", &path]);
        assert_eq!((ran.code, ran.err.lines().count()), (Some(2), 1), "{ran:?}");
    }
}

#[test]
fn impossible_figures_are_printed_without_a_failure() {
    let extremes = ["9223372036854775807", "-9223372036854775808", "18446744073709551615", "0"];
    let floats = ["1e308", "-1e308", "1e-300", "0.0"];
    let report = importer().report();
    for (extreme, float) in extremes.iter().zip(floats) {
        let mut text = report.clone();
        for key in [
            "live_bytes",
            "live_blocks",
            "allocated_bytes",
            "peak_bytes",
            "peak_error_bytes",
            "rss_bytes",
            "rss_anonymous_bytes",
            "rss_file_bytes",
            "profiler_bytes",
            "roots_bytes",
            "net_bytes",
            "max_net_bytes",
            "calls",
            "started_unix_ns",
            "at_ns",
            "total_ns",
        ] {
            text = replaced(&text, key, extreme);
        }
        for key in ["value", "standard_error", "bytes_per_second", "average_net_bytes"] {
            text = replaced(&text, key, float);
        }
        // Numbers of the wrong type are rejected, and all other numbers are printed.
        if let Ok(recording) = Recording::from_text(&text) {
            assert!(all_views(&recording).contains("importer"));
        }
        for key in
            ["live_bytes", "net_bytes", "max_net_bytes", "roots_bytes", "value", "started_unix_ns"]
        {
            let text = replaced(&report, key, if key == "value" { float } else { extreme });
            if let Ok(recording) = Recording::from_text(&text) {
                assert!(all_views(&recording).contains("importer"), "{key}: {extreme}");
            }
        }
    }
}

/// Returns `text` with another number after each `"key":`.
fn replaced(text: &str, key: &str, number: &str) -> String {
    let key = format!("\"{key}\":");
    let mut parts = text.split(&key);
    let mut changed = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let end = part.find([',', '}', ']']).unwrap();
        let is_number = part.starts_with(|char: char| char == '-' || char.is_ascii_digit());
        changed.push_str(&key);
        changed.push_str(if is_number { number } else { &part[..end] });
        changed.push_str(&part[end..]);
    }
    changed
}

#[test]
fn a_hundred_thousand_calls_are_read() {
    let mut recorded = importer();
    recorded.events = (0..100_000_u64)
        .map(|call| {
            json!([
                1 + call % 2,
                1 + call % 8,
                call * 1_000_000,
                call * 1_000_000 + 900_000,
                4096 - (call.cast_signed() % 8192),
                60_000_000,
                60_004_096,
                null
            ])
        })
        .collect();
    let (report, timeline) = files(&folder("session-calls"), &recorded);
    for path in [&report, &timeline] {
        let info = run(&["info", path]).well();
        assert!(info.contains("100,000 individual calls in the file"), "{info}");
    }
}

#[test]
fn a_partly_visited_root_has_no_growth_and_explains_at_least_a_part() {
    let mut recorded = importer();
    for (index, bytes) in [(1, 4_000_000), (5, 3_800_000)] {
        let root = &mut recorded.snapshots[index]["roots"][0];
        root["state"] = "partial".into();
        root["total_bytes"] = bytes.into();
        root["low_bytes"] = bytes.into();
    }
    let last = recorded.snapshots[5]["roots"].as_array_mut().expect("it is a list");
    last.retain(|root| root["name"] != "queue");
    // The snapshots after the first ones are late.
    recorded.metadata["snapshots"] = 6.into();
    let path = file(&folder("partial-root"), "run.json", recorded.report());
    let info = run(&["info", &path]).well();
    assert!(info.contains("≥ 3.6 MiB  unknown  partial\n"), "{info}");
    let hint = info.lines().find(|line| line.starts_with("  partial: the walk "));
    assert!(hint.is_some_and(|line| line.contains("MEMPROF_WALK_BUDGET=")), "{info}");
    assert!(info.contains("explained: at least 91.9 % of the live heap"), "{info}");
    assert!(info.contains("\nnot found in any visited value\n"), "{info}");
    assert!(info.contains("snapshots   6, every 5.0 s to 40.0 s; checkpoints"), "{info}");
    let narrow = run(&["info", "--width", "60", &path]).well();
    assert!(narrow.contains("unknown\n    partial\n"), "{narrow}");
    // The ranges do not overlap, so the root grew by at least this much.
    recorded.snapshots[1]["roots"][0]["high_bytes"] = 4_000_000.into();
    let root = &mut recorded.snapshots[5]["roots"][0];
    (root["total_bytes"], root["low_bytes"]) = (9_000_000.into(), 9_000_000.into());
    let path = file(&folder("partly-grown"), "run.json", recorded.report());
    let info = run(&["info", &path]).well();
    assert!(info.contains("≥ 8.6 MiB  ≥ +4.8 MiB  partial\n"), "{info}");
    // A complete root explains what it holds.
    let root = &mut recorded.snapshots[5]["roots"][0];
    (root["state"], root["low_bytes"]) = ("profiled".into(), Value::Null);
    let path = file(&folder("completely-read"), "run.json", recorded.report());
    let info = run(&["info", &path]).well();
    assert!(info.contains("\nexplained by no root\n"), "{info}");
}
