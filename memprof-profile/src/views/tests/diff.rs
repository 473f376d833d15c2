//! Tests of the comparison of two profiles: the sums of its changes, and its text.

use crate::Profile;
use crate::testing::Tolerance;
use crate::tree::{KEYS, LeafKind, OpaqueReason};
use crate::views::samples::{Sample, model, values};
use crate::views::{Diff, DiffEntry, Units};
use expect_test::{Expect, expect};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::Arc;

struct Numbers(u64);

impl Numbers {
    fn below(&mut self, limit: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % limit as u64) as usize
    }

    fn tree(&mut self, name: &str, levels: usize) -> Sample {
        let mut sample = Sample::new(name);
        if self.below(3) > 0 {
            sample = sample.leaf(LeafKind::Data, self.below(4));
        }
        for name in ["a", "b", KEYS, "d"] {
            if levels > 0 && self.below(2) > 0 {
                let child = self.tree(name, levels - 1);
                sample = sample.with([child]);
            }
        }
        sample
    }

    fn profile(&mut self) -> Profile {
        self.tree("root", 4).profile()
    }
}

fn folded(profile: &Profile) -> BTreeMap<String, u64> {
    let line = |line: &str| {
        let (path, bytes) = line.rsplit_once(' ').unwrap();
        (path.to_owned(), bytes.parse().unwrap())
    };
    profile.to_folded().lines().map(line).collect()
}

#[test]
fn a_comparison_is_that_of_the_folded_stacks() {
    let mut numbers = Numbers(42);
    for _ in 0..1000 {
        let (before, after) = (numbers.profile(), numbers.profile());
        let diff = after.diff(&before);
        let mut found = folded(&before);
        for entry in diff.entries() {
            let path = entry.path().to_string();
            assert_eq!(found.remove(&path).unwrap_or(0), entry.before().unwrap_or(0), "{diff}");
            if let Some(bytes) = entry.after().filter(|&bytes| bytes > 0) {
                found.insert(path, bytes);
            }
        }
        assert_eq!(found, folded(&after), "what was before and the changes make what is after");
    }
}

#[test]
fn changes_add_up_and_come_largest_first_and_in_the_order_of_the_tree() {
    let mut numbers = Numbers(7);
    for _ in 0..1000 {
        let (before, after) = (numbers.profile(), numbers.profile());
        let diff = after.diff(&before);
        assert_eq!(diff.entries().map(|entry| entry.change()).sum::<i128>(), diff.change());
        let entries: Vec<_> = diff.entries().collect();
        let key = |entry: &DiffEntry<'_>| {
            (core::cmp::Reverse(entry.change().abs()), entry.path().frames().join(";"))
        };
        assert!(entries.is_sorted_by_key(key), "{diff}");
        assert!(entries.iter().all(|entry| entry.change() != 0), "{diff}");
    }
}

#[test]
fn the_reverse_diff_negates_every_change() {
    let mut numbers = Numbers(3);
    for _ in 0..1000 {
        let (before, after) = (numbers.profile(), numbers.profile());
        let (diff, back) = (after.diff(&before), before.diff(&after));
        let turned =
            |entry: DiffEntry<'_>| (entry.path().to_string(), entry.after(), entry.before());
        let same = |entry: DiffEntry<'_>| (entry.path().to_string(), entry.before(), entry.after());
        assert_eq!(
            diff.entries().map(turned).collect::<Vec<_>>(),
            back.entries().map(same).collect::<Vec<_>>()
        );
    }
}

#[test]
fn equal_profiles_do_not_differ() {
    for profile in values() {
        assert!(profile.diff(&profile.clone()).is_empty());
        assert_eq!(profile.diff(&profile).entries().len(), 0);
    }
    let mut numbers = Numbers(5);
    for _ in 0..100 {
        let profile = numbers.profile();
        assert!(profile.diff(&profile).is_empty());
    }
}

#[test]
fn cloning_a_handle_changes_no_path() {
    let one = [Arc::new(vec![1_u8; 100])];
    let before = Profile::named("x", &one);
    let _clone = one[0].clone();
    assert!(Profile::named("x", &one).diff(&before).is_empty());
}

/// Returns the model after changes: new, gone, grown and shrunk paths, and a released lock.
fn changed_model() -> Profile {
    let matrix = Sample::new("matrix").leaf(LeafKind::Inline, 72).with([
        Sample::data("values", 128 << 20),
        Sample::data("col_idx", 32 << 20),
        Sample::data("row_ptr", 12 << 20),
        Sample::data("diagonal", 8 << 20),
    ]);
    let variables = Sample::new("variables")
        .leaf(LeafKind::Nodes, 2 << 20)
        .leaf(LeafKind::Spare, 9 << 20)
        .with([
            Sample::new(KEYS).leaf(LeafKind::Inline, 8_000_000),
            Sample::data("name", 38 << 20),
            Sample::data("lower", 8_000_000),
            Sample::data("upper", 8_000_000),
            Sample::data("kind", 1_000_100),
        ]);
    let cache = Sample::data("cache", 24).leaf(LeafKind::Inline, 1 << 20);
    let model = Sample::new("Model").leaf(LeafKind::Padding, 8);
    model.with([matrix, variables, cache, Sample::data("units", 112)]).profile()
}

fn check(diff: &Diff<'_>, expected: &Expect) {
    expected.assert_eq(&diff.to_string());
}

#[test]
fn the_model_is_compared_in_aligned_columns() {
    let (before, after) = (model(), changed_model());
    check(
        &after.diff(&before),
        &expect![[r#"
             +64.0 MiB     64.0 MiB →  128.0 MiB  +100.0 %  Model;matrix;values
              +8.0 MiB            – →    8.0 MiB       new  Model;matrix;diagonal
              −4.0 MiB     16.0 MiB →   12.0 MiB   −25.0 %  Model;matrix;row_ptr
               unknown       ≥ 24 B →    1.0 MiB            Model;cache
            −976.6 KiB    976.6 KiB →          –      gone  Model;variables;fixed
                +100 B    976.6 KiB →  976.7 KiB    +0.0 %  Model;variables;kind
               unknown  ≥ 185.8 MiB →  253.8 MiB            total
            6 paths changed: 1 new, 1 gone, 2 grown, 1 shrunk, 1 unknown · exact after, not before: 1 locked
            unknown: a walk did not visit all values"#]],
    );
    check(
        &before.diff(&after).units(Units::Bytes).widest(3).width(72),
        &expect![[r#"
            −67,108,864 B  134,217,728 B →     67,108,864 B  −50.0 %  Model;matrix;values
             −8,388,608 B    8,388,608 B →                –     gone  Model;matrix;diagonal
             +4,194,304 B   12,582,912 B →     16,777,216 B  +33.3 %  Model;matrix;row_ptr
                  unknown    2,048,700 B →    ≥ 2,000,024 B           …3 more
                  unknown  266,172,796 B →  ≥ 194,820,952 B           total
            6 paths changed: 1 new, 1 gone, 1 grown, 2 shrunk, 1 unknown
            exact before, not after: 1 locked
            unknown: a walk did not visit all values"#]],
    );
    check(
        &after.diff(&before).widest(0),
        &expect![[r#"
            unknown   ≥ 81.9 MiB →  150.0 MiB  …6 more
            unknown  ≥ 185.8 MiB →  253.8 MiB  total
            6 paths changed: 1 new, 1 gone, 2 grown, 1 shrunk, 1 unknown · exact after, not before: 1 locked
            unknown: a walk did not visit all values"#]],
    );
}

#[test]
fn equal_profiles_have_one_line() {
    check(
        &model().diff(&model()),
        &expect![
            "no change in the visited values: 185.8 MiB · not exact before and after: 1 locked"
        ],
    );
    check(
        &changed_model().diff(&changed_model()).units(Units::Si),
        &expect!["no change: 266.2 MB · exact before and after"],
    );
    let empty = Sample::new("nothing").profile();
    check(&empty.diff(&empty), &expect!["no change: 0 B · exact before and after"]);
}

#[test]
fn roots_of_other_names_are_compared_by_structure() {
    let before = Sample::new("Old\u{1b}[1m").with([Sample::data("a", 10), Sample::data("b", 2000)]);
    let after = Sample::new("New").with([Sample::data("b", 2000), Sample::data("c", 7)]);
    let (before, after) = (before.profile(), after.profile());
    check(
        &after.diff(&before),
        &expect![[r#"
            −10 B     10 B →        –    gone  New;a
             +7 B        – →      7 B     new  New;c
             −3 B  2.0 KiB →  2.0 KiB  −0.1 %  total
            2 paths changed: 1 new, 1 gone · exact before and after
            compared by structure: the root was Old\u{1b}[1m and is now New"#]],
    );
    let renamed = Sample::data("x", 5).profile();
    check(
        &renamed.diff(&Sample::data("y", 5).profile()),
        &expect![
            "no change: 5 B · exact before and after · compared by structure: the root was y and is now x"
        ],
    );
}

#[test]
fn inexactness_of_either_side_is_shown() {
    let exact = Sample::data("x", 5).profile();
    let opaque = Sample::data("x", 5).opaque(OpaqueReason::Locked).profile();
    let estimated = Sample::data("x", 1).estimated(LeafKind::Table, 2).profile();
    check(
        &opaque.diff(&exact),
        &expect!["no change in the visited values: 5 B · exact before, not after: 1 locked"],
    );
    check(
        &exact.diff(&estimated),
        &expect![[r#"
            +2 B  3 B →  5 B  +66.7 %  x
            1 path grown · exact after, not before: 1 estimated (2 B)"#]],
    );
    check(
        &opaque.diff(&estimated),
        &expect![[r#"
            ≥ +2 B  3 B →  ≥ 5 B  ≥ +66.7 %  x
            1 path grown · not exact before: 1 estimated (2 B) · not exact after: 1 locked"#]],
    );
}

#[test]
fn moved_bytes_add_up_to_zero() {
    let before = Sample::new("x").with([Sample::data("a", 4096)]).profile();
    let after = Sample::new("x").with([Sample::data("b", 4096)]).profile();
    check(
        &after.diff(&before),
        &expect![[r#"
            −4.0 KiB  4.0 KiB →        –    gone  x;a
            +4.0 KiB        – →  4.0 KiB     new  x;b
                ±0 B  4.0 KiB →  4.0 KiB  ±0.0 %  total
            2 paths changed: 1 new, 1 gone · exact before and after"#]],
    );
}

#[test]
fn the_largest_numbers_fit() {
    let before = Sample::new("x").with([Sample::data("a", usize::MAX)]).profile();
    let after = Sample::new("x").with([Sample::data("b", usize::MAX)]).profile();
    let diff = after.diff(&before);
    assert_eq!(diff.change(), 0);
    assert_eq!(diff.entries().next().unwrap().change(), -i128::from(u64::MAX));
    check(
        &diff,
        &expect![[r#"
            −16.0 EiB  16.0 EiB →         –    gone  x;a
            +16.0 EiB         – →  16.0 EiB     new  x;b
                 ±0 B  16.0 EiB →  16.0 EiB  ±0.0 %  total
            2 paths changed: 1 new, 1 gone · exact before and after"#]],
    );
}

#[test]
fn markdown_is_a_table_with_the_small_changes_folded_away() {
    let (before, after) = (model(), changed_model());
    expect![[r#"
        **unknown**: ≥ 185.8 MiB → 253.8 MiB

        | change | before | after | growth | path |
        | ---: | ---: | ---: | ---: | :--- |
        | +64.0 MiB | 64.0 MiB | 128.0 MiB | +100.0 % | `Model;matrix;values` |
        | +8.0 MiB | – | 8.0 MiB | new | `Model;matrix;diagonal` |
        | −4.0 MiB | 16.0 MiB | 12.0 MiB | −25.0 % | `Model;matrix;row_ptr` |

        <details><summary>…3 more (unknown)</summary>

        | change | before | after | growth | path |
        | ---: | ---: | ---: | ---: | :--- |
        | unknown | ≥ 24 B | 1.0 MiB |  | `Model;cache` |
        | −976.6 KiB | 976.6 KiB | – | gone | `Model;variables;fixed` |
        | +100 B | 976.6 KiB | 976.7 KiB | +0.0 % | `Model;variables;kind` |

        </details>

        6 paths changed: 1 new, 1 gone, 2 grown, 1 shrunk, 1 unknown · exact after, not before: 1 locked · unknown: a walk did not visit all values
    "#]]
    .assert_eq(&after.diff(&before).widest(3).to_markdown());
    expect![[r#"
        no change: 253.8 MiB · exact before and after
    "#]]
    .assert_eq(&after.diff(&after).to_markdown());
    let many = |bytes: usize| {
        let entries = (0..1000).map(|index| Sample::data(&format!("e{index}"), bytes));
        Sample::new("x").with(entries).profile()
    };
    let (before, after) = (many(1), many(2));
    let markdown = after.diff(&before).to_markdown();
    assert_eq!(markdown.lines().filter(|line| line.contains("`x;e")).count(), 220);
    assert!(markdown.contains("| …780 more |\n"), "{markdown}");
}

#[cfg(feature = "json")]
#[test]
fn the_json_has_a_line_per_path() {
    let (before, after) = (model(), changed_model());
    let json = after.diff(&before).widest(1).to_json();
    expect![[r#"
        {"format": "memprof diff", "version": 1, "change": null,
        "before": {"name":"Model","bytes":194820952,"exact":false,"lower_end":true},
        "after": {"name":"Model","bytes":266172796,"exact":true},
        "entries": [
        {"kind":"grown","change":67108864,"before":67108864,"after":134217728,"path":["Model","matrix","values"]},
        {"kind":"new","change":8388608,"after":8388608,"path":["Model","matrix","diagonal"]},
        {"kind":"shrunk","change":-4194304,"before":16777216,"after":12582912,"path":["Model","matrix","row_ptr"]},
        {"kind":"unknown","change":null,"before":24,"after":1048600,"before_lower_end":true,"path":["Model","cache"]},
        {"kind":"gone","change":-1000000,"before":1000000,"path":["Model","variables","fixed"]},
        {"kind":"grown","change":100,"before":1000000,"after":1000100,"path":["Model","variables","kind"]}
        ]}
    "#]].assert_eq(&json);
    let read: serde_json::Value = serde_json::from_str(&json).unwrap();
    assert_eq!(read["entries"].as_array().unwrap().len(), after.diff(&before).entries().len());
    let json = after.diff(&after).to_json();
    assert_eq!(
        serde_json::from_str::<serde_json::Value>(&json).unwrap()["entries"],
        serde_json::json!([])
    );
}

#[cfg(feature = "json")]
#[test]
fn the_difference_in_the_documentation_is_a_real_one() {
    let page = std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../docs/format.md"));
    let page = page.unwrap();
    let (_, section) = page.split_once("## Differences").unwrap();
    let block = section.split_once("```json\n").unwrap().1.split_once("```").unwrap().0;
    let rows = |names, more: Option<Sample>| {
        let sample =
            Sample::new("rows").with([Sample::data("names", names), Sample::data("x", 112)]);
        sample.with(more).profile()
    };
    let (before, after) = (rows(30, None), rows(18, Some(Sample::data("units", 40))));
    assert_eq!(after.diff(&before).to_json(), block);
}

#[test]
fn a_change_is_tolerated_up_to_a_share_or_an_amount() {
    let profile = |a, b, c| {
        let sample = Sample::new("x").with([Sample::data("a", a), Sample::data("b", b)]);
        sample.with((c > 0).then(|| Sample::data("c", c))).profile()
    };
    let before = profile(1000, 1000, 0);
    let cases = [
        (profile(1000, 1000, 0), "0%", true),
        (profile(1000, 1000, 0), "0 B", true),
        (profile(1020, 1000, 0), "1%", true),
        (profile(1021, 1000, 0), "1 %", false),
        (profile(1021, 1000, 0), "1.05%", true),
        (profile(1021, 1000, 0), "1.049999%", false),
        (profile(1021, 1000, 0), "21 B", true),
        (profile(1021, 1000, 0), "20", false),
        (profile(1020, 980, 0), "1%", true),
        (profile(1021, 979, 0), "1%", false),
        (profile(1020, 1020, 0), "1%", false),
        (profile(1000, 1000, 20), "1%", true),
        (profile(1000, 1000, 21), "1%", false),
        (profile(1000, 0, 0), "50%", true),
        (profile(usize::MAX, 0, 0), "18446744073709%", false),
    ];
    for (after, tolerance, expected) in cases {
        let diff = after.diff(&before);
        assert_eq!(diff.is_within(tolerance.parse().unwrap()), expected, "{tolerance}: {diff}");
    }
}

#[test]
fn growth_is_measured_to_the_byte() {
    let cases = [
        (1000, 1050, "5%", false),
        (1000, 1051, "5%", true),
        // 1500 * 19.4 / 100 is a little less than 291 in floating point.
        (1500, 1791, "19.4%", false),
        (1500, 1792, "19.4%", true),
        (1000, 500, "0%", false),
        (0, 1, "1000%", true),
        (0, 0, "0%", false),
        (0, 9, "9", false),
        (100, 111, "10 B", true),
        (u64::MAX - 1, u64::MAX, "0", true),
        (0, u64::MAX, "18446744073709551615", false),
    ];
    for (before, after, tolerance, expected) in cases {
        let allowed: Tolerance = tolerance.parse().unwrap();
        let grew = !allowed.allows_growth(before, after);
        assert_eq!(grew, expected, "{tolerance}: {before} → {after}");
    }
}

#[test]
fn a_tolerance_is_a_percentage_or_an_amount() {
    let mut shown = String::new();
    for text in ["5%", "0.5 %", " 12.345 % ", "4 KiB", "100", "5 pc", "%", "-1%", "1e3%", "five"] {
        match text.parse::<Tolerance>() {
            Ok(tolerance) => writeln!(shown, "{tolerance}").unwrap(),
            Err(error) => writeln!(shown, "{error}").unwrap(),
        }
    }
    expect![[r#"
        5 %
        0.5 %
        12.345 %
        4.0 KiB
        100 B
        "5 pc" is neither a percentage nor an amount of memory: expected one such as "5%" or "4 KiB"
        "%" is not a percentage: expected a number and a percent sign, such as "5%"
        "-1%" is not a percentage: expected a number and a percent sign, such as "5%"
        "1e3%" is not a percentage: expected a number and a percent sign, such as "5%"
        "five" is neither a percentage nor an amount of memory: expected one such as "5%" or "4 KiB"
    "#]]
    .assert_eq(&shown);
}

#[test]
fn figures_of_walks_that_skipped_values_have_no_signed_change() {
    use OpaqueReason::{Borrowed, Foreign, Stopped};
    let of = |tags, audit, reason| {
        let products = Sample::new("products").opaque(reason).with([Sample::data("tags", tags)]);
        let audit = Sample::new("audit").with([Sample::data("user", audit)]);
        Sample::new("catalogue").with([products, audit]).profile()
    };
    let diff = |before: &Profile, after: &Profile| after.diff(before).to_string();
    let (before, after) = (of(2000, 10, Stopped), of(1000, 50, Stopped));
    expect![[r#"
        unknown  ≥ 2.0 KiB →  ≥ 1,000 B            catalogue;products;tags
          +40 B       10 B →       50 B  +400.0 %  catalogue;audit;user
        unknown  ≥ 2.0 KiB →  ≥ 1.0 KiB            total
        2 paths changed: 1 grown, 1 unknown · not exact before and after: 1 stopped
        unknown: a walk did not visit all values"#]]
    .assert_eq(&diff(&before, &after));
    assert_eq!(after.diff(&before).known_change(), None);
    // The lower bound after the change is above the exact bytes before it.
    let exact = of(500, 10, Foreign);
    expect![[r#"
        ≥ +1.5 KiB    500 B →  ≥ 2.0 KiB  ≥ +300.0 %  catalogue;products;tags
        ≥ +1.5 KiB  ≥ 510 B →  ≥ 2.0 KiB  ≥ +294.1 %  total
        1 path grown · not exact before: 1 foreign · not exact after: 1 stopped"#]]
    .assert_eq(&diff(&exact, &before));
    expect![[r#"
        ≤ −1.5 KiB  ≥ 2.0 KiB →    500 B  ≤ −75.0 %  catalogue;products;tags
        ≤ −1.5 KiB  ≥ 2.0 KiB →  ≥ 510 B  ≤ −74.6 %  total
        1 path shrunk · not exact before: 1 stopped · not exact after: 1 foreign"#]]
    .assert_eq(&diff(&before, &exact));
    assert_eq!(after.diff(&exact).known_change(), Some(540));
    // No walk visits the contents of a foreign type, so they make no comparison unknown.
    assert_eq!(of(7, 1, Foreign).diff(&exact).known_change(), Some(-502));
    // Values that were not visited could have had a path that is new or gone.
    let none = Sample::new("catalogue").with([Sample::new("products").opaque(Borrowed)]).profile();
    expect![[r#"
        unknown      – →    500 B       catalogue;products;tags
          +10 B      – →     10 B  new  catalogue;audit;user
        unknown  ≥ 0 B →  ≥ 510 B       total
        2 paths changed: 1 new, 1 unknown · not exact before: 1 borrowed · not exact after: 1 foreign
        unknown: a walk did not visit all values"#]].assert_eq(&diff(&none, &exact));
    expect![[r#"
        unknown    500 B →      –        catalogue;products;tags
          −10 B     10 B →      –  gone  catalogue;audit;user
        unknown  ≥ 510 B →  ≥ 0 B        total
        2 paths changed: 1 gone, 1 unknown · not exact before: 1 foreign · not exact after: 1 borrowed
        unknown: a walk did not visit all values"#]].assert_eq(&diff(&exact, &none));
    assert!(none.is_lower_end_at("products;tags") && !none.is_lower_end_at("audit;user"));
    assert!(!exact.is_lower_end_at(""));
}

#[test]
fn a_sample_of_a_slice_stands_for_the_elements_that_were_not_visited() {
    let of = |bytes| {
        let sample = Sample::new("rows").opaque(OpaqueReason::Stopped);
        sample.estimated(LeafKind::Data, bytes).profile()
    };
    assert_eq!(of(12).diff(&of(5)).known_change(), Some(7));
    assert!(!of(12).is_lower_end_at(""));
}
