//! Tests of exports of sessions to pprof and folded stacks, and of invalid arguments.

use crate::memprof::{command, feed, file, folder, run};
use crate::recordings::{bare, importer};
use crate::samples::{LATER, json, model};
use expect_test::expect;
use serde_json::json;

const OF_SESSIONS: [&str; 4] =
    ["pprof-sites", "pprof-operations", "folded-sites", "folded-operations"];

/// Returns the bytes that a run wrote to standard output.
fn bytes(arguments: &[&str]) -> Vec<u8> {
    let output = command(arguments).output().expect("memprof runs");
    assert!(output.status.success(), "{output:?}");
    output.stdout
}

#[test]
fn pprof_is_the_same_in_pipes_and_files() {
    let folder = folder("exports-pprof");
    let report = file(&folder, "run.json", importer().report());
    let timeline = file(&folder, "run.jsonl", importer().timeline());
    let model = file(&folder, "model.json", json(&model()));
    for (to, from) in [
        ("pprof", &report),
        ("pprof", &timeline),
        ("pprof", &model),
        ("pprof-sites", &report),
        ("pprof-operations", &timeline),
    ] {
        let piped = bytes(&["export", "--to", to, from]);
        assert!(piped.starts_with(b"\x1f\x8b"), "{to} is compressed");
        let target = folder.join("written.pb.gz");
        let target = target.to_str().unwrap();
        run(&["export", "--to", to, "--force", "-o", target, from]);
        assert_eq!(std::fs::read(target).unwrap(), piped, "{to}");
    }
    assert_ne!(
        bytes(&["export", "--to", "pprof", &format!("{report}@start")]),
        bytes(&["export", "--to", "pprof", &format!("{report}@end")]),
        "a chosen snapshot"
    );
}

#[test]
fn folded_stacks_of_a_session_have_the_live_bytes() {
    let report = file(&folder("exports-folded"), "run.json", importer().report());
    expect![[r#"
        importer;[other_sites] 1048576
        importer;importer::main;importer::cache::Cache::insert 38797312
        importer;importer::main;importer::parse::row 9437184
    "#]]
    .assert_eq(&run(&["export", "--to", "folded-sites", &report]).well());
    let operations = run(&["export", "--to", "folded-operations", &report]).well();
    assert!(operations.contains("importer;load;parse 9437184\n"), "{operations}");
}

#[test]
fn exports_of_a_whole_session_refuse_a_part() {
    let folder = folder("exports-parts");
    let report = file(&folder, "run.json", importer().report());
    let model = file(&folder, "model.json", json(&model()));
    let at = format!("{report}@end");
    for to in OF_SESSIONS {
        // Call stacks are recorded at some moments, and this recording has none.
        let of_moment = if to.ends_with("sites") { "has no call stacks" } else { "remove `@`" };
        for (arguments, message) in [
            (&["--root", "cache", &report][..], "remove `--root`"),
            (&[&at], of_moment),
            (&[&model], "not a recording"),
        ] {
            let ran = run(&[&["export", "--to", to], arguments].concat());
            assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{to}: {ran:?}");
            assert!(ran.err.lines().count() == 1 && ran.err.contains(message), "{}", ran.err);
        }
    }
}

#[test]
fn unrecorded_data_are_an_error_without_a_file() {
    let folder = folder("exports-unknown");
    let bare = file(&folder, "bare.json", bare().report());
    let target = folder.join("never");
    for to in OF_SESSIONS {
        let arguments = ["export", "--to", to, "-o", target.to_str().unwrap(), &bare];
        let ran = run(&arguments);
        assert_eq!(ran.code, Some(2), "{to}: {ran:?}");
        assert!(ran.err.contains("unknown") && ran.err.contains("; "), "{}", ran.err);
        assert!(!target.exists(), "{to}");
    }
    let mut recorded = importer();
    recorded.summary["sites"] = json!([]);
    recorded.summary["other_sites"] = json!(null);
    let none = file(&folder, "none.json", recorded.report());
    assert_eq!(run(&["export", "--to", "folded-sites", &none]).well(), "", "no sites, no error");
}

#[test]
fn changes_are_drawn_between_files_and_snapshots() {
    let folder = folder("exports-changed");
    let model = file(&folder, "model.json", json(&model()));
    let later = file(&folder, "later.folded", LATER);
    let svg = run(&["flamegraph", "--before", &model, &later]).well();
    assert!(svg.contains("model.json ≥ 9.3 MiB → later.folded 10.5 MiB"), "{svg}");
    assert!(!svg.contains(folder.to_str().unwrap()), "the drawing names a folder");
    assert!(svg.contains("<title>index (500,000 bytes, "), "{svg}");

    let report = file(&folder, "run.json", importer().report());
    let at = |selector: &str| format!("{report}@{selector}");
    let svg = run(&["flamegraph", "--before", &at("start"), &at("warm")]).out;
    assert!(svg.contains("run.json@start") && svg.contains("run.json@warm"), "{svg}");
    let alone = ["flamegraph", "--root", "cache", "--before", &at("start"), &at("warm")];
    assert!(!run(&alone).well().contains("embedding"));

    let other = folder.join("other");
    std::fs::create_dir(&other).unwrap();
    let same = file(&other, "model.json", json(&crate::samples::model()));
    let svg = run(&["flamegraph", "--before", &model, &same]).well();
    assert!(svg.contains("other/model.json"), "only folders tell these apart");

    let both = feed(&["flamegraph", "--before", "-", "-"], b"a 1\n");
    assert_eq!(both.code, Some(2), "{both:?}");
    assert!(both.err.contains("only one profile"), "{}", both.err);
}
