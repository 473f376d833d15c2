//! Tests of `memprof gpu` with a recorded trace: the text for people and the JSON for programs.

#![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

use crate::memprof::{folder, run};
use expect_test::expect;
use std::fs;

/// A device that is nearly full, one without a list of processes, and one that is lost.
pub(crate) const TRACE: &str = concat!(
    r#"{"format":"memprof gpu trace","version":1,"started_unix_ns":1763769600000000000,"#,
    r#""environment":{"driver":"580.159.03","cuda":null},"devices":["#,
    r#"{"index":0,"uuid":"GPU-1111","name":"NVIDIA H100 80GB HBM3","part":null,"ordinal":0},"#,
    r#"{"index":1,"uuid":"MIG-2222","name":"evil\u001b[31m","part":3,"ordinal":null},"#,
    r#"{"index":2,"uuid":"unknown: lost","name":null,"part":null,"ordinal":null}]}"#,
    "\n",
    r#"{"reading":{"device":0,"at":{"secs":0,"nanos":0},"cost":{"secs":0,"nanos":0},"#,
    r#""memory":{"Ok":{"total":1000000000,"used":940000000,"free":40000000,"#,
    r#""driver_reserved":20000000,"source":"nvml_v2"}},"#,
    r#""processes":{"Ok":[{"pid":7,"used":900000000,"gpu_instance":null},"#,
    r#"{"pid":4711,"used":null,"gpu_instance":null}]},"temperature_celsius":{"Ok":41},"#,
    r#""power_milliwatts":{"Ok":121900},"traffic":{"Ok":{"sent":1,"received":2}}}}"#,
    "\n",
    r#"{"reading":{"device":1,"at":{"secs":0,"nanos":0},"cost":{"secs":0,"nanos":0},"#,
    r#""memory":{"Ok":{"total":1000000000,"used":0,"free":1000000000,"#,
    r#""driver_reserved":null,"source":"nvml_v1"}},"processes":{"Err":"missing_symbol"},"#,
    r#""temperature_celsius":{"Err":"not_supported"},"power_milliwatts":{"Err":"no_permission"},"#,
    r#""traffic":{"Err":"not_supported"}}}"#,
    "\n",
    r#"{"reading":{"device":2,"at":{"secs":0,"nanos":0},"cost":{"secs":0,"nanos":0},"#,
    r#""memory":{"Err":"lost"},"processes":{"Err":"lost"},"temperature_celsius":{"Err":"lost"},"#,
    r#""power_milliwatts":{"Err":"lost"},"traffic":{"Err":"lost"}}}"#,
    "\n",
);

fn trace(test: &str) -> String {
    let path = folder(test).join("trace.jsonl");
    fs::write(&path, TRACE).expect("the target folder is writable");
    path.to_str().expect("its name is text").to_owned()
}

#[test]
fn the_text_has_processes_and_unknown_values() {
    expect![[r#"
        cuda:0  NVIDIA H100 80GB HBM3 · 41 °C · 121 W · GPU-1111
        ├─ used     896.5 MiB  94.0 %
        │     7     858.3 MiB  90.0 %
        │     4711    unknown
        ├─ free      38.1 MiB   4.0 %
        └─ driver    19.1 MiB   2.0 %
           critical: 96.0 % of 953.7 MiB is used, 38.1 MiB is free; free what is not needed, or use another device

        nvml:1/mig:3  evil\u{1b}[31m · MIG-2222
        ├─ used                0 B    0.0 %
        │     processes    unknown           the driver is too old to report it
        ├─ free          953.7 MiB  100.0 %
        └─ driver          unknown           included in used

        nvml:2  unknown product · unknown: lost
        └─ memory unknown: the device is lost: reset it or restart the machine

        driver 580.159.03
    "#]].assert_eq(&run(&["gpu", "--trace", &trace("gpu_page")]).well());
}

#[test]
fn amounts_have_the_requested_units() {
    let trace = trace("gpu_units");
    let page = run(&["gpu", "--trace", &trace, "--units", "bytes"]).well();
    assert!(page.contains("940 000 000 B  94.0 %"), "{page}");
}

#[test]
fn the_json_has_the_parts_of_a_trace() {
    let json = run(&["gpu", "--trace", &trace("gpu_json"), "--json"]).well();
    let json: serde_json::Value = serde_json::from_str(&json).expect("it is JSON");
    assert_eq!((&json["format"], &json["version"]), (&"memprof gpu".into(), &1.into()));
    let lines = TRACE.lines().map(|line| serde_json::from_str(line).expect("it is JSON"));
    let lines: Vec<serde_json::Value> = lines.collect();
    assert_eq!(json["environment"], lines[0]["environment"]);
    assert_eq!(json["devices"], lines[0]["devices"]);
    let readings = lines[1..].iter().map(|line| line["reading"].clone());
    assert_eq!(json["readings"], serde_json::Value::Array(readings.collect()));
}

#[test]
fn a_repeated_reading_of_a_trace_ends_with_the_trace() {
    let trace = trace("gpu_every");
    let lines = run(&["gpu", "--trace", &trace, "--every", "10ms", "--json"]).well();
    assert_eq!(lines.lines().count(), 1);
}

#[test]
fn an_invalid_trace_and_a_missing_driver_are_clear_errors() {
    let trace = trace("gpu_errors");
    fs::write(&trace, "{}\n").expect("the target folder is writable");
    let none = run(&["gpu", "--trace", &trace]);
    assert_eq!((none.code, none.out.as_str()), (Some(2), ""));
    assert!(none.err.contains("trace.jsonl: line 1: expected the head of a trace"), "{}", none.err);
    let target = folder("gpu_record").join("new.jsonl");
    let target = target.to_str().expect("its name is text");
    for arguments in [vec!["gpu"], vec!["gpu", "record", target]] {
        let arguments = [&arguments[..], &["--library", "/nowhere/libnvidia-ml.so.1"]].concat();
        let none = run(&arguments);
        assert_eq!((none.code, none.out.as_str()), (Some(2), ""));
        let message = "memprof: no working NVIDIA driver on this machine: its library \
                   (libnvidia-ml.so.1 or nvml.dll) is missing or finds no driver; in a container, \
                   enable GPU access (";
        assert!(none.err.starts_with(message), "{}", none.err);
        assert_eq!(none.err.lines().count(), 1);
    }
    assert!(!fs::exists(target).expect("the folder is there"), "no file is left behind");
}
