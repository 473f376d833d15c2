//! Tests of `CUDA_VISIBLE_DEVICES`, read by a separate process.

use memprof_gpu::VisibleDevices;
use std::process::Command;

/// Runs a process with this value of the variable, and returns what it reads.
fn visible_with(value: Option<&str>) -> String {
    let mut process = Command::new(std::env::current_exe().unwrap());
    process.args(["--exact", "visible::prints_the_visible_devices", "--ignored", "--nocapture"]);
    match value {
        Some(value) => process.env("CUDA_VISIBLE_DEVICES", value),
        None => process.env_remove("CUDA_VISIBLE_DEVICES"),
    };
    let output = process.output().unwrap();
    assert!(output.status.success(), "{output:?}");
    let output_text = String::from_utf8(output.stdout).unwrap();
    output_text.lines().find_map(|line| line.split_once("it sees ")).unwrap().1.to_owned()
}

#[test]
#[ignore = "the other test runs it"]
fn prints_the_visible_devices() {
    println!("it sees {:?}", VisibleDevices::from_environment());
}

#[test]
fn the_variable_of_the_process_is_read() {
    assert_eq!(visible_with(None), "All");
    assert_eq!(visible_with(Some("")), "Listed([])");
    assert_eq!(visible_with(Some("1,0")), "Listed([Index(1), Index(0)])");
    assert_eq!(visible_with(Some("GPU-5f2c")), "Listed([Uuid(\"GPU-5f2c\")])");
    assert_eq!(visible_with(Some("MIG-0a0b")), "Listed([Mig(\"MIG-0a0b\")])");
}
