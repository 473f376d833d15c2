//! Tests of `CUDA_VISIBLE_DEVICES`, read by a separate process.

use memprof_gpu::VisibleDevices;
use std::process::Command;

/// Runs a process with this value of the variable, and returns what it reads.
fn seen_with(value: Option<&str>) -> String {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args(["--exact", "visible::says_what_it_sees", "--ignored", "--nocapture"]);
    match value {
        Some(value) => process.env("CUDA_VISIBLE_DEVICES", value),
        None => process.env_remove("CUDA_VISIBLE_DEVICES"),
    };
    let output = process.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let said = String::from_utf8(output.stdout).unwrap();
    said.lines().find_map(|line| line.split_once("it sees ")).unwrap().1.to_owned()
}

#[test]
#[ignore = "the other test runs it"]
fn says_what_it_sees() {
    println!("it sees {:?}", VisibleDevices::from_environment());
}

#[test]
fn the_variable_of_the_process_is_read() {
    assert_eq!(seen_with(None), "All");
    assert_eq!(seen_with(Some("")), "Listed([])");
    assert_eq!(seen_with(Some("1,0")), "Listed([Index(1), Index(0)])");
    assert_eq!(seen_with(Some("GPU-5f2c")), "Listed([Uuid(\"GPU-5f2c\")])");
    assert_eq!(seen_with(Some("MIG-0a0b")), "Listed([Mig(\"MIG-0a0b\")])");
}
