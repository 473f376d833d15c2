//! Tests of reading folded stacks: stacks of other tools, and invalid stacks.

use crate::Profile;
use crate::report::Statistics;
use crate::tree::{LeafKind, Origin};
use crate::views::samples::{model, values};
use expect_test::expect;
use std::fmt::Write;

#[test]
fn folded_stacks_round_trip() {
    for profile in values() {
        let (plain, detailed) = (profile.to_folded(), profile.to_folded_detailed());
        if plain.is_empty() {
            continue;
        }
        let read = Profile::from_folded(&plain).unwrap();
        assert_eq!(read.to_folded(), plain);
        assert_eq!(read.total_bytes(), profile.total_bytes());
        let read = Profile::from_folded(&detailed).unwrap();
        let again = read.to_folded_detailed();
        assert_eq!(Profile::from_folded(&again).unwrap(), read);
        // Leaves of one kind on several devices become lines of one path, which add up.
        if profile.devices().len() <= 1 {
            assert_eq!(again, detailed);
        }
        assert_eq!(read.to_folded(), plain, "merged as in the profile itself");
    }
}

#[test]
fn writing_into_a_file_and_into_a_string_are_the_same() {
    for profile in values() {
        let (mut plain, mut detailed) = (Vec::new(), Vec::new());
        profile.write_folded(&mut plain).unwrap();
        profile.write_folded_detailed(&mut detailed).unwrap();
        assert_eq!(String::from_utf8(plain).unwrap(), profile.to_folded());
        assert_eq!(String::from_utf8(detailed).unwrap(), profile.to_folded_detailed());
    }
}

#[test]
fn lines_may_be_unsorted_and_have_additions_of_other_tools() {
    let cases = [
        ("one line", "a 1", "a 1\n"),
        ("no line at the end", "a;b 1\na 2", "a 2\na;b 1\n"),
        ("paths twice", "a;b 1\na;c 5\na;b 2\n", "a;b 3\na;c 5\n"),
        ("a parent after its child", "a;b;c 1\na 1\na;b 1\n", "a 1\na;b 1\na;b;c 1\n"),
        ("names that begin alike", "a;bc 1\na;b;z 1\na;b! 1\n", "a;b;z 1\na;b! 1\na;bc 1\n"),
        ("line ends of Windows", "\u{feff}a;b 1\r\na;c 2\r\n", "a;b 1\na;c 2\n"),
        ("comments and blank lines", "# two stacks\n\n#\na 1\n   \na;b 2\n", "a 1\na;b 2\n"),
        ("a name that begins as a comment", "#define;b 2\n", "#define;b 2\n"),
        ("spaces in names", "a;operator new 7\n", "a;operator_new 7\n"),
        ("two counts, of which the last counts", "a;b 10 20\n", "a;b_10 20\n"),
        ("tabs", "a;b\t3\n", "a;b 3\n"),
        ("several roots", "b;x 1\na;x 2\n", "all;a;x 2\nall;b;x 1\n"),
        ("nothing between", "a;;b 1\n", "a;\"\";b 1\n"),
        ("no bytes", "a;b 0\na;c 1\n", "a;c 1\n"),
        ("the most bytes", "a;b 18446744073709551615\n", "a;b 18446744073709551615\n"),
    ];
    for (case, folded, expected) in cases {
        assert_eq!(Profile::from_folded(folded).unwrap().to_folded(), expected, "{case}");
    }
}

#[test]
fn last_frames_that_are_kinds_are_leaves() {
    let folded = "a;b;[spare] 3\na;b 4\na;b;[data] 1\na;[keys];[inline] 2\na;[inline];b 5\n";
    let profile = Profile::from_folded(folded).unwrap();
    let b = profile.root().child("b").unwrap();
    let leaves: Vec<_> = b.leaves().iter().map(|leaf| (leaf.kind(), leaf.bytes())).collect();
    assert_eq!(leaves, [(LeafKind::Data, 5), (LeafKind::Spare, 3)]);
    assert_eq!(profile.to_folded(), "a 2\na;[inline];b 5\na;b 8\n");
}

#[test]
fn a_profile_of_folded_stacks_claims_no_exactness() {
    let profile = Profile::from_folded(&model().to_folded()).unwrap();
    assert_eq!(profile.origin(), Origin::Folded);
    assert!(!profile.is_exact());
    expect![[r#"
        a          24 B  100.0 %
        ├─ b       16 B   66.7 %   8 B spare
        └─ [data]   8 B   33.3 %
        from folded stacks, which do not record exactness · 8 B spare (33.3 %)"#]]
    .assert_eq(&Profile::from_folded("a;b;[spare] 8\na;b 8\na 8").unwrap().to_string());
}

#[test]
fn small_branches_of_folded_stacks_are_left_out_too() {
    let small = (0..20).map(|index| format!("root;small_{index} 1\n"));
    let text: String = small.chain([String::from("root;large 10000\n")]).collect();
    let tree = Profile::from_folded(&text).unwrap().tree().min_share(1.1).to_string();
    assert!(tree.contains("…20 more"), "{tree}");
}

#[test]
fn data_missing_from_folded_stacks_is_unknown_and_not_zero() {
    let folded = "a;[keys];b;[inline] 5000\na;[spare] 9000\na;c;[data] 1\na;c;[opaque] 0\n";
    let profile = Profile::from_folded(folded).unwrap();
    for branch in profile.root().subtree() {
        let statistics = Statistics::of(branch);
        assert_eq!(statistics.total(), branch.total_bytes());
        assert_eq!(statistics.unknown, branch.total_bytes());
        assert_eq!(Statistics::right_at(branch).unknown, branch.own_bytes());
        assert!(!branch.is_exact());
        assert_eq!(branch.devices(), []);
    }
    let statistics = profile.statistics();
    assert_eq!((statistics.data, statistics.metadata, statistics.auxiliary), (0, 0, 0));
    assert_eq!(statistics.spare, 9000, "a frame spells it");
    let ratios =
        [statistics.overhead_ratio(), statistics.metadata_share(), statistics.auxiliary_ratio()];
    assert_eq!(ratios, [None; 3]);
    assert_eq!(statistics.total_without_auxiliary(), 14_001);
    let mut twice = statistics;
    twice += statistics;
    assert_eq!(twice.unknown, 28_002);
    assert_eq!(profile.devices(), []);
    let sharing = profile.sharing();
    assert_eq!(
        (sharing.origin, sharing.bytes, sharing.retained_bytes),
        (Origin::Folded, 14_001, 0)
    );
    assert_eq!(sharing.to_string(), "13.7 KiB as is; folded stacks do not record sharing");
}

#[test]
fn a_report_on_folded_stacks_states_unknown_data() {
    let profile = Profile::from_folded("a;b 9000\na;c;[spare] 8000\na;c 8000\n").unwrap();
    let report = profile.report().detailed();
    expect![[r#"
        a: 24.4 KiB
          unknown    24.4 KiB  100.0 %  folded stacks do not record roles, 7.8 KiB spare in total
          component     total  data  metadata  auxiliary    spare
          c          15.6 KiB     ?         ?          ?  7.8 KiB
          b           8.8 KiB     ?         ?          ?        ?
          info       spare at a;c: 7.8 KiB of 15.6 KiB is unused capacity (50.0 %)
        from folded stacks, which do not record exactness · 7.8 KiB spare (32.0 %)
    "#]]
    .assert_eq(&format!("{report}\n"));
    expect![[r#"
        ### `a`: 24.4 KiB

        | | bytes | share | |
        |---|---:|---:|---|
        | unknown | 24.4 KiB | 100.0 % | folded stacks do not record roles, 7.8 KiB spare in total |


        | component | total | data | metadata | auxiliary | spare |
        |---|---:|---:|---:|---:|---:|
        | `c` | 15.6 KiB | ? | ? | ? | 7.8 KiB |
        | `b` | 8.8 KiB | ? | ? | ? | ? |

        - **info** spare at `a;c`: 7.8 KiB of 15.6 KiB is unused capacity (50.0 %)

        from folded stacks, which do not record exactness · 7.8 KiB spare (32.0 %)
    "#]]
    .assert_eq(&report.to_markdown());
    let roles = ["metadata", "auxiliary", "share equal", "shared", "externally held"];
    let plain = Profile::from_folded(&"a;[inline] 900\na;[data] 1\n".repeat(3)).unwrap();
    assert!(plain.advice().iter().all(|found| !roles.contains(&found.rule())));
}

#[cfg(feature = "json")]
#[test]
fn json_of_folded_stacks_adds_no_unknown_data() {
    let profile = Profile::from_folded("a;b 8\n").unwrap();
    let json = profile.to_json().unwrap();
    let shared = "{\"allocations\":1,\"handles\":9,\"bytes\":8,\"bytes_if_unshared\":9,\
                  \"externally_held_bytes\":8},\n";
    let more = json.replace("\"branches\"", &format!("\"shared\": {shared}\"branches\""));
    assert_eq!(Profile::from_json(&more).unwrap(), profile);
}

#[cfg(feature = "json")]
#[test]
fn json_has_the_origin_of_folded_stacks() {
    let profile = Profile::from_folded("a;b 8\na;b;[opaque] 0\n").unwrap();
    let json = profile.to_json().unwrap();
    expect![[r#"
        {"format": "memprof profile", "version": 1, "total_bytes": 8, "exact": false,
        "origin": "folded",
        "branches": [
        {"parent":null,"name":"a","bytes":8},
        {"parent":0,"name":"b","bytes":8,"leaves":[{"kind":"[data]","bytes":8},{"kind":"[opaque]","bytes":0}]}
        ]}
    "#]]
    .assert_eq(&json);
    assert_eq!(Profile::from_json(&json).unwrap(), profile);
}

#[test]
fn invalid_stacks_are_rejected_with_their_line() {
    let deep = |frames: usize| format!("a 1\n{}a 1\n", "a;".repeat(frames - 1));
    assert!(Profile::from_folded(&deep(1024)).is_ok());
    let long = format!("{} x", "long;".repeat(1000));
    let cases = [
        "",
        "\n# only a comment\n",
        "a;b\n",
        "a;b 1\na;c -1\n",
        "a;b 1.5\n",
        "a;b +1\n",
        "a;b 0x10\n",
        "a;b 18446744073709551616\n",
        "a 18446744073709551615\nb 1\n",
        " 12\n",
        "{\"format\": \"memprof profile\",",
        "a;\u{1b}[31mred\u{202e}\n",
        &deep(1025),
        &deep(10_000),
        &format!("b 1\n{}", deep(1024)),
        &long,
    ];
    let mut messages = String::new();
    for case in cases {
        writeln!(messages, "{}", Profile::from_folded(case).unwrap_err()).unwrap();
    }
    writeln!(messages, "{}", Profile::read_folded(&b"a 1\nb\xff 2\n"[..]).unwrap_err()).unwrap();
    expect![[r#"
        the file has no folded stacks; expected lines such as `main;load 100`
        the file has no folded stacks; expected lines such as `main;load 100`
        line 1 is not a folded stack: expected frames joined by `;`, a space and an integer, found "a;b"
        line 2 is not a folded stack: expected an integer after the last space, found "a;c -1"
        line 1 is not a folded stack: expected an integer after the last space, found "a;b 1.5"
        line 1 is not a folded stack: expected an integer after the last space, found "a;b +1"
        line 1 is not a folded stack: expected an integer after the last space, found "a;b 0x10"
        line 1 is not a folded stack: expected a number below 2^64 after the last space, found "a;b 18446744073709551616"
        line 2 is not a folded stack: expected numbers that add up to less than 2^64
        line 1 is not a folded stack: expected a frame before the number, found " 12"
        line 1 is not a folded stack: expected an integer after the last space, found "{\"format\": \"memprof profile\","
        line 1 is not a folded stack: expected frames joined by `;`, a space and an integer, found "a;\u{1b}[31mred\u{202e}"
        line 2 has more than 1024 frames; truncate the stacks, or collapse recursion
        line 2 has more than 1024 frames; truncate the stacks, or collapse recursion
        line 3 has more than 1024 frames; truncate the stacks, or collapse recursion
        line 1 is not a folded stack: expected an integer after the last space, found "long;long;long;long;…g;long;long;long; x"
        line 2 is not UTF-8 (byte 0xff); convert the file to UTF-8
    "#]].assert_eq(&messages);
}
