//! Tests of the flame graph: of the input of inferno, and of the graph that inferno draws.

use crate::Profile;
use crate::views::flamegraph::Frames;
use crate::views::samples::{model, values};
use expect_test::expect;

#[test]
fn frames_are_labelled_with_their_size_and_go_widest_first() {
    let profile = model();
    let lines = Frames::of(profile.plain().root()).lines.join("\n").replace('\u{a0}', "_");
    expect![[r#"
        Model_185.8_MiB;matrix_112.0_MiB;values_64.0_MiB 67108864
        Model_185.8_MiB;matrix_112.0_MiB;col_idx_32.0_MiB 33554432
        Model_185.8_MiB;matrix_112.0_MiB;row_ptr_16.0_MiB 16777216
        Model_185.8_MiB;matrix_112.0_MiB;[inline]_72_B 72
        Model_185.8_MiB;variables_73.8_MiB;name_38.0_MiB 39845888
        Model_185.8_MiB;variables_73.8_MiB;lower_7.6_MiB 8000000
        Model_185.8_MiB;variables_73.8_MiB;upper_7.6_MiB 8000000
        Model_185.8_MiB;variables_73.8_MiB;fixed_976.6_KiB 1000000
        Model_185.8_MiB;variables_73.8_MiB;kind_976.6_KiB 1000000
        Model_185.8_MiB;variables_73.8_MiB;[spare]_9.0_MiB 9437184
        Model_185.8_MiB;variables_73.8_MiB;[keys]_7.6_MiB 8000000
        Model_185.8_MiB;variables_73.8_MiB;[nodes]_2.0_MiB 2097152
        Model_185.8_MiB;…2_more_136_B 136
        Model_185.8_MiB;[padding]_8_B 8"#]]
    .assert_eq(&lines);
}

#[test]
fn every_profile_can_be_drawn_even_an_empty_one() {
    for profile in values() {
        let svg = profile.to_flamegraph().unwrap();
        assert!(svg.starts_with("<?xml") && svg.trim_end().ends_with("</svg>"), "{svg}");
    }
    let svg = Profile::named("no<thing>", &()).to_flamegraph().unwrap();
    assert!(svg.contains("no&lt;thing&gt; has no bytes"), "{svg}");
}

#[test]
fn a_flame_graph_is_reproducible_and_self_contained() {
    let svg = model().to_flamegraph().unwrap();
    assert_eq!(svg, model().to_flamegraph().unwrap());
    // The only addresses in the file are the one of the licence, in comments, and the ones of
    // XML namespaces.
    for loader in
        ["href=\"http", " src=", "@import", "import(", "fetch(", "XMLHttpRequest", "url(h"]
    {
        assert!(!svg.contains(loader), "{loader}");
    }
}

/// Returns the titles of the frames of a differential flame graph.
fn titles(before: &str, after: &str) -> Vec<String> {
    let [before, after] = [before, after].map(|text| Profile::from_folded(text).unwrap());
    let svg = after.to_flamegraph_since(&before, ["old", "new"]).unwrap();
    let titles = svg.split("<title>").skip(1).filter_map(|rest| rest.split_once("</title>"));
    titles.map(|(title, _)| title.replace('\u{a0}', " ")).collect()
}

#[test]
fn a_differential_flame_graph_has_the_change_of_each_frame() {
    let before = "app;cache 3000\napp;scratch;buffer 500\napp;same 100\napp 7\n";
    let after = "tool;cache 9000\ntool;new 2000\ntool;same 100\ntool 6\n";
    let titles = titles(before, after).join("\n");
    for title in [
        "tool (11,106 bytes, 100.00%; -0.01%)",
        "cache (9,000 bytes, 81.04%; +54.02%)",
        "new (2,000 bytes, 18.01%; +18.01%)",
        "same (100 bytes, 0.90%; 0.00%)",
    ] {
        assert!(titles.contains(title), "{titles}");
    }
    assert!(!titles.contains("buffer"), "a path that is gone has no frame: {titles}");
}

#[test]
fn a_differential_flame_graph_of_any_profiles_can_be_drawn() {
    let all = values();
    for (before, after) in all.iter().zip(all.iter().skip(1).chain(&all)) {
        let names = ["a<b>&\"", "\u{202e}\u{1b}"];
        let svg = after.to_flamegraph_since(before, names).unwrap();
        assert!(svg.starts_with("<?xml") && svg.trim_end().ends_with("</svg>"), "{svg}");
        assert!(!svg.contains("a<b>") && !svg.contains('\u{1b}'), "{svg}");
    }
}
