//! The flame graph of changes: its bytes, its names, and the parts that it leaves out.

use crate::recordings::HOSTILE;
use expect_test::expect;
use memprof_export::DiffFlamegraph;
use memprof_profile::Profile;
use memprof_profile::tree::Device;
use memprof_profile::views::Units;

fn folded(folded: &str) -> Profile {
    Profile::from_folded(folded).unwrap()
}

/// Returns the titles, one on a line, with the classes of their frames.
fn titles(svg: &str) -> Vec<String> {
    let frames = svg.split("<g class=\"f ").skip(1).filter(|frame| frame.contains("<title>"));
    let title = |frame: &str| {
        let (class, rest) = frame.split_once('"').unwrap();
        let title = rest.split_once("<title>").unwrap().1.split_once("</title>").unwrap().0;
        format!("{class}: {}", title.replace('\n', " | "))
    };
    frames.map(title).collect()
}

/// Returns the width of each frame, by the first line of its title.
fn widths(svg: &str) -> Vec<(String, f64)> {
    let frames = svg.split("<title>").skip(1).map(|frame| {
        let name = frame.split(['\n', '<']).next().unwrap();
        let width = frame.split_once(" width=\"").unwrap().1.split_once('"').unwrap().0;
        (name.to_owned(), width.parse().unwrap())
    });
    frames.collect()
}

#[test]
fn each_frame_has_its_bytes_before_and_after() {
    let before = folded("app;cache 3000\napp;scratch;buffer 500\napp;same 100\napp 7\n");
    let after = folded("app;cache 9000\napp;new 2000\napp;same 100\napp 6\n");
    let svg = DiffFlamegraph::new(&before, &after).to_string();
    expect![[r#"
        grown-much: app | before: 3 607 B | after: 11 106 B | change: +7 499 B
        grown-much: cache | before: 3 000 B | after: 9 000 B | change: +6 000 B
        new: new | before: absent | after: 2 000 B | change: +2 000 B
        gone: scratch | before: 500 B | after: absent | change: −500 B
        gone: buffer | before: 500 B | after: absent | change: −500 B
        same: same | before: 100 B | after: 100 B | change: ±0 B"#]]
    .assert_eq(&titles(&svg).join("\n"));
}

#[test]
fn the_width_of_a_frame_is_the_larger_side_of_each_path() {
    let before = folded("app;gone 600\napp;kept 100\n");
    let after = folded("app;came 300\napp;kept 100\n");
    let svg = DiffFlamegraph::new(&before, &after).width(1032).to_string();
    let expected = [("app", 1000.0), ("gone", 600.0), ("came", 300.0), ("kept", 100.0)];
    assert_eq!(widths(&svg), expected.map(|(name, width)| (name.to_owned(), width)));
}

#[test]
fn narrow_siblings_are_one_frame_with_all_their_bytes() {
    let small: Vec<String> = (0..50).map(|index| format!("app;small{index} 10\n")).collect();
    let before = String::from("app;large 1000000\n") + &small.concat();
    let after = before.replace("small1 10", "small1 17");
    let svg = DiffFlamegraph::new(&folded(&before), &folded(&after)).to_string();
    let titles = titles(&svg);
    let others = "grown-slightly: (50 others) | before: 500 B | after: 507 B | change: +7 B";
    assert!(titles.len() == 3 && titles.contains(&others.to_owned()), "{titles:?}");
    let one = folded("app;large 1000000\napp;small 10\n");
    let svg = DiffFlamegraph::new(&one, &one).to_string();
    assert!(self::titles(&svg)[2].starts_with("same: small |"), "one alone keeps its name");
}

#[test]
fn both_names_are_escaped_and_shortened() {
    let profile = folded("app;a 1048576\n");
    let long = "x".repeat(5000);
    let svg = DiffFlamegraph::new(&profile, &profile).names("run.json@<start>", &long).to_string();
    assert!(svg.contains(">before: run.json@&lt;start&gt; · 1.0 MiB</text>"), "{svg}");
    let after = svg.lines().find(|line| line.contains(">after: ")).unwrap();
    assert!(after.contains("xxx… · 1.0 MiB</text>"), "the name is cut, the bytes are not");
    let svg = DiffFlamegraph::new(&profile, &profile).units(Units::Si).to_string();
    assert!(svg.contains(">before: app · 1.0 MB</text>"), "{svg}");
}

#[test]
fn hostile_names_are_escaped() {
    let tree = |bytes: u64| {
        Profile::of_counters(HOSTILE[8], HOSTILE.map(|name| ([name], Device::Cpu, bytes)))
    };
    let (before, after) = (tree(100), tree(200));
    let svg = DiffFlamegraph::new(&before, &after).names(HOSTILE[6], HOSTILE[8]).to_string();
    assert_eq!(titles(&svg).len(), 1 + HOSTILE.len());
    assert!(!svg.contains("<script") && svg.contains("&lt;script&gt;alert(1)"), "{svg}");
    let hostile = |char: char| {
        (char.is_control() && char != '\n')
            || "\u{202e}\u{2066}\u{2028}\u{ffff}\u{feff}".contains(char)
    };
    assert!(!svg.contains(hostile), "{svg:?}");
    // Every `&` begins a reference, and every `<` begins one of the picture's own tags.
    for rest in svg.split('&').skip(1) {
        let ours = ["amp;", "lt;", "gt;", "quot;", "#39;"];
        assert!(ours.iter().any(|reference| rest.starts_with(reference)), "{rest}");
    }
    for rest in svg.split('<').skip(1) {
        let name = rest.trim_start_matches('/').split([' ', '>']).next().unwrap();
        let ours = ["svg", "style", "defs", "pattern", "rect", "path", "text", "g", "title"];
        assert!(ours.contains(&name), "{name}");
    }
}

#[test]
fn the_file_loads_and_runs_nothing() {
    let profile = folded("app;a 5\n");
    let svg = DiffFlamegraph::new(&profile, &profile).to_string();
    for word in ["<script", "href", "@import", "onload", "onclick", "<image", "foreignObject"] {
        assert!(!svg.contains(word), "{word}");
    }
    let addresses: Vec<&str> = svg.matches("http").collect();
    assert_eq!(addresses.len(), 1, "the name of SVG's namespace");
    assert!(svg.contains("prefers-color-scheme:dark"));
    let sizes = svg.split("font").skip(1).filter_map(|rest| rest.split_once("px"));
    let sizes: Vec<_> = sizes.filter_map(|(size, _)| size.rsplit(':').next()).collect();
    assert_eq!(sizes, ["12", "15"], "pixels of text");
}

#[test]
fn empty_profiles_can_be_drawn() {
    let (empty, something) = (folded("app 0\n"), folded("app;a 5\n"));
    let svg = |before, after| DiffFlamegraph::new(before, after).to_string();
    assert!(titles(&svg(&empty, &empty)).is_empty());
    assert_eq!(titles(&svg(&empty, &something)).len(), 2);
    assert!(svg(&something, &empty).contains(">change: −5 B<"));
}

#[test]
fn the_largest_profiles_can_be_drawn() {
    let before = folded(&format!("app;a {}\n", u64::MAX));
    let after = folded(&format!("app;b {}\n", u64::MAX));
    let titles = titles(&DiffFlamegraph::new(&before, &after).to_string());
    assert!(titles[0].ends_with("change: ±0 B"), "{}", titles[0]);
    assert!(
        titles[1].ends_with(
            "18 446 744 073 709 551 615 B | after: absent | change: −18 446 744 073 709 551 615 B"
        ),
        "{}",
        titles[1]
    );
    let names: Vec<String> = (0..1000).map(|level| format!("level{level}")).collect();
    let deep = folded(&format!("{} 7\n", names.join(";")));
    assert_eq!(self::titles(&DiffFlamegraph::new(&deep, &deep).to_string()).len(), 1000);
}
