//! Tests of `memprof html`: the page, its file, and the messages about it.

use crate::memprof::{command, feed, file, folder, run};
use crate::recordings::importer;
use crate::samples::{LATER, json, model};
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// Returns the standard error of a run that succeeded and printed nothing on standard output.
fn message(arguments: &[&str]) -> String {
    let ran = run(arguments);
    assert_eq!((ran.code, ran.out.as_str()), (Some(0), ""), "{ran:?}");
    ran.err
}

/// Reads the page from a file.
fn page(path: impl AsRef<Path>) -> String {
    let page = fs::read_to_string(path).expect("the page is there");
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    page
}

#[test]
fn the_summary_of_a_page_names_the_left_out_parts() {
    let folder = folder("html");
    let report = file(&folder, "run.json", importer().report());
    let target = folder.join("out.html");
    let name = target.to_str().unwrap();
    let message = message(&["html", &report, "-o", name, "--title", "nightly", "--units", "bytes"]);
    let page = page(&target);
    assert!(message.starts_with(&format!("memprof: wrote {name}, ")), "{message}");
    assert!(message.contains("20 snapshots: left out of the file to limit its size."), "{message}");
    assert_eq!(message.lines().count(), 1, "{message}");
    assert!(page.contains("<title>nightly</title>") && page.contains("\"units\":\"bytes\""));
}

#[test]
fn the_default_page_is_named_after_the_file_in_the_current_folder() {
    let folder = folder("html-name");
    let elsewhere = folder.join("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let report = file(&elsewhere, "run.one.jsonl", importer().timeline());
    let make = |more: &[&str]| {
        let mut command = command(&["html", &report]);
        command.args(more).current_dir(&folder).stdin(Stdio::null()).output().unwrap()
    };
    assert!(make(&[]).status.success());
    let first = page(folder.join("run.one.html"));
    let refused = make(&[]);
    assert_eq!(refused.status.code(), Some(2));
    let message = String::from_utf8(refused.stderr).unwrap();
    assert!(message.contains("run.one.html: already exists"), "{message}");
    assert!(make(&["--force", "--title", "again"]).status.success());
    assert_ne!(page(folder.join("run.one.html")), first);
}

#[test]
fn a_page_goes_to_standard_output_on_request_or_for_standard_input() {
    let folder = folder("html-pipe");
    let report = file(&folder, "run.json", importer().report());
    let requested = run(&["html", &report, "-o", "-"]);
    assert!(requested.out.starts_with("<!DOCTYPE html>"));
    assert!(requested.err.starts_with("memprof: wrote standard output, "), "{}", requested.err);
    let fed = feed(&["html", "-"], importer().report().as_bytes());
    assert_eq!((fed.code, fed.out), (Some(0), requested.out));
}

#[test]
fn a_page_can_be_made_from_a_profile() {
    let folder = folder("html-profile");
    for (name, content) in [("model.json", json(&model())), ("later.folded", LATER.to_owned())] {
        let profile = file(&folder, name, content);
        let target = folder.join(name).with_extension("html");
        message(&["html", &profile, "-o", target.to_str().unwrap()]);
        assert!(page(&target).contains("<title>Model</title>"), "{name}");
    }
}

#[test]
fn a_page_of_one_snapshot_is_refused() {
    let folder = folder("html-moment");
    let report = file(&folder, "run.json", importer().report());
    let target = folder.join("out.html");
    let ran = run(&["html", &format!("{report}@after_load"), "-o", target.to_str().unwrap()]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.err.contains("remove `@`"), "{}", ran.err);
    assert!(!target.exists());
}

#[test]
fn most_calls_limits_the_calls_of_a_page() {
    let folder = folder("html-calls");
    let report = file(&folder, "run.json", importer().report());
    let target = folder.join("out.html");
    let message = message(&["html", &report, "--max-calls", "1", "-o", target.to_str().unwrap()]);
    assert!(message.contains("1 call: left out of the page"), "{message}");
}

#[test]
fn two_pages_of_one_file_are_the_same() {
    let folder = folder("html-twice");
    let report = file(&folder, "run.json", importer().report());
    let make = || run(&["html", &report, "-o", "-"]).out;
    assert_eq!(make(), make());
}
