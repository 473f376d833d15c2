//! Tests of the command line: help, errors and their exit codes.

use super::{AFTER_HELP, Arguments, Check, names, parse};
use crate::fuzz::Choice;
use crate::usage::{Usage, chosen};
use clap::CommandFactory;
use std::ffi::OsString;

fn parsed(line: &str) -> Result<Check, clap::Error> {
    let arguments = std::iter::once("xtask").chain(line.split_whitespace()).map(OsString::from);
    parse(arguments).map(|arguments| arguments.check)
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
fn each_spelling_of_help_succeeds() {
    for line in ["--help", "-h", "help"] {
        let help = parsed(line).expect_err("there is no check to run");
        assert_eq!(help.exit_code(), 0, "{line}");
        assert!(help.to_string().contains("docs/internal/development.md"), "{line}");
    }
}

#[test]
fn the_help_has_examples_that_parse() {
    let lines = AFTER_HELP.lines().filter_map(|line| line.strip_prefix("  cargo xtask "));
    let examples: Vec<&str> = lines.collect();
    assert!(!examples.is_empty());
    for example in examples {
        assert!(parsed(example).is_ok(), "{example}");
    }
}

#[test]
fn each_check_has_help_that_does_not_run_it() {
    for name in names(&Arguments::command()) {
        for line in [format!("{name} --help"), format!("{name} -h"), format!("help {name}")] {
            let help = parsed(&line).expect_err("there is no check to run");
            assert_eq!(help.exit_code(), 0, "{line}");
            assert!(help.to_string().contains(&format!("cargo xtask {name}")), "{line}");
        }
    }
}

#[test]
fn a_command_line_without_a_check_prints_the_checks() {
    assert!(error("").contains("exactness"));
}

#[test]
fn the_error_for_an_unknown_check_lists_the_known_ones() {
    let text = error("exactnes");
    assert!(text.contains("`exactnes` is not a check; expected one of exactness, "), "{text}");
    assert!(error("help exactnes").contains("exactnes"));
}

#[test]
fn the_error_names_unexpected_arguments() {
    for line in ["exactness now", "week --fast", "overhead table"] {
        let text = error(line);
        let last = line.rsplit(' ').next().unwrap_or(line);
        assert!(text.contains(&format!("'{last}'")), "{line}: {text}");
    }
}

#[test]
fn the_error_for_an_unknown_value_lists_the_known_ones() {
    assert!(error("exports pdf").contains("'pdf'") && error("exports pdf").contains("speedscope"));
    assert!(error("fuzz pdf").contains("'pdf'") && error("fuzz pdf").contains("gpu_trace"));
}

#[test]
fn fuzz_takes_seconds_and_targets() {
    let Ok(Check::Fuzz { choices }) = parsed("fuzz 60 folded") else { panic!("it is accepted") };
    assert_eq!(choices, [Choice::Seconds(60), Choice::Target("folded")]);
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

#[cfg(unix)]
#[test]
fn the_error_for_the_name_of_a_measurement_names_the_command() {
    let text = error("table");
    assert!(text.contains("run `cargo xtask measure table`"), "{text}");
    assert!(error("measure tables").contains("compile-time"));
    assert!(matches!(parsed("measure table overhead --check"), Ok(Check::Measure(_))));
    assert!(matches!(parsed("overhead"), Ok(Check::Overhead)));
}
