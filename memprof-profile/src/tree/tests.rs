//! Tests of the lookup by path, and of the messages for paths that do not exist.

use crate::Profile;
use crate::text::Frame;
use crate::tree::KEYS;
use crate::views::samples::{Sample, model, values};
use expect_test::expect;
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
fn a_missing_path_lists_what_is_below_its_last_frame() {
    let keys = Sample::new(KEYS).with([Sample::data("country", 3)]);
    let map = Sample::data("map\u{1b}", 1).with([keys]);
    let many = Sample::new("many").with((0..1000).map(|at| Sample::data(&format!("e{at}"), at)));
    let model = model();
    let other = Sample::new("x").with([map, many]).profile();
    let cases = [
        (&model, "matrix;vales"),
        (&model, "Matrix"),
        (&model, "matrix;values;0"),
        (&model, "Model;matrix"),
        (&model, "matrix.values"),
        (&model, "matrix;;values"),
        (&model, ";"),
        (&model, "many;e77x"),
        (&model, "\u{1b}[31m"),
        (&other, "country"),
        (&other, "map\u{1b};country"),
        (&other, "many;e77x"),
        (&Sample::new("nothing").profile(), "x"),
    ]
    .map(|(profile, path)| {
        assert_eq!(profile.bytes_at(path), None);
        format!("{}\n", profile.try_bytes_at(path).unwrap_err())
    });
    expect![[r#"
        no path "matrix;vales" in Model; "matrix" has "values", "col_idx", "row_ptr"
        no path "Matrix" in Model; it has "matrix", "variables", "units", "cache"
        no path "matrix;values;0" in Model; "matrix;values" has no paths below it
        no path "Model;matrix" in Model; it has "matrix", "variables", "units", "cache"
        no path "matrix.values" in Model; it has "matrix", "variables", "units", "cache"
        no path "matrix;;values" in Model; "matrix" has "values", "col_idx", "row_ptr"
        no path ";" in Model; it has "matrix", "variables", "units", "cache"
        no path "many;e77x" in Model; it has "matrix", "variables", "units", "cache"
        no path "\u{1b}[31m" in Model; it has "matrix", "variables", "units", "cache"
        no path "country" in x; it has "many", "map\u{1b}"
        no path "map\u{1b};country" in x; "map\u{1b}" has "[keys]"
        no path "many;e77x" in x; "many" has "e999", "e998", "e997", "e996", "e995", "e994" and 993 more
        no path "x" in nothing; it has no paths below it
    "#]].assert_eq(&cases.concat());
    let error = other.try_bytes_at("many;x").unwrap_err();
    assert_eq!((error.path(), error.below().len()), ("many;x", 6));
}

#[test]
fn a_part_has_the_lines_below_its_path() {
    for profile in values().into_iter().chain([model()]) {
        let folded = profile.to_folded();
        let root = Frame(profile.root().name()).to_string();
        let mut below = String::new();
        for child in profile.plain().root().children() {
            let part = profile.part(child.name()).unwrap();
            assert_eq!(part.total_bytes(), child.total_bytes());
            below.extend(part.to_folded().lines().map(|line| format!("{root};{line}\n")));
        }
        assert!(folded.ends_with(&below), "{folded}");
        assert_eq!(profile.part("").unwrap().to_folded(), folded);
    }
    assert!(model().part("nothing").is_err());
}
