//! Tests of the example `cuda_check`, with a fake driver and, if there is one, with a device.

use crate::fake::Fake;
use std::ffi::OsString;

#[expect(dead_code, reason = "its `main` is the example's")]
#[path = "../../examples/cuda_check/main.rs"]
mod cuda_check;

/// Runs the check. Returns whether all rows hold, and the output.
fn checked(arguments: &[OsString]) -> (bool, String) {
    let mut printed = Vec::new();
    let holds = cuda_check::run(arguments.iter().cloned(), &mut printed).unwrap();
    (holds, String::from_utf8(printed).unwrap())
}

/// Runs the check with the fake driver.
fn over(fake: &Fake) -> (bool, String) {
    checked(&["--driver".into(), fake.path().into()])
}

/// Returns the names of the rows that failed.
fn failed(printed: &str) -> Vec<&str> {
    let failed = printed.lines().filter(|line| line.ends_with("FAILS"));
    failed.map(|line| line[6..].split("  ").next().unwrap_or("")).collect()
}

#[test]
fn without_a_driver_the_check_prints_why_it_is_skipped() {
    let missing = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("libcuda-missing.so");
    let (holds, printed) = checked(&["--driver".into(), missing.into()]);
    assert!(holds);
    assert_eq!(printed.lines().count(), 1, "{printed}");
    assert!(printed.starts_with("skipped: no CUDA driver: "), "{printed}");
}

#[test]
fn without_a_device_the_check_prints_why_it_is_skipped() {
    let fake = Fake::new("cuda", &[]);
    fake.set("devices", 0);
    let (holds, printed) = over(&fake);
    assert!(holds);
    assert!(printed.starts_with("skipped: the CUDA driver finds no device: "), "{printed}");
}

#[test]
fn with_a_fake_only_the_clock_fails_the_check() {
    let fake = Fake::new("cuda", &[]);
    let (holds, printed) = over(&fake);
    assert!(!holds);
    assert_eq!(failed(&printed), ["ten sleeps of the host, by the timer"], "{printed}");
    assert!(
        printed.starts_with("Fake H100 (GPU-00102030-4050-6070-8090-a0b0c0d0e0f0) · CUDA 13.0")
    );
    let names = ["allocations", "pinned", "events", "contexts retained", "contexts pushed"];
    assert_eq!(names.map(|name| fake.get(name)), [0; 5], "nothing is left behind");
}

#[test]
fn json_and_table_have_the_same_rows() {
    let fake = Fake::new("cuda", &[]);
    let (_, printed) = over(&fake);
    let json = &printed[printed.find("\n{").unwrap()..];
    let check: serde_json::Value = serde_json::from_str(json).unwrap();
    assert_eq!(check["device"], "Fake H100");
    let rows = check["rows"].as_array().unwrap();
    assert!(printed.contains(&format!("\n{} rows · 1 failed · ", rows.len())), "{printed}");
    let total = rows.iter().find(|row| row["what"] == "total, by the context and by the device");
    assert_eq!(total.unwrap()["measured"]["bytes"], 1 << 30);
}

#[test]
fn the_check_finds_a_pool_with_wrong_statistics() {
    let fake = Fake::new("cuda", &[]);
    fake.set("forgotten bytes", 4096);
    let (_, printed) = over(&fake);
    assert!(failed(&printed).contains(&"allocated, of seven times 32 MiB"), "{printed}");
}

#[test]
#[ignore = "needs a CUDA device"]
fn on_a_device_everything_holds() {
    let (holds, printed) = checked(&[]);
    println!("{printed}");
    assert!(holds);
}

#[test]
fn other_arguments_are_an_error() {
    for arguments in [&["--driver"][..], &["driver", "x"], &["--driver", "x", "y"]] {
        let arguments = arguments.iter().map(OsString::from);
        let error = cuda_check::run(arguments, &mut Vec::new()).unwrap_err();
        assert_eq!(error.to_string(), "expected nothing, or `--driver FILE`");
    }
}
