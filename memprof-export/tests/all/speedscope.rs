//! Files for speedscope.

use crate::timelines::{SNAPSHOT, WRONG, hostile, timeline};
use expect_test::expect_file;
use memprof_export::{ExportError, speedscope};
use memprof_profile::Profile;
use memprof_recording::Recording;
use serde_json::Value;

fn written(recording: &Recording, snapshot: &str) -> Result<String, ExportError> {
    let mut json = Vec::new();
    speedscope::write(recording, recording.snapshot(snapshot), &mut json)?;
    Ok(String::from_utf8(json).expect("JSON is text"))
}

fn numbers(value: &Value) -> impl Iterator<Item = u64> {
    value.as_array().into_iter().flatten().filter_map(Value::as_u64)
}

#[test]
fn a_session_has_trees_stacks_and_rows_of_calls() {
    let json = written(&hostile(), "end").expect("it has all of them");
    expect_file!["../golden/speedscope.json"].assert_eq(&json);
}

#[test]
fn the_end_of_a_tree_is_its_sum_of_weights() {
    let recording = hostile();
    for snapshot in &recording.snapshots {
        let json = written(&recording, &snapshot.number.to_string()).expect("it has roots");
        let json: Value = serde_json::from_str(&json).expect("it is JSON");
        let profiles = json["profiles"].as_array().expect("there are profiles");
        let roots = snapshot.roots.iter().filter_map(|root| root.total_bytes);
        for (profile, bytes) in profiles.iter().zip(roots) {
            assert_eq!(profile["endValue"], bytes);
            assert_eq!(numbers(&profile["weights"]).sum::<u64>(), bytes);
            let samples = profile["samples"].as_array().expect("they are a list");
            assert_eq!(samples.len(), numbers(&profile["weights"]).count());
            let frames = json["shared"]["frames"].as_array().expect("they are a list").len() as u64;
            assert!(samples.iter().flat_map(numbers).all(|frame| frame < frames));
        }
    }
}

#[test]
fn a_profile_is_one_tree() {
    let profile = Profile::from_folded("a;b;c 5\na;b 7\na;d 9\n").expect("it is folded");
    let mut json = Vec::new();
    speedscope::write_profile(&profile, &mut json).expect("it can be written");
    let json: Value = serde_json::from_slice(&json).expect("it is JSON");
    let profiles = json["profiles"].as_array().expect("there are profiles");
    assert_eq!(profiles.len(), 1);
    assert_eq!(profiles[0]["samples"].to_string(), "[[0,1],[0,1,2],[0,3]]");
    assert_eq!(profiles[0]["weights"].to_string(), "[7,5,9]");
    let frames = json["shared"]["frames"].to_string();
    assert_eq!(frames, r#"[{"name":"a"},{"name":"b"},{"name":"c"},{"name":"d"}]"#);
}

#[test]
fn the_error_of_an_empty_session_names_the_expected_data() {
    for recording in [timeline(&[]), timeline(&[SNAPSHOT])] {
        let error = written(&recording, "end").expect_err("there is nothing to show");
        assert!(error.is_unknown(), "{error}");
        assert!(error.to_string().contains("register a value with the session"));
    }
    let error = written(&timeline(&[WRONG]), "end").expect_err("it is not a profile");
    assert!(error.is_foreign(), "{error}");
    assert!(error.to_string().starts_with("cannot read the profile of \"pool\" in snapshot 4; "));
}

#[test]
fn a_session_of_calls_has_rows() {
    let events = r#"{"operation_events":[[1,1,2,9,5,0,5,null]]}"#;
    let json = written(&timeline(&[events]), "end").expect("it has a call");
    assert!(json.contains("unknown operation 1"), "{json}");
}
