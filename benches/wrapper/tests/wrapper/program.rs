//! The program, with few and small tensors.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

/// Runs the program, and writes its figures into a folder with this name.
fn program(folder: &str, arguments: &[&str]) -> Output {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(folder);
    let mut program = Command::new(env!("CARGO_BIN_EXE_wrapper"));
    program.arg("--output").arg(folder).args(arguments).output().unwrap()
}

#[test]
fn the_quick_set_measures_the_host_and_lists_what_it_skips() {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join("quick.md");
    let output = program("quick", &["--effort", "quick", "--markdown", file.to_str().unwrap()]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let printed = String::from_utf8(output.stdout).unwrap();
    let report = fs::read_to_string(file).unwrap();
    assert!(printed.ends_with(&report), "the report is printed last");

    let times = report.split_once("Raw and wrapped").unwrap().1;
    let (times, rest) = times.split_once("The time that the wrapper adds").unwrap();
    let (lines, phases) = rest.split_once("The host's time").unwrap();
    for operation in ["create", "add m + km", "matmul", "linear forward, backward"] {
        for dtype in ["f32", "f16", "bf16"] {
            let name = format!("| cpu | {operation} | {dtype} |");
            let count = |text: &str| text.matches(&name).count();
            assert!(count(times) >= 2, "{name} in {times}");
            assert_eq!((count(lines), count(phases)), (1, count(times)), "{name}");
        }
    }
    let is_measured = times.contains("| cuda:0 |");
    assert!(is_measured || report.contains("| cuda:0 | all | "), "{report}");
}

#[test]
fn one_device_can_be_selected_and_a_missing_one_is_skipped() {
    let output = program("missing", &["--effort", "quick", "--device", "cuda:999"]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(text.contains("| cuda:999 | all | "), "{text}");
    assert!(!text.contains("| cpu |"), "{text}");
}

#[test]
fn unknown_arguments_are_errors_with_the_usage() {
    for (arguments, expected) in [
        (&["--fast"][..], "unexpected argument '--fast'"),
        (&["--markdown"], "a value is required for '--markdown"),
        (&["--device", "gpu"], "expected `cpu` or `cuda:0`"),
        (&["--device", "metal:0"], "expected `cpu` or `cuda:0`"),
    ] {
        let output = program("words", arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(errors.contains(expected), "{errors}");
    }
}

#[test]
fn the_error_names_a_file_that_cannot_be_written() {
    let arguments = ["--device", "cuda:999", "--markdown", "no/such/folder/out.md"];
    let output = program("unwritable", &arguments);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(errors.starts_with("no/such/folder/out.md: "), "{errors}");
}
