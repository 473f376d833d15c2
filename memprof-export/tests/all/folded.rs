//! Folded stacks of a session are escaped and sorted, and add up.

use crate::recordings::{
    HOSTILE, estimate, operation, operations, recording, recording_of, site, sites,
};
use expect_test::expect;
use memprof_export::{folded_operations, folded_sites};
use memprof_profile::Profile;
use serde_json::json;

#[test]
fn sites_are_lines_by_call_stack_that_add_up() {
    let folded = folded_sites(&recording(&sites())).unwrap();
    expect![[r#"
        importer;[other_sites] 501
        importer;app::main;app::cache::insert;Vec<T>::push;alloc::alloc 4096
        importer;app::main;app::parse 10
        importer;app::main;app::parse;String::push_str;alloc::alloc 1001
    "#]]
    .assert_eq(&folded);
    assert_eq!(Profile::from_folded(&folded).unwrap().total_bytes(), 5608, "5607.6, rounded once");
}

#[test]
fn each_operation_is_a_line_of_its_live_bytes() {
    expect![[r#"
        importer;load;parse 700
        importer;load;parse;read 51
        importer;serve 20
    "#]]
    .assert_eq(&folded_operations(&recording(&operations(true))).unwrap());
}

#[test]
fn sites_of_one_stack_are_one_line() {
    let summary = json!({"sites": [site(&["a"], 0, 10.5), site(&["a"], 0, 4.25)]});
    assert_eq!(folded_sites(&recording(&summary)).unwrap(), "importer;a 15\n");
}

#[test]
fn each_hostile_name_is_one_frame() {
    let summary = json!({
        "sites": HOSTILE.map(|name| site(&["leaf", name, "main"], 0, 10.0)),
        "operations": HOSTILE.map(|name| operation(&["outer", name, "inner"], 1, 0, Some(10.0))),
    });
    let recording = recording_of("a;b 7\n", 1, Some("sampled"), &summary);
    for folded in [folded_sites(&recording).unwrap(), folded_operations(&recording).unwrap()] {
        assert_eq!(folded.lines().count(), HOSTILE.len(), "{folded}");
        for line in folded.lines() {
            let (stack, bytes) = line.split_once(' ').unwrap();
            assert_eq!((stack.split(';').count(), bytes), (4, "10"), "{line}");
            assert!(!line.contains(char::is_control), "{line:?}");
        }
    }
}

#[test]
fn empty_stacks_have_no_line() {
    let empty = json!({"sites": [site(&["a"], 0, 0.0)], "other_sites": estimate(0.0)});
    assert_eq!(folded_sites(&recording(&empty)).unwrap(), "");
    assert_eq!(folded_operations(&recording(&json!({}))).unwrap(), "");
}

#[test]
fn unrecorded_data_and_overflow_are_errors() {
    let counters = recording_of("app", 1, Some("counters"), &operations(false));
    assert!(folded_sites(&counters).unwrap_err().is_unknown());
    expect!["live bytes of operations are unknown: no samples were taken; record a session with the level `sampled`, or export the allocated bytes as pprof-operations"]
        .assert_eq(&folded_operations(&counters).unwrap_err().to_string());
    let none = recording_of("app", 1, Some("counters"), &json!({}));
    assert!(folded_operations(&none).unwrap_err().is_unknown(), "nothing was sampled");
    let huge = json!({"sites": [site(&["a"], 0, 1e19), site(&["b"], 0, 1e19)]});
    assert!(folded_sites(&recording(&huge)).unwrap_err().is_too_much());
}
