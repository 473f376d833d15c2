//! Tests of the JSON: exact in both directions, with clear errors for invalid input.

use crate::tree::Device;
use crate::views::samples::{Sample, held, model, values};
use crate::walk::{Observer, Position, Storage, Tensor, Walk};
use crate::{MemoryProfile, Profile};
use expect_test::{expect, expect_file};
use std::error::Error;
use std::fmt::Write;
use std::sync::Arc;

#[test]
fn the_schema_is_the_documented_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../tests/data/json/model.json");
    expect_file![path].assert_eq(&model().to_json().unwrap());
}

#[test]
fn every_profile_is_read_back_as_it_was() {
    for profile in values() {
        let json = profile.to_json().unwrap();
        assert_eq!(Profile::from_json(&json).unwrap(), profile, "{json}");
    }
}

#[test]
fn holders_are_read_back() {
    for profile in held() {
        let json = profile.to_json().unwrap();
        assert!(json.contains("\"holders\": ["));
        assert_eq!(Profile::from_json(&json).unwrap(), profile, "{json}");
    }
    assert!(!Profile::named("x", &Arc::new(5)).to_json().unwrap().contains("holders"));
}

#[test]
fn names_in_json_are_safe_on_a_terminal() {
    let name = "\u{7f}\u{9b}31m \u{202e} \u{e0041} \u{1b}[m 名 \"";
    let json = Sample::data(name, 1).profile().to_json().unwrap();
    assert!(json.contains(r#""\u007f\u009b31m \u202e \udb40\udc41 \u001b[m 名 \"""#), "{json}");
    assert_eq!(Profile::from_json(&json).unwrap().root().name(), name);
}

#[test]
fn keys_of_later_versions_are_ignored() {
    let json = model().to_json().unwrap();
    let json = json.replacen("\"exact\"", "\"host\": {\"name\": [1, {}]}, \"exact\"", 1);
    let json = json.replace("\"bytes\"", "\"colour\": null, \"bytes\"");
    assert_eq!(Profile::from_json(&json).unwrap(), model());
}

#[test]
fn a_file_is_read_in_memprofs_layout_and_in_any_other() {
    for profile in values() {
        let json = profile.to_json().unwrap();
        let document: serde_json::Value = serde_json::from_str(&json).unwrap();
        let layouts = [
            json.clone(),
            json.replace('\n', "\r\n"),
            json.replace('\n', ""),
            json.replace("{\"parent\"", "\n\n{\"parent\""),
            json.replacen("\"parent\":0", "\"parent\":\n0", 1),
            json.replace("\n]}", "\n], \"later\": [{}]}"),
            format!("{document}"),
            format!("{document:#}"),
        ];
        for layout in layouts {
            assert_eq!(Profile::read_json(layout.as_bytes()).unwrap(), profile, "{layout}");
        }
    }
}

#[test]
fn errors_in_a_file_are_at_the_lines_where_they_are() {
    let json = Sample::data("x", 6).with([Sample::data("a", 1), Sample::data("b", 2)]);
    let json = json.profile().to_json().unwrap();
    let cases = [
        ("", ""),
        ("\"bytes\":2", "\"bytes\":-2"),
        ("\"bytes\":2}]}\n", "\"bytes\":2}]\n"),
        ("\"bytes\":2}]}\n", "\"bytes\":2}]},\n"),
        ("\"bytes\":1}]},\n", "\"bytes\":1}]}\n"),
        ("]}\n", "]} more\n"),
        ("\n]}\n", ""),
        ("\"version\": 1", "\"version\": 7"),
        ("\"shared\"", "\"shared"),
    ];
    let mut messages = String::new();
    for (from, to) in cases {
        let end = json.rfind(from).unwrap();
        let broken = format!("{}{to}{}", &json[..end], &json[end + from.len()..]);
        match Profile::read_json(broken.as_bytes()) {
            Ok(_) => messages.push_str("read\n"),
            Err(error) => writeln!(messages, "{error:?}").unwrap(),
        }
    }
    expect![[r#"
        read
        not JSON written by `Profile::to_json`; regenerate the file (invalid value: integer `-2`, expected u64 at line 6 column 71)
        not JSON written by `Profile::to_json`; regenerate the file (expected `,` or `}` at line 7 column 1)
        inconsistent profile: expected `,` between branches: line 7; the file was modified, or not written by memprof
        inconsistent profile: expected `,` between branches: line 6; the file was modified, or not written by memprof
        not JSON written by `Profile::to_json`; regenerate the file (trailing characters at line 7 column 4)
        the profile is cut off after line 7, column 0; regenerate the file
        the profile has format version 7, and this memprof reads version 1; use the memprof that wrote it, or a newer one
        not JSON written by `Profile::to_json`; regenerate the file (expected `:` at line 2 column 12)
    "#]].assert_eq(&messages);
}

fn broken(from: &str, to: &str) -> String {
    let sample = Sample::data("x", 6).with([Sample::data("a", 1), Sample::data("b", 2)]);
    let json = sample.profile().to_json().unwrap();
    assert!(json.contains(from), "{from} is not in {json}");
    json.replacen(from, to, 1)
}

#[test]
fn errors_state_what_was_expected() {
    let cases = [
        String::new(),
        "hello".into(),
        "[1, 2]".into(),
        "{\"traceEvents\": []}".into(),
        "{\"format\": 7, \"version\": \"1.0\"}".into(),
        broken("\"version\": 1", "\"version\": 2"),
        broken("\"version\": 1", "\"version\": -1"),
        broken("\"bytes\":9", "\"bytes\":8"),
        broken("\"bytes\":1}", "\"bytes\":18446744073709551615}"),
        broken("\"bytes\":1}", "\"bytes\":-1}"),
        broken("\"bytes\":1}", "\"bytes\":1.5}"),
        broken("\"total_bytes\": 9", "\"total_bytes\": 10"),
        broken("\"exact\": true", "\"exact\": false"),
        broken("[data]", "[date]"),
        broken("\"[data]\"", "\"[data]\",\"role\":\"date\""),
        broken("\"[data]\"", "\"[data]\",\"device\":\"cuda\""),
        broken("\"name\":\"a\"", "\"name\":\"b\""),
        broken("\"parent\":0", "\"parent\":1"),
        broken("\"parent\":0", "\"parent\":null"),
        broken("\"parent\":null", "\"parent\":0"),
        broken("\"bytes\":1}", "\"bytes\":1,\"estimated_bytes\":2}"),
        broken("\"leaves\"", "\"opaque\":[{\"why\":\"shy\",\"count\":1}],\"leaves\""),
        broken("\"leaves\"", "\"counts\":{\"handles\":18446744073709551615},\"leaves\""),
        broken("\"leaves\"", "\"leafs\""),
        "{\"format\": \"memprof diff\", \"version\": 1}".into(),
        format!("{{\"format\": \"{}\"}}", "long ".repeat(1000)),
        broken("\"exact\"", "\"total_bytes\": 8, \"exact\""),
        broken("\"exact\": true", "\"exact\": true, \"exact\": true"),
        broken("\n]}\n", "], \"branches\": []}"),
        broken("\n]}\n", "], \"version\": 1}"),
        broken("\"exact\"", "\"origin\": \"guesses\", \"exact\""),
    ];
    let mut messages = String::new();
    for case in &cases {
        writeln!(messages, "{}", Profile::from_json(case).unwrap_err()).unwrap();
    }
    expect![[r#"
        the profile is cut off after line 1, column 0; regenerate the file
        not JSON written by `Profile::to_json`; regenerate the file
        not a memprof profile: expected `"format": "memprof profile"` and a version; write the file with `Profile::to_json`
        not a memprof profile: expected `"format": "memprof profile"` and a version; write the file with `Profile::to_json`
        not a memprof profile: expected `"format": "memprof profile"` and a version; write the file with `Profile::to_json`
        the profile has format version 2, and this memprof reads version 1; use the memprof that wrote it, or a newer one
        not a memprof profile: expected `"format": "memprof profile"` and a version; write the file with `Profile::to_json`
        inconsistent profile: branch 0 ("x") expected a total of 8 bytes, found 9; the file was modified, or not written by memprof
        inconsistent profile: branch 1 ("a") expected a total of 1 bytes, found more than 2^64; the file was modified, or not written by memprof
        not JSON written by `Profile::to_json`; regenerate the file
        not JSON written by `Profile::to_json`; regenerate the file
        inconsistent profile: expected a total of 10 bytes, found 9; the file was modified, or not written by memprof
        inconsistent profile: `exact` contradicts the leaves and opaque values; the file was modified, or not written by memprof
        inconsistent profile: branch 0 ("x") has a leaf of unknown kind: expected one of `[inline]`, `[data]`, `[spare]`, `[table]`, `[nodes]`, `[counts]`, `[padding]`, `[skipped]`, `[opaque]`, found "[date]"; the file was modified, or not written by memprof
        inconsistent profile: branch 0 ("x") has a leaf of unknown role: expected one of `data`, `metadata`, `auxiliary`, found "date"; the file was modified, or not written by memprof
        inconsistent profile: branch 0 ("x") has a leaf on an unknown device: expected one of `cpu`, `cuda:<number>`, `metal:<number>`, `nvml:<number>`, `mmap`, found "cuda"; the file was modified, or not written by memprof
        inconsistent profile: branch 2 ("b") expected a name that sorts after "b"; the file was modified, or not written by memprof
        inconsistent profile: branch 1 ("a") has a wrong parent: expected the branch before it or one of its ancestors; the file was modified, or not written by memprof
        inconsistent profile: branch 1 ("a") has a wrong parent: expected the branch before it or one of its ancestors; the file was modified, or not written by memprof
        inconsistent profile: branch 0 ("x") has a wrong parent: expected the branch before it or one of its ancestors; the file was modified, or not written by memprof
        inconsistent profile: branch 1 ("a") has 2 estimated bytes in a [data] leaf of 1 bytes; the file was modified, or not written by memprof
        inconsistent profile: branch 0 ("x") is opaque for an unknown reason: expected one of `locked`, `borrowed`, `foreign`, `followed`, `skipped`, `stopped`, `bad index`, `measured`, `not measured`, found "shy"; the file was modified, or not written by memprof
        inconsistent profile: expected counts that add up to less than 2^64; the file was modified, or not written by memprof
        inconsistent profile: branch 0 ("x") expected a total of 9 bytes, found 3; the file was modified, or not written by memprof
        not a memprof profile: expected `"format": "memprof profile"` and a version, found the format "memprof diff"; write the file with `Profile::to_json`
        not a memprof profile: expected `"format": "memprof profile"` and a version, found the format "long long long long …ong long long long "; write the file with `Profile::to_json`
        inconsistent profile: expected the key "total_bytes" once; the file was modified, or not written by memprof
        inconsistent profile: expected the key "exact" once; the file was modified, or not written by memprof
        inconsistent profile: expected the key "branches" once; the file was modified, or not written by memprof
        inconsistent profile: expected the key "version" once; the file was modified, or not written by memprof
        inconsistent profile: unknown origin: expected one of `values`, `counters`, `folded`, found "guesses"; the file was modified, or not written by memprof
    "#]].assert_eq(&messages);
}

#[test]
fn errors_have_predicates_for_their_kind() {
    let read = |json: &str| Profile::from_json(json).unwrap_err();
    assert!(read("[]").is_foreign());
    assert!(read(&broken("\"version\": 1", "\"version\": 9")).is_newer_version());
    assert!(read(&broken("]}\n", "")).is_truncated());
    assert!(read("{nonsense").source().is_some());
}

#[test]
fn no_prefix_of_a_profile_is_accepted() {
    let json = broken("", "");
    for end in 0..json.trim_end().len() {
        let error = Profile::from_json(&json[..end]).unwrap_err();
        assert!(error.is_truncated(), "{end}: {error}");
        let error = Profile::read_json(&json.as_bytes()[..end]).unwrap_err();
        assert!(error.is_truncated(), "{end}: {error}");
    }
}

fn nested(depth: usize) -> String {
    let mut json = String::from(
        "{\"format\":\"memprof profile\",\"version\":1,\"total_bytes\":1,\"exact\":true,\"shared\":\
         {\"allocations\":0,\"handles\":0,\"bytes\":0,\"bytes_if_unshared\":1,\"externally_held_bytes\":0},\
         \"branches\":[",
    );
    for index in 0..depth {
        let parent = index.checked_sub(1).map_or("null".into(), |parent| format!("{parent},"));
        let separator = if index == 0 { "" } else { "," };
        let parent = parent.trim_end_matches(',');
        write!(json, "{separator}{{\"parent\":{parent},\"name\":\"n\",\"bytes\":1").unwrap();
        json.push_str(if index + 1 == depth {
            ",\"leaves\":[{\"kind\":\"[data]\",\"bytes\":1}]}"
        } else {
            "}"
        });
    }
    json + "]}"
}

#[test]
fn deep_profiles_round_trip_and_all_views_draw_them() {
    let profile = Profile::from_json(&nested(1024)).unwrap();
    assert_eq!(Profile::from_json(&profile.to_json().unwrap()).unwrap(), profile);
    assert_eq!(profile.to_string().lines().count(), 1025);
    assert_eq!(profile.leaves().count(), 1);
    assert_eq!(profile.top(1).paths()[0].path().frames().len(), 1024);
    #[cfg(feature = "flamegraph")]
    profile.to_flamegraph().unwrap();
}

#[test]
fn unbounded_nesting_is_an_error_and_no_overflow() {
    for depth in [1025, 200_000] {
        let error = Profile::from_json(&nested(depth)).unwrap_err();
        assert!(error.to_string().contains("more than 1024 levels"), "{error}");
    }
    assert!(Profile::from_json(&"[".repeat(1_000_000)).is_err());
    assert!(Profile::from_json(&"{\"format\":".repeat(1_000_000)).is_err());
}

#[test]
fn the_profile_in_the_documentation_is_a_real_one() {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/format.md");
    let page = std::fs::read_to_string(path).unwrap();
    let block = |language: &str| {
        let (_, block) = page.split_once(&format!("```{language}\n")).unwrap();
        block.split_once("```").unwrap().0
    };
    let unit = Arc::new(String::from("kWh"));
    let rows: [_; 4] = core::array::from_fn(|index| (unit.clone(), index as u32));
    drop(unit);
    let profile = Profile::named("rows", &Vec::from(rows));
    assert_eq!(profile.to_json().unwrap(), block("json"));
    assert_eq!(profile.to_folded(), block("text"));
}

struct Weights(Vec<String>);

impl MemoryProfile for Weights {
    fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
        let storage = Storage { address: 0x7f00, bytes: 64, handles: Some(1) };
        walk.tensor(at, &Tensor::new(Device::Cpu, "f32", &[16], 64).storage(storage));
        self.0.owned(walk, at);
    }
}

/// An observer that stops the walk at its first call.
struct Impatient;

impl Observer for Impatient {
    fn stops(&mut self) -> bool {
        true
    }
}

#[test]
fn files_keep_unvisited_values_and_no_addresses() {
    let weights = Weights(vec![String::from("text"); 2000]);
    let profile = Profile::observed("weights", &weights, &mut Impatient);
    assert!(profile.to_string().contains("stopped"), "{profile}");
    assert_eq!(profile.tensors().largest()[0].address(), Some(0x7f00));
    let json = profile.to_json().expect("a profile can be written");
    assert!(json.contains(r#""why":"stopped""#), "{json}");
    let read = Profile::from_json(&json).expect("what was written can be read");
    assert_eq!(read, profile);
    assert_eq!(read.tensors().largest()[0].address(), None);
}
