//! Tests of the YAML, which has the schema of the JSON. `cargo xtask exports` compares both with
//! another parser.

use crate::Profile;
use crate::tree::{LeafKind, OpaqueReason};
use crate::views::samples::{Sample, held, model, values};
use expect_test::expect;

#[test]
fn the_keys_are_those_of_the_json() {
    let sample = Sample::new("r\u{f8}ot").leaf(LeafKind::Data, 8).counts(2, 1, 0).with([
        Sample::data("yes", 1).estimated(LeafKind::Table, 5).opaque(OpaqueReason::Locked),
        Sample::data("", 1),
    ]);
    expect![[r#"
        format: "memprof profile"
        version: 1
        total_bytes: 15
        shallow_bytes: 192
        lower_bound: true
        exact: false
        shared:
          allocations: 0
          handles: 0
          bytes: 0
          bytes_if_unshared: 15
          externally_held_bytes: 0
        branches:
        - parent: null
          name: "røot"
          bytes: 15
          counts:
            values: 2
            allocations: 1
          leaves:
          - kind: "[data]"
            bytes: 8
        - parent: 0
          name: ""
          bytes: 1
          leaves:
          - kind: "[data]"
            bytes: 1
        - parent: 0
          name: "yes"
          bytes: 6
          leaves:
          - kind: "[data]"
            bytes: 1
          - kind: "[table]"
            bytes: 5
            estimated_bytes: 5
          opaque:
          - why: "locked"
            count: 1
    "#]]
    .assert_eq(&sample.profile().to_yaml());
}

#[test]
fn names_are_quoted_and_cannot_leave_their_line() {
    let names = [
        ("null", "\"null\""),
        ("say \"hi\"\\", "\"say \\\"hi\\\"\\\\\""),
        ("two\nlines\ttab", "\"two\\u000alines\\u0009tab\""),
        ("\u{1b}[31m\u{7f}\u{85}\u{9b}", "\"\\u001b[31m\\u007f\\u0085\\u009b\""),
        ("\u{2028}\u{feff}\u{ffff}", "\"\\u2028\\ufeff\\uffff\""),
        ("\u{e0041}名前🚀", "\"\\U000e0041名前🚀\""),
        ("- a: {b}, #c", "\"- a: {b}, #c\""),
    ];
    for (name, expected) in names {
        let yaml = Sample::data(name, 1).profile().to_yaml();
        assert!(yaml.contains(&format!("\n  name: {expected}\n")), "{yaml}");
    }
}

#[test]
fn writing_into_a_file_and_into_a_string_are_the_same() {
    for profile in values() {
        let mut yaml = Vec::new();
        profile.write_yaml(&mut yaml).unwrap();
        assert_eq!(String::from_utf8(yaml).unwrap(), profile.to_yaml());
    }
}

#[test]
fn yaml_of_folded_stacks_leaves_out_unknown_data() {
    let yaml = Profile::from_folded(&model().to_folded()).unwrap().to_yaml();
    assert!(yaml.contains("\nexact: false\norigin: \"folded\"\nbranches:\n"), "{yaml}");
}

/// Fails if the JSON has a key that the YAML lacks.
#[cfg(feature = "json")]
#[test]
fn every_key_of_the_json_is_in_the_yaml() {
    fn keys(json: &serde_json::Value, found: &mut Vec<String>) {
        match json {
            serde_json::Value::Object(object) => object.iter().for_each(|(key, value)| {
                found.push(key.clone());
                keys(value, found);
            }),
            serde_json::Value::Array(list) => list.iter().for_each(|value| keys(value, found)),
            _ => {}
        }
    }
    for profile in values().into_iter().chain(held()) {
        let (mut in_json, yaml) = (Vec::new(), profile.to_yaml());
        keys(&serde_json::from_str(&profile.to_json().unwrap()).unwrap(), &mut in_json);
        let lines = yaml.lines().map(|line| line.trim_start_matches([' ', '-']));
        // Paths are keys too, and quoted.
        let keys = lines.map(|line| line.split_once(':').expect("a key on each line").0);
        let mut in_yaml: Vec<&str> = keys.map(|key| key.trim_matches('"')).collect();
        in_json.sort_unstable();
        in_yaml.sort_unstable();
        assert_eq!(in_json, in_yaml, "{yaml}");
    }
}
