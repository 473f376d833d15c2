//! The program, with few and small tensors.

use memprof::Device;
use memprof::gpu::overhead::{Outcome, Report};
use std::path::Path;
use std::process::{Command, Output};

fn program(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_wrapper")).args(arguments).output().unwrap()
}

#[test]
fn the_quick_set_measures_the_host_and_says_what_it_skips() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let files = ["json", "md", "svg"].map(|ending| folder.join(format!("quick.{ending}")));
    let [json, markdown, svg] = files.each_ref().map(|file| file.to_str().unwrap());
    let output = program(&["--quick", "--json", json, "--markdown", markdown, "--svg", svg]);
    let text = String::from_utf8(output.stdout).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{errors}");
    assert_eq!(errors, "");

    let report = Report::from_json(&std::fs::read_to_string(json).unwrap()).unwrap();
    let on = |device: Device| report.rows.iter().filter(move |row| row.device == device);
    for row in on(Device::Cpu).filter(|row| row.operation != "candle") {
        let comparison = row.comparison().unwrap_or_else(|| panic!("{row:?} was not measured"));
        assert!(comparison.host.raw_ns > 0.0 && comparison.host.wrapped_ns > 0.0, "{row:?}");
        assert!(row.split.is_some_and(|split| split.dispatch_ns.is_some()), "{row:?}");
    }
    for operation in ["create", "add m + km", "matmul", "linear forward, backward"] {
        for dtype in ["f32", "f16", "bf16"] {
            let is_it = |row: &&memprof::gpu::overhead::Row| {
                row.operation == operation && row.dtype.as_deref() == Some(dtype)
            };
            assert!(on(Device::Cpu).filter(is_it).count() >= 2, "{operation} {dtype}");
        }
    }
    let skipped = on(Device::Cuda(0)).find_map(|row| match &row.outcome {
        Outcome::Skipped { reason, .. } => {
            Some(format!("cuda:0, {}: skipped, {reason}", row.operation))
        }
        Outcome::Measured(_) => None,
    });
    match skipped {
        Some(line) => {
            println!("{line}");
            assert!(text.contains(&line), "{line:?} in {text}");
        }
        None => assert!(on(Device::Cuda(0)).count() > 0, "a device is measured or skipped"),
    }
    assert!(std::fs::read_to_string(markdown).unwrap().contains("| cpu | add | f32 |"));
    assert!(std::fs::read_to_string(svg).unwrap().contains("<svg"));
}

#[test]
fn one_device_can_be_asked_for_and_a_missing_one_is_no_failure() {
    let drawing = Path::new(env!("CARGO_TARGET_TMPDIR")).join("missing.svg");
    let svg = drawing.to_str().unwrap();
    let output = program(&["--quick", "--device", "cuda:999", "--svg", svg]);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(output.status.success());
    assert!(text.contains("cuda:999, all: skipped, "), "{text}");
    assert!(!text.contains("cpu "), "{text}");
    let errors = String::from_utf8(output.stderr).unwrap();
    assert!(errors.contains("there is nothing to draw") && !drawing.exists(), "{errors}");
}

#[test]
fn words_that_are_not_known_are_said_with_what_is() {
    for (arguments, expected) in [
        (&["--fast"][..], "\"--fast\" is not known"),
        (&["--json"], "--json needs a value"),
        (&["--device", "gpu"], "\"gpu\" is no device: expected cpu or cuda:0"),
        (&["--device", "metal:0"], "\"metal:0\" is no device"),
    ] {
        let output = program(arguments);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        assert!(errors.starts_with(expected) && errors.contains("usage: wrapper"), "{errors}");
    }
}

#[test]
fn a_file_that_can_not_be_written_is_named() {
    let output = program(&["--device", "cuda:999", "--json", "no/such/folder/out.json"]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(errors.starts_with("no/such/folder/out.json: "), "{errors}");
}
