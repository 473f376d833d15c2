//! Tests of exit codes: 0 for success, 1 for a failed check, 2 for an invalid file or argument.

use crate::memprof::{file, folder, run};
use crate::samples::json;

#[test]
fn growth_beyond_the_limit_fails_the_check_after_the_table_is_printed() {
    let folder = folder("growth");
    let before = file(&folder, "before.folded", "root;a 1000\n");
    let after = file(&folder, "after.folded", "root;a 1050\n");
    let cases = [
        ("5%", 0),
        ("4.9%", 1),
        ("50", 0),
        ("49", 1),
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
            "memprof: {after}: grew by 50 B (1000 B → 1.0 KiB): \
             expected at most 1 % (`--fail-if-grows`)\n"
        )
        .replace("1000 B", "1 000 B")
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
        &["new=10"],
        &["Index;ids=10%", "Index;names=1 MiB", "5%"],
    ];
    for limits in holds {
        let ran = diff(limits);
        assert_eq!((ran.code, ran.err.as_str()), (Some(0), ""), "{limits:?}: {ran:?}");
    }
    let ran = diff(&["Index;ids=9%", "5%", "ids;high=50 B", "Index;names=0", "Index;new=0"]);
    let expected = "\
memprof: AFTER: Index;ids grew by 100 B (1 000 B → 1 100 B): expected at most 9 % (`--fail-if-grows`)
memprof: AFTER: ids;high grew by 100 B (new → 100 B): expected at most 50 B (`--fail-if-grows`)
memprof: AFTER: Index;new grew by 10 B (new → 10 B): expected at most 0 B (`--fail-if-grows`)
";
    assert_eq!((ran.code, ran.err), (Some(1), expected.replace("AFTER", &after)));
    assert!(ran.out.contains("total"), "the table is printed either way");
    let ran = diff(&["5%", "Index;idz=5%"]);
    let expected = "memprof: AFTER: no path \"idz\" in Index; closest is \"ids\"\n";
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
