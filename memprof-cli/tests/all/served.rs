//! Tests of exports of sessions to Perfetto and Prometheus.

use crate::memprof::{file, folder, run};
use crate::recordings::{bare, importer};
use crate::samples::LATER;

#[test]
fn a_trace_is_of_the_whole_session() {
    let folder = folder("served-perfetto");
    let report = file(&folder, "run.json", importer().report());
    let (one, other) =
        (folder.join("run.pftrace"), file(&folder, "run.jsonl", importer().timeline()));
    run(&["export", "--to", "perfetto", "-o", one.to_str().unwrap(), &report]).well();
    let trace = std::fs::read(&one).unwrap();
    // The trace begins with a packet and contains names.
    assert_eq!(trace[0], 0x0a);
    assert!(trace.windows(9).any(|name| name == b"heap live"));
    let two = folder.join("timeline.pftrace");
    run(&["export", "--to", "perfetto", "-o", two.to_str().unwrap(), &other]).well();
    assert_eq!(std::fs::read(two).unwrap(), trace, "a report and its timeline give the same trace");
    for (arguments, expected) in [
        (vec!["--root", "cache", &*report], "remove `--root`"),
        (vec![&*format!("{report}@end")], "remove `@`"),
        (vec![&*file(&folder, "later.folded", LATER)], "not a recording"),
    ] {
        let refused = run(&[&["export", "--to", "perfetto"], &arguments[..]].concat());
        assert_eq!((refused.code, refused.out.as_str()), (Some(2), ""), "{arguments:?}");
        assert!(refused.err.contains(expected), "{arguments:?}: {}", refused.err);
    }
}

#[test]
fn metrics_are_of_the_named_snapshot() {
    let folder = folder("served-prometheus");
    let report = file(&folder, "run.json", importer().report());
    let metrics = |source: &str| run(&["export", "--to", "prometheus", source]).well();
    let (last, loaded) = (metrics(&report), metrics(&format!("{report}@after_load")));
    assert!(last.contains("memprof_operation_calls_total{operation=\"serve\"} 1250\n"), "{last}");
    assert!(loaded.contains("memprof_heap_live_bytes ") && !loaded.contains("operation"));
    // A program may be killed while it writes a line.
    let timeline = importer().timeline();
    let torn = file(&folder, "torn.jsonl", format!("{timeline}{{\"snapshot\":"));
    let torn = run(&["export", "--to", "prometheus", &torn]);
    assert_eq!((torn.code, torn.out), (Some(0), last));
    assert!(torn.err.contains("torn.jsonl: "), "{}", torn.err);
    let mut nothing = bare();
    nothing.snapshots.clear();
    let nothing =
        run(&["export", "--to", "prometheus", &file(&folder, "bare.json", nothing.report())]);
    assert_eq!(nothing.code, Some(2));
    assert!(nothing.err.contains("no snapshot"), "{}", nothing.err);
}
