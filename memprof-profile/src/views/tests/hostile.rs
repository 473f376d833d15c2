//! Tests of names that could break lines, columns, terminals and parsers.

use crate::Profile;
use crate::text::columns;
use crate::tree::Device;
use crate::views::samples::Sample;
use expect_test::expect;

const NAMES: [&str; 20] = [
    "",
    " ",
    "#",
    "a;b",
    // Frames write these two names in the same way as the one before and the one after.
    "a:b",
    "[u8;_4]",
    "[u8; 4]",
    "String 42",
    "3.5",
    "two\nlines",
    "tab\tand\r\0nul",
    "\u{1b}[31mred\u{1b}[0m\u{7}",
    "\u{202e}backwards\u{2066}",
    "\u{2028}separator\u{85}",
    "--",
    "[data]",
    "[shared]",
    "<b>&amp;\"'",
    "名前の長いフィールド",
    "e\u{301}\u{301}\u{301} 👩‍🚀 \u{ffff}",
];

/// Returns profiles with every name as a root, as a branch in between and as a last frame.
fn profiles() -> Vec<Profile> {
    let last = |bytes| NAMES.into_iter().map(move |name| Sample::data(name, bytes));
    let between = NAMES.into_iter().map(|name| Sample::data(name, 7).with(last(5)));
    let mut profiles = vec![Sample::new("root").with(between).profile()];
    profiles.extend(NAMES.map(|name| Sample::data(name, 3).with(last(1)).profile()));
    profiles
}

#[test]
fn each_folded_line_has_one_space_and_its_frames() {
    for profile in profiles() {
        for folded in [profile.to_folded(), profile.to_folded_detailed()] {
            for line in folded.lines() {
                let (path, count) = line.split_once(' ').unwrap();
                assert!(count.parse::<u64>().is_ok(), "{line:?}");
                assert!((1..=4).contains(&path.split(';').count()), "{line:?}");
                assert!(path.split(';').all(|frame| !frame.is_empty()), "{line:?}");
                assert!(!line.contains(char::is_control), "{line:?}");
            }
        }
        let lines = profile.to_folded();
        let sum: u64 =
            lines.lines().map(|line| line.split_once(' ').unwrap().1.parse::<u64>().unwrap()).sum();
        assert_eq!(sum, profile.total_bytes());
    }
}

#[test]
fn names_that_become_the_same_frame_add_up() {
    let below = |bytes| Sample::data("x", bytes);
    let same = [("a;b", 1), ("a b", 2), ("a:b", 4), ("a_b", 8)];
    let same = same.map(|(name, bytes)| Sample::data(name, bytes).with([below(10 * bytes)]));
    let profile = Sample::new("root").with(same).profile();
    expect![[r#"
        root;a:b 5
        root;a:b;x 50
        root;a_b 10
        root;a_b;x 100
    "#]]
    .assert_eq(&profile.to_folded());
    expect![[r#"
        root;a:b;[data] 5
        root;a:b;x;[data] 50
        root;a_b;[data] 10
        root;a_b;x;[data] 100
    "#]]
    .assert_eq(&profile.to_folded_detailed());
    let devices = Sample::data("parts", 3).tensor(Device::Cuda(0), 5).tensor(Device::Cuda(1), 7);
    assert_eq!(devices.profile().to_folded_detailed(), "parts;[data] 15\n");
    for profile in profiles() {
        for folded in [profile.to_folded(), profile.to_folded_detailed()] {
            let mut paths: Vec<_> =
                folded.lines().filter_map(|line| Some(line.rsplit_once(' ')?.0)).collect();
            let lines = paths.len();
            paths.sort_unstable();
            paths.dedup();
            assert_eq!(paths.len(), lines, "{folded}");
        }
    }
}

#[test]
fn each_line_of_the_tree_is_one_line_and_aligned() {
    for profile in profiles() {
        for width in [40, 60, 100] {
            let tree = profile.tree().min_share(0.0).widest(100).width(width).to_string();
            let rows: Vec<&str> = tree.lines().filter(|line| line.contains(" %")).collect();
            let end = |row: &str| columns(row.rsplit_once(" %").unwrap().0);
            for row in &rows {
                assert!(
                    !row.contains(|char: char| char.is_control() || char == '\u{202e}'),
                    "{row:?}"
                );
                assert_eq!(end(row), end(rows[0]), "{tree}");
                assert!(columns(row) <= width, "{row:?} in {width}");
            }
        }
    }
}

#[cfg(feature = "json")]
#[test]
fn json_keeps_every_name_unchanged() {
    for profile in profiles() {
        let json = profile.to_json().unwrap();
        assert_eq!(Profile::from_json(&json).unwrap(), profile, "{json}");
    }
}

#[cfg(feature = "flamegraph")]
#[test]
fn inferno_finds_every_byte_in_the_folded_forms() {
    use inferno::flamegraph::{Options, from_lines};
    for profile in profiles() {
        for folded in [profile.to_folded(), profile.to_folded_detailed()] {
            let mut svg = Vec::new();
            from_lines(&mut Options::default(), folded.lines(), &mut svg).unwrap();
            let svg = String::from_utf8(svg).unwrap();
            let total = format!("total_samples=\"{}\"", profile.total_bytes());
            assert!(svg.contains(&total), "{folded}");
            assert!(!svg.contains("%; "), "a line was taken for a difference: {folded}");
        }
    }
}

#[cfg(feature = "flamegraph")]
#[test]
fn a_flame_graph_shows_every_byte_and_is_valid_xml() {
    for profile in profiles() {
        let svg = profile.to_flamegraph().unwrap();
        assert!(svg.contains(&format!("total_samples=\"{}\"", profile.total_bytes())), "{svg}");
        assert!(!svg.contains("<b>"), "names are escaped");
        assert!(!svg.contains(|char: char| char.is_control() && !char.is_whitespace()));
        assert!(!svg.contains('\u{ffff}'));
    }
}
