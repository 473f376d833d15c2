//! Tests of exit codes: 0 for success, 1 for a failed check, 2 for an invalid file or argument.

use crate::memprof::{file, folder, run};
use crate::recordings::importer;
use crate::samples::json;
use memprof_profile::tree::{LeafKind, OpaqueReason};
use memprof_profile::walk::{Position, Walk};
use memprof_profile::{MemoryProfile, Profile};

#[test]
fn growth_beyond_the_limit_fails_the_check_after_the_table_is_printed() {
    let folder = folder("growth");
    let before = file(&folder, "before.folded", "root;a 1000\n");
    let after = file(&folder, "after.folded", "root;a 1050\n");
    let cases = [
        ("5%", 0),
        ("4.9%", 1),
        ("50B", 0),
        ("49 B", 1),
        ("1 KiB", 0),
        ("5.00 %", 0),
        ("0", 1),
        ("0%", 1),
        ("100 B", 0),
    ];
    for (limit, code) in cases {
        for form in [&[][..], &["--json"], &["--markdown"]] {
            let arguments = [&["diff", "--fail-if-grows", limit, &before, &after], form].concat();
            let ran = run(&arguments);
            assert_eq!(ran.code, Some(code), "{arguments:?}: {ran:?}");
            assert!(ran.out.contains("50"), "the table is printed either way");
            assert_eq!(ran.err.is_empty(), code == 0);
        }
        let shrunk = run(&["diff", "--fail-if-grows", limit, &after, &before]);
        assert_eq!(shrunk.code, Some(0), "{limit}: {shrunk:?}");
    }
    let ran = run(&["diff", "--fail-if-grows", "1%", &before, &after]);
    assert_eq!(
        ran.err,
        format!(
            "memprof: {after}: grew by 50 B (1000 B → 1.0 KiB), more than 1 % (`--fail-if-grows`)\n"
        )
        .replace("1000 B", "1,000 B")
    );
}

#[test]
fn a_limit_may_be_that_of_a_path_and_each_violated_limit_has_a_line() {
    let folder = folder("growth-of-paths");
    let before =
        file(&folder, "before.folded", "Index;ids;low 1000\nIndex;names 5000\nIndex;a=b 8\n");
    let after = file(
        &folder,
        "after.folded",
        "Index;ids;low 1000\nIndex;ids;high 100\nIndex;names 4000\nIndex;a=b 8\nIndex;new 10\n",
    );
    let diff = |limits: &[&str]| {
        let limits = limits.iter().flat_map(|limit| ["--fail-if-grows", limit]);
        let rest = ["--units", "bytes", &before, &after];
        run(&["diff"].into_iter().chain(limits).chain(rest).collect::<Vec<_>>())
    };
    let holds: [&[&str]; 8] = [
        &["Index;ids=10%"],
        &["ids=100 B"],
        &["ids;low=0"],
        &["Index=0", "0"],
        &["Index;names=0%"],
        &["Index;a=b=0"],
        &["new=10B"],
        &["Index;ids=10%", "Index;names=1 MiB", "5%"],
    ];
    for limits in holds {
        let ran = diff(limits);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{limits:?}: {ran:?}");
    }
    let ran = diff(&["Index;ids=9%", "5%", "ids;high=50 B", "Index;names=0", "Index;new=0"]);
    let expected = "\
memprof: AFTER: Index;ids grew by 100 B (1,000 B → 1,100 B), more than 9 % (`--fail-if-grows`)
memprof: AFTER: ids;high grew by 100 B (new → 100 B), more than 50 B (`--fail-if-grows`)
memprof: AFTER: Index;new grew by 10 B (new → 10 B), more than 0 B (`--fail-if-grows`)
";
    assert_eq!((ran.code, ran.err), (Some(1), expected.replace("AFTER", &after)));
    assert!(ran.out.contains("total"), "the table is printed either way");
    let ran = diff(&["5%", "Index;idz=5%"]);
    let expected =
        "memprof: AFTER: no path \"idz\" in Index; it has \"names\", \"ids\", \"new\", \"a=b\"\n";
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert_eq!(ran.err, expected.replace("AFTER", &after));
    for wrong in ["=5%", "Index;ids=", "Index;ids=5 stones"] {
        let ran = diff(&[wrong]);
        assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{wrong}: {ran:?}");
    }
}

#[test]
fn the_root_of_a_path_may_be_as_the_table_shows_it_or_left_out() {
    let folder = folder("growth-root");
    let before = file(&folder, "before.folded", "my model;a 1000\n");
    let after = file(&folder, "after.folded", "my model;a 1100\n");
    for path in ["my model;a", "my_model;a", "a"] {
        for (limit, code) in [("10%", 0), ("9%", 1)] {
            let limit = format!("{path}={limit}");
            let ran = run(&["diff", "--fail-if-grows", &limit, &before, &after]);
            assert_eq!(ran.code, Some(code), "{limit}: {ran:?}");
        }
    }
}

#[test]
fn names_that_folded_stacks_cannot_have_are_compared_with_folded_stacks() {
    struct Cities(usize);
    impl MemoryProfile for Cities {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            for name in ["New York", "a;b", "a:b"] {
                let at = walk.entry(at, name);
                walk.allocation(at, self.0, self.0);
            }
        }
    }
    let folder = folder("growth-names");
    let of = |bytes| Profile::named("cities", &Cities(bytes));
    let [before, after] = [("before", of(1000)), ("after", of(1100))].map(|(name, profile)| {
        [
            file(&folder, &format!("{name}.json"), json(&profile)),
            file(&folder, &format!("{name}.folded"), profile.to_folded()),
        ]
    });
    for (before, after) in
        before.iter().flat_map(|before| after.iter().map(move |after| (before, after)))
    {
        for (limit, code) in [("New York=11%", 0), ("New York=9%", 1), ("New_York=9%", 1)] {
            let ran = run(&["diff", "--fail-if-grows", limit, before, after]);
            assert_eq!(ran.code, Some(code), "{limit}: {ran:?}");
            assert!(!ran.out.contains("gone"), "{ran:?}");
        }
    }
}

#[test]
fn growth_is_compared_exactly_with_the_limit() {
    let folder = folder("growth-edges");
    let of = |bytes: u64| file(&folder, &bytes.to_string(), format!("root;a {bytes}\n"));
    let cases = [
        (0, 1, "1000%", 1),
        (0, 0, "0%", 0),
        (0, 10, "10 B", 0),
        // In floating point, 19.4 % of 1500 is less than 291.
        (1500, 1791, "19.4%", 0),
        (1500, 1792, "19.4%", 1),
        (1, u64::MAX, "16777215 TiB", 1),
        (u64::MAX - 1, u64::MAX, "0", 1),
    ];
    for (before, after, limit, code) in cases {
        let ran = run(&["diff", "--fail-if-grows", limit, &of(before), &of(after)]);
        assert_eq!(ran.code, Some(code), "{before} {after} {limit}: {ran:?}");
    }
}

#[test]
fn the_exit_code_of_wrong_arguments_is_2_and_of_help_0() {
    let folder = folder("arguments");
    let model = file(&folder, "model.json", json(&crate::samples::model()));
    let wrong: [&[&str]; 15] = [
        &[],
        &["tree"],
        &["draw", &model],
        &["tree", "--units", "stones", &model],
        &["tree", "--min-share", "NaN", &model],
        &["tree", "--min-share", "101", &model],
        &["tree", "--json", "--depth", "2", &model],
        &["diff", "--fail-if-grows", "-5%", &model, &model],
        &["diff", "--fail-if-grows", "5k", &model, &model],
        &["diff", "--fail-if-grows", "1,5%", &model, &model],
        &["diff", "--fail-if-grows", "17 EiB", &model, &model],
        &["diff", "--json", "--markdown", &model, &model],
        &["report", "--json", "--markdown", &model],
        &["top", "-n", "-1", &model],
        &["export", "--to", "pdf", &model],
    ];
    for arguments in wrong {
        let ran = run(arguments);
        assert_eq!(ran.code, Some(2), "{arguments:?}: {ran:?}");
        assert_eq!(ran.out, "", "{arguments:?}");
        assert!(!ran.err.is_empty(), "{arguments:?}");
    }
    for arguments in [&["--help"][..], &["--version"], &["help", "diff"], &["tree", "-h"]] {
        let ran = run(arguments);
        assert_eq!(ran.code, Some(0), "{arguments:?}: {ran:?}");
        assert!(!ran.out.is_empty());
    }
}

#[test]
fn the_unknown_command_timeline_is_an_error_that_names_html() {
    let ran = run(&["timeline", "run.json"]);
    assert_eq!((ran.code, ran.out.as_str()), (Some(2), ""), "{ran:?}");
    assert!(ran.err.contains("a similar subcommand exists: 'html'"), "{}", ran.err);
}

#[test]
fn a_limit_without_a_unit_is_rejected_because_it_may_be_meant_as_a_percentage() {
    let folder = folder("limit-without-unit");
    let file = file(&folder, "same.folded", "root;a 1000\n");
    for limit in ["5", "root;a=5", "1_000", "0.5"] {
        let ran = run(&["diff", "--fail-if-grows", limit, &file, &file]);
        let amount = limit.rsplit('=').next().expect("there is a part");
        let expected = format!(
            "`{amount}` has no unit; expected for example `{amount}%`, `{amount}MiB`, `{amount}B`, \
             or `0`"
        );
        assert!(ran.code == Some(2) && ran.err.contains(&expected), "{limit}: {ran:?}");
    }
    for limit in ["0", "0.0", "root;a=0", "0%"] {
        assert_eq!(run(&["diff", "--fail-if-grows", limit, &file, &file]).code, Some(0), "{limit}");
    }
}

#[test]
fn a_limit_that_cannot_be_checked_fails() {
    let folder = folder("unknown-growth");
    let profile = |name, opaque, bytes| file(&folder, name, json(&part_visited(opaque, bytes)));
    let (small, large) = (profile("small.json", true, 1000), profile("large.json", true, 9000));
    let (exact, exact_large) =
        (profile("exact.json", false, 1000), profile("exact-large.json", false, 9000));
    let check = |limit, before, after| run(&["diff", "--fail-if-grows", limit, before, after]);
    let unknown = |ran: &crate::memprof::Ran, figures: &str| {
        ran.code == Some(1)
            && ran.err.contains(&format!(
                "unknown growth ({figures}), because not all values were visited; raise"
            ))
    };
    let ran = check("0", &large, &small);
    assert!(unknown(&ran, "≥ 9.3 KiB → ≥ 1.5 KiB"), "{ran:?}");
    assert!(ran.out.contains("unknown"), "{ran:?}");
    let ran = check("100 MiB", &exact, &small);
    assert!(unknown(&ran, "1.5 KiB → ≥ 1.5 KiB"), "{ran:?}");
    let ran = check("5%", &small, &exact_large);
    assert!(unknown(&ran, "≥ 1.5 KiB → 9.3 KiB"), "{ran:?}");
    let ran = check("catalogue;products=0", &small, &small);
    assert!(ran.err.contains("products has unknown growth (≥ 1,000 B → ≥ 1,000 B)"), "{ran:?}");
    // The lower bound alone exceeds the limit.
    let ran = check("5%", &exact, &large);
    assert_eq!(ran.code, Some(1));
    assert!(ran.err.contains("grew by at least 7.8 KiB (1.5 KiB → ≥ 9.3 KiB)"), "{ran:?}");
    // More bytes before only make the growth smaller.
    assert_eq!(check("0", &large, &exact).code, Some(0));
    // All values of this path were visited.
    assert_eq!(check("audit=0", &large, &small).code, Some(0));
}

/// Returns a profile whose branch `products` lacks values if `is_partial`.
fn part_visited(is_partial: bool, bytes: usize) -> Profile {
    struct Catalogue(bool, usize);
    impl MemoryProfile for Catalogue {
        fn owned<'a>(&'a self, walk: &mut Walk<'a>, at: Position) {
            let audit = walk.entry(at, "audit");
            walk.leaf(audit, LeafKind::Data, 500);
            let products = walk.entry(at, "products");
            walk.leaf(products, LeafKind::Data, self.1);
            if self.0 {
                walk.opaque(products, OpaqueReason::Stopped);
            }
        }
    }
    Profile::named("catalogue", &Catalogue(is_partial, bytes))
}

#[test]
fn a_root_that_only_one_snapshot_lacks_makes_the_growth_unknown() {
    let mut recorded = importer();
    let snapshots = &mut recorded.snapshots;
    snapshots[4]["roots"][3] =
        serde_json::json!({"name": "queue", "state": "spared", "held_ns": 0, "total_bytes": null});
    let file = file(&folder("missing-root"), "run.json", recorded.report());
    let check = |limit, before: &str, after: &str| {
        let (before, after) = (format!("{file}@{before}"), format!("{file}@{after}"));
        run(&["diff", "--fail-if-grows", limit, &before, &after])
    };
    for limit in ["100 GiB", "queue=0", "queue;jobs=0"] {
        let ran = check(limit, "8", "warm");
        assert!(ran.code == Some(1) && ran.err.contains("unknown growth"), "{limit}: {ran:?}");
    }
    assert_eq!(check("model=0", "8", "warm").code, Some(0));
    assert_eq!(check("100 GiB", "warm", "end").code, Some(0), "both snapshots lack it");
}
