//! Tests of the command line: help, errors and their exit codes.

use super::{AFTER_HELP, Arguments, Check, parse};
use crate::usage::{Usage, chosen};
use clap::CommandFactory;
use std::ffi::OsString;

fn parsed(line: &str) -> Result<Check, clap::Error> {
    parse(std::iter::once("xtask").chain(line.split_whitespace()).map(OsString::from))
}

/// Returns the text that a wrong command line prints; its exit code is 2.
fn error(line: &str) -> String {
    let error = parsed(line).expect_err("the command line is wrong");
    assert_eq!(error.exit_code(), 2, "{line}");
    error.to_string()
}

#[test]
fn the_definition_is_consistent() {
    Arguments::command().debug_assert();
}

#[test]
fn help_succeeds_and_names_each_check() {
    let help = parsed("--help").expect_err("there is no check to run");
    assert_eq!(help.exit_code(), 0);
    let text = help.to_string();
    for check in Arguments::command().get_subcommands() {
        assert!(text.contains(&format!("\n  {} ", check.get_name())), "{}", check.get_name());
    }
    assert!(text.contains("docs/internal/development.md"));
}

#[test]
fn the_help_has_examples_that_parse() {
    let examples: Vec<&str> =
        AFTER_HELP.lines().filter_map(|line| line.strip_prefix("  cargo xtask ")).collect();
    assert!(!examples.is_empty());
    for example in examples {
        assert!(parsed(example).is_ok(), "{example}");
    }
}

#[test]
fn an_unknown_check_is_an_error_that_lists_the_known_ones() {
    assert!(error("").contains("exactness"));
    let text = error("exactnes");
    assert!(text.contains("`exactnes` is not a check; expected one of exactness, "), "{text}");
}

#[test]
fn an_unknown_value_is_an_error_that_lists_the_known_ones() {
    assert!(error("exports pdf").contains("perfetto"));
    assert!(error("fuzz pdf").contains("timeline"));
}

#[test]
fn fuzz_takes_targets_and_seconds() {
    let Ok(Check::Fuzz { targets, seconds }) = parsed("fuzz folded --seconds 60") else {
        panic!("it is accepted")
    };
    assert_eq!((targets, seconds), (vec!["folded".to_owned()], 60));
}

#[test]
fn parts_of_names_select_checks_and_unknown_parts_are_errors() {
    let names = ["fork", "full-disk", "full-from-start"];
    let part = |part: &str| chosen("case", &[part.to_owned()], names);
    assert_eq!(part("full").expect("two have it"), ["full-disk", "full-from-start"]);
    assert_eq!(chosen("case", &[], names).expect("all"), names);
    let Err(Usage(text)) = part("empty") else { panic!("no name has it") };
    assert_eq!(
        text,
        "no case has `empty` in its name; expected a part of one of:\n  fork\n  full-disk\n  \
         full-from-start"
    );
}
