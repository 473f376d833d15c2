//! Tests of amounts of memory, and of the messages for values that exceed their budgets.

#![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

use crate::Profile;
use crate::testing::Budget;
use crate::views::samples::{Sample, model};
use expect_test::expect;
use std::fmt::Write;

#[test]
fn amounts_parse_in_usual_spellings() {
    let cases = [
        ("0", 0),
        ("4096", 4096),
        (" 4096 B ", 4096),
        ("4 096 B", 4096),
        ("4,096 B", 4096),
        ("1,024.5 KiB", 1_049_088),
        ("8_388_608", 8 << 20),
        ("64 MiB", 64 << 20),
        ("64MiB", 64 << 20),
        ("1.5 GiB", 3 << 29),
        ("0.1 KiB", 102),
        ("100 kB", 100_000),
        ("2.5 MB", 2_500_000),
        ("15.99999999999999999999999 EiB", u64::MAX - 1),
        ("18446744073709551615 B", u64::MAX),
        ("18.446744073709551615 EB", u64::MAX),
    ];
    for (text, bytes) in cases {
        assert_eq!(text.parse::<Budget>().map(Budget::bytes), Ok(bytes), "{text}");
    }
    let shown = Budget::of_bytes(3 << 29).to_string();
    assert_eq!(shown.parse::<Budget>().map(Budget::bytes), Ok(3 << 29));
}

#[test]
fn invalid_amounts_are_rejected_with_what_was_expected() {
    let texts = [
        "",
        "MiB",
        "64 Mib",
        "64 mb",
        "64 M",
        "64 k",
        "64 parsecs",
        "-1 MiB",
        "1,5 MiB",
        "1024,000 B",
        "1,000,00 B",
        ",000 B",
        "1.024,000 MiB",
        "1. MiB",
        "1..5 KB",
        ".5 MiB",
        "1.2.3 MiB",
        "1e9",
        "_1",
        "1_ B",
        "16 EiB",
        "99999999999999999999",
        "NaN",
        "64 MiB;\u{1b}[31m",
        "٤ MiB",
    ];
    let mut messages = String::new();
    for text in texts {
        writeln!(messages, "{}", text.parse::<Budget>().unwrap_err()).unwrap();
    }
    writeln!(messages, "{}", Budget::try_from(-5).unwrap_err()).unwrap();
    expect![[r#"
        "" is not an amount of memory: expected a number and a unit, such as "64 MiB", "1.5 GiB", "100 kB" or "4096 B"
        "MiB" is not an amount of memory: expected a number and a unit, such as "64 MiB", "1.5 GiB", "100 kB" or "4096 B"
        "64 Mib" is not an amount of memory: unknown unit "Mib", did you mean "MiB"?
        "64 mb" is not an amount of memory: unknown unit "mb", did you mean "MB"?
        "64 M" is not an amount of memory: unknown unit "M", did you mean "MiB"?
        "64 k" is not an amount of memory: unknown unit "k", did you mean "KiB"?
        "64 parsecs" is not an amount of memory: expected a number and a unit, such as "64 MiB", "1.5 GiB", "100 kB" or "4096 B"
        "-1 MiB" is not an amount of memory: expected at least 0 bytes
        "1,5 MiB" is not an amount of memory: "1,5" is not a number, expected one such as "64" or "1.5"
        "1024,000 B" is not an amount of memory: "1024,000" is not a number, expected one such as "64" or "1.5"
        "1,000,00 B" is not an amount of memory: "1,000,00" is not a number, expected one such as "64" or "1.5"
        ",000 B" is not an amount of memory: ",000" is not a number, expected one such as "64" or "1.5"
        "1.024,000 MiB" is not an amount of memory: "1.024,000" is not a number, expected one such as "64" or "1.5"
        "1. MiB" is not an amount of memory: "1." is not a number, expected one such as "64" or "1.5"
        "1..5 KB" is not an amount of memory: "1..5" is not a number, expected one such as "64" or "1.5"
        ".5 MiB" is not an amount of memory: ".5" is not a number, expected one such as "64" or "1.5"
        "1.2.3 MiB" is not an amount of memory: "1.2.3" is not a number, expected one such as "64" or "1.5"
        "1e9" is not an amount of memory: expected a number and a unit, such as "64 MiB", "1.5 GiB", "100 kB" or "4096 B"
        "_1" is not an amount of memory: "_1" is not a number, expected one such as "64" or "1.5"
        "1_ B" is not an amount of memory: "1_" is not a number, expected one such as "64" or "1.5"
        "16 EiB" is not an amount of memory: expected less than 16 EiB
        "99999999999999999999" is not an amount of memory: expected less than 16 EiB
        "NaN" is not an amount of memory: expected a number and a unit, such as "64 MiB", "1.5 GiB", "100 kB" or "4096 B"
        "64 MiB;\u{1b}[31m" is not an amount of memory: expected a number and a unit, such as "64 MiB", "1.5 GiB", "100 kB" or "4096 B"
        "٤ MiB" is not an amount of memory: expected a number and a unit, such as "64 MiB", "1.5 GiB", "100 kB" or "4096 B"
        "-5" is not an amount of memory: expected at least 0 bytes
    "#]].assert_eq(&messages);
}

fn check(profile: &Profile, whole: &str, paths: &[(&str, &str)]) -> Result<(), String> {
    let paths: Vec<_> = paths.iter().map(|(path, text)| (*path, text.parse().unwrap())).collect();
    let checked = profile.check_budget(whole.parse().unwrap(), &paths);
    checked.map_err(|error| error.to_string())
}

#[test]
fn a_value_that_takes_all_of_its_budget_is_within_it() {
    let profile = Sample::new("x").with([Sample::data("a", 100), Sample::data("b", 28)]).profile();
    assert_eq!(check(&profile, "128", &[("a", "100"), ("b", "28 B"), ("", "128")]), Ok(()));
    assert!(check(&profile, "127", &[]).is_err());
    assert!(check(&profile, "128", &[("b", "27")]).is_err());
}

#[test]
fn exceeded_budgets_are_reported_with_the_tree() {
    let paths = [("matrix;values", "32 MiB"), ("variables", "1 GiB"), ("matrix;vales", "1 GiB")];
    expect![[r#"
        Model is over budget. One path does not exist.
        total          ≥ 185.8 MiB  of 64.0 MiB  +121.8 MiB  +190.3 %  not checked: cache (locked)
        matrix;values     64.0 MiB  of 32.0 MiB   +32.0 MiB  +100.0 %
        no path "matrix;vales" in Model; "matrix" has "values", "col_idx", "row_ptr"

        Model          ≥ 185.8 MiB  100.0 %
        ├─ matrix        112.0 MiB   60.3 %
        │  ├─ values      64.0 MiB   34.4 %   8,388,608 values
        │  ├─ col_idx     32.0 MiB   17.2 %   8,388,608 values
        │  └─ row_ptr     16.0 MiB    8.6 %   3,145,728 values, 4.0 MiB spare
        ├─ variables      73.8 MiB   39.7 %   1,000,000 values in 90,911 nodes
        │  ├─ name        38.0 MiB   20.5 %   1,000,000 allocations
        │  ├─ [spare]      9.0 MiB    4.8 %
        │  ├─ [keys]       7.6 MiB    4.1 %
        │  ├─ lower        7.6 MiB    4.1 %
        │  ├─ upper        7.6 MiB    4.1 %
        │  ├─ [nodes]      2.0 MiB    1.1 %
        │  └─ …2 more      1.9 MiB    1.0 %
        ├─ units             112 B    0.0 %
        └─ cache            ≥ 24 B    0.0 %   locked
        not exact: 1 locked · 1,090,914 allocations · 13.0 MiB spare (7.0 %)"#]]
    .assert_eq(&check(&model(), "64 MiB", &paths).unwrap_err());
    expect![[r#"
        Model is over budget
        total  ≥ 185.8 MiB  of 185.8 MiB  +1 B  +0.0 %  not checked: cache (locked)

        Model          ≥ 185.8 MiB  100.0 %
        ├─ matrix        112.0 MiB   60.3 %
        │  ├─ values      64.0 MiB   34.4 %   8,388,608 values
        │  ├─ col_idx     32.0 MiB   17.2 %   8,388,608 values
        │  └─ row_ptr     16.0 MiB    8.6 %   3,145,728 values, 4.0 MiB spare
        ├─ variables      73.8 MiB   39.7 %   1,000,000 values in 90,911 nodes
        │  ├─ name        38.0 MiB   20.5 %   1,000,000 allocations
        │  ├─ [spare]      9.0 MiB    4.8 %
        │  ├─ [keys]       7.6 MiB    4.1 %
        │  ├─ lower        7.6 MiB    4.1 %
        │  ├─ upper        7.6 MiB    4.1 %
        │  ├─ [nodes]      2.0 MiB    1.1 %
        │  └─ …2 more      1.9 MiB    1.0 %
        ├─ units             112 B    0.0 %
        └─ cache            ≥ 24 B    0.0 %   locked
        not exact: 1 locked · 1,090,914 allocations · 13.0 MiB spare (7.0 %)"#]]
    .assert_eq(&check(&model(), "194820951 B", &[]).unwrap_err());
    expect![[r#"
        Model could not be checked. One path does not exist.
        total  ≥ 185.8 MiB  of 1.0 GiB  not checked: cache (locked)
        no path "x" in Model; it has "matrix", "variables", "units", "cache"

        Model          ≥ 185.8 MiB  100.0 %
        ├─ matrix        112.0 MiB   60.3 %
        │  ├─ values      64.0 MiB   34.4 %   8,388,608 values
        │  ├─ col_idx     32.0 MiB   17.2 %   8,388,608 values
        │  └─ row_ptr     16.0 MiB    8.6 %   3,145,728 values, 4.0 MiB spare
        ├─ variables      73.8 MiB   39.7 %   1,000,000 values in 90,911 nodes
        │  ├─ name        38.0 MiB   20.5 %   1,000,000 allocations
        │  ├─ [spare]      9.0 MiB    4.8 %
        │  ├─ [keys]       7.6 MiB    4.1 %
        │  ├─ lower        7.6 MiB    4.1 %
        │  ├─ upper        7.6 MiB    4.1 %
        │  ├─ [nodes]      2.0 MiB    1.1 %
        │  └─ …2 more      1.9 MiB    1.0 %
        ├─ units             112 B    0.0 %
        └─ cache            ≥ 24 B    0.0 %   locked
        not exact: 1 locked · 1,090,914 allocations · 13.0 MiB spare (7.0 %)"#]]
    .assert_eq(&check(&model(), "1 GiB", &[("x", "1 GiB")]).unwrap_err());
    expect![[r#"
        Model is over budget
        total  ≥ 185.8 MiB  of 0 B  +185.8 MiB  –  not checked: cache (locked)

        Model          ≥ 185.8 MiB  100.0 %
        ├─ matrix        112.0 MiB   60.3 %
        │  ├─ values      64.0 MiB   34.4 %   8,388,608 values
        │  ├─ col_idx     32.0 MiB   17.2 %   8,388,608 values
        │  └─ row_ptr     16.0 MiB    8.6 %   3,145,728 values, 4.0 MiB spare
        ├─ variables      73.8 MiB   39.7 %   1,000,000 values in 90,911 nodes
        │  ├─ name        38.0 MiB   20.5 %   1,000,000 allocations
        │  ├─ [spare]      9.0 MiB    4.8 %
        │  ├─ [keys]       7.6 MiB    4.1 %
        │  ├─ lower        7.6 MiB    4.1 %
        │  ├─ upper        7.6 MiB    4.1 %
        │  ├─ [nodes]      2.0 MiB    1.1 %
        │  └─ …2 more      1.9 MiB    1.0 %
        ├─ units             112 B    0.0 %
        └─ cache            ≥ 24 B    0.0 %   locked
        not exact: 1 locked · 1,090,914 allocations · 13.0 MiB spare (7.0 %)"#]]
    .assert_eq(&check(&model(), "0", &[]).unwrap_err());
}

#[test]
fn a_part_that_was_not_visited_is_not_within_a_budget() {
    use crate::tree::OpaqueReason::{Borrowed, Foreign, Locked, Stopped};
    let of = |reason| {
        let cache = Sample::data("cache", 24).opaque(reason);
        Sample::new("Model").with([cache, Sample::data("units", 112)]).profile()
    };
    expect![[r#"
        Model could not be checked
        total  ≥ 136 B  of 1.0 KiB  not checked: cache (locked)

        Model     ≥ 136 B  100.0 %
        ├─ units    112 B   82.4 %
        └─ cache   ≥ 24 B   17.6 %   locked
        not exact: 1 locked"#]]
    .assert_eq(&check(&of(Locked), "1 KiB", &[]).unwrap_err());
    expect![[r#"
        Model is over budget. One part could not be checked. One path does not exist.
        total  ≥ 136 B    of 100 B  +36 B  +36.0 %  not checked: cache (borrowed)
        cache   ≥ 24 B  of 1.0 KiB                  not checked: cache (borrowed)
        no path "x" in Model; it has "units", "cache"

        Model     ≥ 136 B  100.0 %
        ├─ units    112 B   82.4 %
        └─ cache   ≥ 24 B   17.6 %   borrowed
        not exact: 1 borrowed"#]]
    .assert_eq(
        &check(&of(Borrowed), "100 B", &[("cache", "1 KiB"), ("units", "1 KiB"), ("x", "1")])
            .unwrap_err(),
    );
    assert!(check(&of(Stopped), "1 KiB", &[]).is_err());
    // No walk visits these contents, so a budget is for what is visible.
    assert_eq!(check(&of(Foreign), "1 KiB", &[("cache", "24 B")]), Ok(()));
    // A path that the contents may have is not missing.
    let missing = check(&of(Locked), "1 B", &[("cache;entries", "1 KiB")]).unwrap_err();
    assert!(missing.contains("\ncache;entries    ≥ 0 B  of 1.0 KiB"), "{missing}");
    let whole = Sample::new("Map").opaque(Locked).profile();
    let error = check(&whole, "1 KiB", &[]).unwrap_err();
    assert!(error.contains("not checked: Map (locked)"), "{error}");
}

#[test]
fn a_message_is_no_longer_than_a_screen() {
    let long = "a_name_that_goes_on_and_on_until_nobody_remembers_how_it_began_".repeat(3);
    let leaf = |at: usize| Sample::data(&format!("{long}{at}"), 100 + at);
    let branch = |at: usize| Sample::new(&format!("{at}{long}")).with((0..30).map(leaf));
    let wide = Sample::new(&long).with((0..30).map(branch)).profile();
    let deep = (0..300).fold(Sample::data("x", 1), |below, at| {
        Sample::data(&format!("level {at}"), 1).with([below])
    });
    let paths: Vec<_> = (0..50).map(|at| format!("{at}{long}")).collect();
    let paths: Vec<_> = paths.iter().map(|path| (path.as_str(), Budget::of_bytes(1))).collect();
    for profile in [wide, deep.profile(), model()] {
        for paths in [&paths[..], &paths[..3], &[]] {
            let error = profile.check_budget(Budget::of_bytes(1), paths).unwrap_err();
            let message = error.to_string();
            assert!(message.lines().count() < 40, "{message}");
            assert!(message.lines().count() > 10 || paths.is_empty(), "{message}");
            for line in message.lines() {
                assert!(crate::text::columns(line) <= 100, "{line}");
            }
        }
    }
}
