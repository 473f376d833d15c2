//! Data that pprof files leave out: unrecorded data, amounts that do not fit, and terminal control
//! characters.

use crate::decoded::Decoded;
use crate::recordings::{HOSTILE, estimate, operation, place, recording, recording_of, site};
use expect_test::expect;
use memprof_export::{Moment, Pprof};
use memprof_profile::Profile;
use memprof_profile::tree::Device;
use serde_json::json;

fn of_profile(profile: &Profile) -> Decoded {
    Decoded::of(&Pprof::of_profile(profile, None).unwrap())
}

#[test]
fn unrecorded_data_are_an_error_with_the_reason() {
    let none = json!({});
    let cases = [
        Pprof::of_sites(&recording_of("app", 1, None, &none)),
        Pprof::of_sites(&recording_of("app", 1, Some("counters"), &none)),
        Pprof::of_operations(&recording_of("app", 1, None, &none)),
    ];
    let messages = cases.map(|case| {
        let error = case.expect_err("nothing is known");
        assert!(error.is_unknown() && !error.is_too_much());
        error.to_string()
    });
    expect![[r#"
        sites are unknown: the heap was not counted; record a session with memprof's allocator and the level `sampled`
        sites are unknown: no samples were taken; record a session with memprof's allocator and the level `sampled`
        operations are unknown: operations were not counted; record a program that uses memprof's allocator"#]]
    .assert_eq(&messages.join("\n"));
}

#[test]
fn an_empty_profile_has_no_samples() {
    let recording = recording(&json!({}));
    for pprof in [Pprof::of_sites(&recording), Pprof::of_operations(&recording)] {
        assert!(Decoded::of(&pprof.unwrap()).samples.is_empty());
    }
    let empty = Profile::from_folded("app 0\n").unwrap();
    assert!(of_profile(&empty).samples.is_empty());
}

#[test]
fn bytes_over_the_limit_of_pprof_are_an_error() {
    let most = i64::MAX.cast_unsigned();
    let profile = Profile::from_folded(&format!("app;a {}\napp;b 1\n", most - 1)).unwrap();
    assert_eq!(of_profile(&profile).total("inuse_space"), i64::MAX);
    for folded in [format!("app;a {most}\napp;b 1\n"), format!("app;a {}\n", u64::MAX)] {
        let profile = Profile::from_folded(&folded).unwrap();
        let error = Pprof::of_profile(&profile, None).expect_err("it does not fit");
        assert!(error.is_too_much(), "{error}");
    }
    let huge = json!({"sites": [site(&["a"], 0, 1e300)], "other_sites": estimate(1.0)});
    let error = Pprof::of_sites(&recording(&huge)).expect_err("it does not fit");
    expect!["the total of alloc_space is 18446744073709551615, but the format allows at most 9223372036854775807; export a part with `--root`, or export folded stacks"]
        .assert_eq(&error.to_string());
}

#[test]
fn a_tree_of_a_thousand_levels_is_a_stack_of_a_thousand_frames() {
    let names: Vec<String> = (0..1000).map(|level| format!("level{level}")).collect();
    let profile = Profile::from_folded(&format!("{} 7\n", names.join(";"))).unwrap();
    let decoded = of_profile(&profile);
    assert_eq!(decoded.samples.len(), 1);
    assert_eq!(decoded.samples[0].0, names);
}

#[test]
fn names_contain_no_control_characters() {
    let summary = json!({
        "sites": HOSTILE.map(|name| {
            let mut site = site(&[name], 0, 10.0);
            site["stack"] = json!([place(name, name, 1)]);
            site
        }),
        "operations": HOSTILE.map(|name| operation(&[name], 10, 0, Some(1.0))),
    });
    let recording = recording_of(HOSTILE[6], 1, Some("sampled"), &summary);
    let tree = HOSTILE.map(|name| ([name], Device::Cpu, 10));
    let moment = Moment::of(&recording.metadata, &recording.snapshots[0]);
    let tree = Profile::of_counters(HOSTILE[5], tree);
    let all = [
        Pprof::of_profile(&tree, Some(&moment)),
        Pprof::of_sites(&recording),
        Pprof::of_operations(&recording),
    ];
    for pprof in all {
        let decoded = Decoded::of(&pprof.unwrap());
        assert!(decoded.samples.len() == HOSTILE.len(), "{decoded:?}");
        let texts = decoded.names.iter().chain(&decoded.comments).chain([&decoded.program]);
        for text in texts {
            let hostile =
                |char: char| char.is_control() || "\u{202e}\u{2028}\u{ffff}".contains(char);
            assert!(!text.contains(hostile), "{text:?}");
        }
        assert!(decoded.names.contains(&"Vec<Tensor>".to_owned()), "{:?}", decoded.names);
    }
}
