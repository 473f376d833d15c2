//! Metrics for Prometheus.

use crate::timelines::{SNAPSHOT, WRONG, hostile, timeline};
use expect_test::{expect, expect_file};
use memprof_export::prometheus::{OPERATIONS, ROOTS, of_recording, of_snapshot};
use memprof_recording::Recording;
use std::collections::HashSet;

fn metrics(recording: &Recording, snapshot: &str) -> String {
    of_recording(recording, recording.snapshot(snapshot).expect("it is there"))
}

#[test]
fn the_last_snapshot_has_the_counts_of_operations() {
    expect_file!["../golden/prometheus.txt"].assert_eq(&metrics(&hostile(), "end"));
}

#[test]
fn only_the_last_snapshot_has_the_summary() {
    let recording = hostile();
    let text = metrics(&recording, "3");
    assert!(text.contains("memprof_heap_live_bytes 2500000\n"), "{text}");
    assert!(!text.contains("memprof_operation"), "{text}");
    // The metrics of a running session are part of the metrics of a recording.
    let snapshot = of_snapshot(recording.snapshot("3").expect("it is there"));
    assert!(text.ends_with(&snapshot) && snapshot.starts_with("# HELP memprof_heap_live_bytes"));
}

#[test]
fn an_unknown_value_has_no_line() {
    expect![[r#"
        # HELP memprof_session_info Program, platform and memprof version.
        # TYPE memprof_session_info gauge
        memprof_session_info{program="importer",platform="linux x86_64",memprof="0.1.0"} 1
        # HELP memprof_session_start_time_seconds Start of the session, in Unix time.
        # TYPE memprof_session_start_time_seconds gauge
        memprof_session_start_time_seconds 1795249800
        # HELP memprof_snapshot_time_seconds Time of the snapshot, in Unix time.
        # TYPE memprof_snapshot_time_seconds gauge
        memprof_snapshot_time_seconds 1795249800.000000003
        # HELP memprof_out_of_memory_total Number of times that the allocator ran out of memory.
        # TYPE memprof_out_of_memory_total counter
        memprof_out_of_memory_total 0
        # HELP memprof_snapshot_duration_seconds Duration of the snapshot.
        # TYPE memprof_snapshot_duration_seconds gauge
        memprof_snapshot_duration_seconds 0.000000001
    "#]]
    .assert_eq(&metrics(&timeline(&[SNAPSHOT]), "end"));
    // If the data of a source are not a valid profile, its bytes are unknown.
    assert!(!metrics(&timeline(&[WRONG]), "end").contains("source"));
}

#[test]
fn each_series_is_unique_and_each_metric_is_contiguous() {
    let recording = hostile();
    for snapshot in &recording.snapshots {
        let text = of_recording(&recording, snapshot);
        let (mut series, mut metrics, mut current) = (HashSet::new(), HashSet::new(), "");
        for line in text.lines() {
            if let Some(help) = line.strip_prefix("# HELP ") {
                current = help.split(' ').next().expect("it has a name");
                assert!(metrics.insert(current), "{current} is there twice");
            } else if !line.starts_with('#') {
                let (name, value) = line.rsplit_once(' ').expect("it has a value");
                assert_eq!(name.split('{').next(), Some(current));
                assert!(series.insert(name), "{name} is there twice");
                assert!(value.parse::<f64>().is_ok(), "{value}");
            }
        }
        assert!(text.chars().all(|char| char == '\n' || !char.is_control()));
    }
}

#[test]
fn operations_over_the_limit_are_one_sum() {
    let row = |at: usize| {
        format!(
            r#"{{"path":["operation {at}"],"file":"","line":0,"calls":1,"allocated_bytes":{at},"allocated_blocks":1,"freed_bytes":0,"freed_blocks":0,"own_allocated_bytes":{at},"net_bytes":{at},"average_net_bytes":1.0,"max_net_bytes":1,"peak_bytes":{at},"before_bytes":0,"after_bytes":0,"wall_time":null,"retained":null,"retained_blocks":null}}"#
        )
    };
    let count = OPERATIONS + 30;
    let rows: Vec<String> = (1..=count).map(row).collect();
    let summary = format!(r#"{{"summary":{{"operations":[{}]}}}}"#, rows.join(","));
    let text = metrics(&timeline(&[SNAPSHOT, &summary]), "end");
    let calls: Vec<&str> =
        text.lines().filter(|line| line.starts_with("memprof_operation_calls_total{")).collect();
    assert_eq!(calls.len(), OPERATIONS + 1);
    assert_eq!(
        calls[0],
        format!("memprof_operation_calls_total{{operation=\"operation {count}\"}} 1")
    );
    assert_eq!(calls[OPERATIONS], "memprof_operation_calls_total{operation=\"<other>\"} 30");
    // The rest are the operations that allocated least: 1 to 30 bytes.
    assert!(text.contains("memprof_operation_allocated_bytes_total{operation=\"<other>\"} 465\n"));
    assert!(text.contains("memprof_operation_peak_bytes{operation=\"<other>\"} 30\n"), "{text}");
    assert!(!text.contains("seconds_total"), "no call was timed");
}

#[test]
fn roots_over_the_limit_are_one_sum() {
    let root = |at: usize, state: &str| {
        format!(
            r#"{{"name":"connection {at}","state":"{state}","held_ns":0,"total_bytes":{at},"heap_bytes":1}}"#
        )
    };
    let text = |state: &str| {
        let roots: Vec<String> =
            (1..=ROOTS + 30).map(|at| root(at, if at == 7 { state } else { "profiled" })).collect();
        let snapshot =
            SNAPSHOT.replace("\"roots\":[]", &format!("\"roots\":[{}]", roots.join(",")));
        metrics(&timeline(&[&snapshot]), "end")
    };
    let series = |text: &str, metric: &str| -> Vec<String> {
        let lines = text.lines().filter(|line| line.starts_with(&format!("{metric}{{")));
        lines.map(str::to_owned).collect()
    };
    let all = text("profiled");
    let bytes = series(&all, "memprof_root_bytes");
    assert_eq!(bytes.len(), ROOTS + 1);
    assert_eq!(bytes[0], format!("memprof_root_bytes{{root=\"connection {}\"}} 80", ROOTS + 30));
    // The rest are the smallest roots: 1 to 30 bytes.
    assert_eq!(bytes[ROOTS], "memprof_root_bytes{root=\"<other>\"} 465");
    let heap = series(&all, "memprof_root_heap_bytes");
    assert_eq!(heap[ROOTS], "memprof_root_heap_bytes{root=\"<other>\"} 30");
    assert!(all.contains("\nmemprof_other_roots 30\n"), "{all}");
    let partial = series(&text("partial"), "memprof_root_bytes");
    assert_eq!(partial.len(), ROOTS, "the sum is unknown: {partial:?}");
}
