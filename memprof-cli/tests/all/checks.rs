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
