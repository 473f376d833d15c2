//! Tests of the lookup by path, and of the messages for paths that do not exist.

use crate::Profile;
use crate::tree::KEYS;
use crate::views::samples::{Sample, model, values};
use expect_test::expect;
use std::fmt::Write;
use std::sync::Arc;

#[test]
fn every_folded_path_is_found_and_the_root_has_all() {
    for profile in values() {
        assert_eq!(profile.bytes_at(""), Some(profile.total_bytes()));
        for line in profile.to_folded().lines() {
            let (path, bytes) = line.rsplit_once(' ').unwrap();
            let (_, path) = path.split_once(';').unwrap_or((path, ""));
            let bytes = bytes.parse().unwrap();
            assert!(profile.bytes_at(path).is_some_and(|found| found >= bytes), "{line}");
        }
    }
}

#[test]
fn a_path_includes_shared_bytes_below_it() {
    assert_eq!(model().bytes_at("matrix"), Some((112 << 20) + 72));
    assert_eq!(model().bytes_at("matrix;values"), Some(64 << 20));
    let unit = Arc::new(vec![0_u8; 100]);
    let shared = vec![unit.clone(), unit.clone(), unit];
    let profile = Profile::named("x", &[(shared, 1_u8)]);
    assert_eq!(profile.bytes_at("0"), Some(24 + 3 * 8 + 16 + 24 + 100));
}

#[test]
fn names_are_found_raw_and_as_frames() {
    let names = ["bus 12", "a;b", "", "\n", "#"];
    let sample = Sample::new("x").with(names.map(|name| Sample::data(name, 1 + name.len())));
    let profile = sample.profile();
    assert_eq!(profile.bytes_at("bus 12"), Some(7));
    assert_eq!(profile.bytes_at("bus_12"), Some(7));
    assert_eq!(profile.bytes_at("a:b"), Some(4));
    assert_eq!(profile.bytes_at("\"\""), Some(1));
    assert_eq!(profile.bytes_at("\\n"), Some(2));
    assert_eq!(profile.bytes_at("#"), Some(2));
    assert_eq!(profile.bytes_at("\\u{23}"), Some(2));
}

#[test]
fn a_missing_path_has_the_closest_paths() {
    let keys = Sample::new(KEYS).with([Sample::data("country", 3)]);
    let map = Sample::data("map\u{1b}", 1).with([keys]);
    let many = Sample::new("many").with((0..1000).map(|at| Sample::data(&format!("e{at}"), at)));
    let profiles = [model(), Sample::new("x").with([map, many]).profile()];
    let paths = [
        "matrix;vales",
        "Matrix",
        "matrix;values;0",
        "values",
        "Model;matrix",
        "nothing;like;it",
        "row_ptr;x",
        "matrix.values",
        "Model::matrix::values",
        "matrix / values",
        "Model > matrix",
        "matrix.vales",
        ".",
        ";",
        "country",
        "many;e77x",
        "\u{1b}[31m",
        "many;E999",
    ];
    let mut messages = String::new();
    for (profile, path) in profiles.iter().flat_map(|profile| paths.map(|path| (profile, path))) {
        if let Err(error) = profile.try_bytes_at(path) {
            writeln!(messages, "{error}").unwrap();
        }
        assert_eq!(profile.try_bytes_at(path).ok(), profile.bytes_at(path));
    }
    expect![[r#"
        no path "matrix;vales" in Model; closest is "matrix;values"
        no path "Matrix" in Model; closest is "matrix"
        no path "matrix;values;0" in Model: nothing is below "matrix;values"
        no path "values" in Model; closest is "matrix;values"
        no path "Model;matrix" in Model; closest is "matrix"
        no path "nothing;like;it" in Model; closest are "matrix", "variables", "units", "cache"
        no path "row_ptr;x" in Model; closest are "matrix", "variables", "units", "cache"
        no path "matrix.values" in Model; closest is "matrix;values"
        no path "Model::matrix::values" in Model; closest is "matrix;values"
        no path "matrix / values" in Model; closest is "matrix;values"
        no path "Model > matrix" in Model; closest is "matrix"
        no path "matrix.vales" in Model; closest is "matrix"
        no path "." in Model; closest are "matrix", "variables", "units", "cache"
        no path ";" in Model; closest are "matrix", "variables", "units", "cache"
        no path "country" in Model; closest are "cache", "matrix", "variables", "units"
        no path "many;e77x" in Model; closest is "matrix"
        no path "\u{1b}[31m" in Model; closest are "matrix", "variables", "units", "cache"
        no path "many;E999" in Model; closest is "matrix"
        no path "matrix;vales" in x; closest are "many", "map\u{1b}"
        no path "Matrix" in x; closest are "many", "map\u{1b}"
        no path "matrix;values;0" in x; closest are "many", "map\u{1b}"
        no path "values" in x; closest are "many", "map\u{1b}"
        no path "Model;matrix" in x; closest are "many", "map\u{1b}"
        no path "nothing;like;it" in x; closest are "many", "map\u{1b}"
        no path "row_ptr;x" in x; closest are "many", "map\u{1b}"
        no path "matrix.values" in x; closest are "many", "map\u{1b}"
        no path "Model::matrix::values" in x; closest are "many", "map\u{1b}"
        no path "matrix / values" in x; closest are "many", "map\u{1b}"
        no path "Model > matrix" in x; closest are "many", "map\u{1b}"
        no path "matrix.vales" in x; closest are "many", "map\u{1b}"
        no path "." in x; closest are "many", "map\u{1b}"
        no path ";" in x; closest are "many", "map\u{1b}"
        no path "country" in x; closest is "map\u{1b};[keys];country"
        no path "many;e77x" in x; closest are "many;e779", "many;e778", "many;e777", "many;e776", "many;e775", "many;e774" and 105 more
        no path "\u{1b}[31m" in x; closest are "many", "map\u{1b}"
        no path "many;E999" in x; closest are "many;e999", "many;e998", "many;e997", "many;e996", "many;e995", "many;e994" and 193 more
    "#]].assert_eq(&messages);
}
