//! Tests of operations from the record to the table.
#![expect(clippy::needless_raw_string_hashes, reason = "as expect-test writes them")]

use super::{read_key, write_key};
use crate::framework::{FrameworkCall, FrameworkOperations, FrameworkSummary, InputShapes, Known};
use core::time::Duration;
use expect_test::{Expect, expect};
use std::collections::BTreeSet;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

const MICROSECOND: Duration = Duration::from_micros(1);

fn recorded(calls: &[FrameworkCall<'_>]) -> FrameworkSummary {
    let operations = FrameworkOperations::new();
    for call in calls {
        operations.record(*call);
    }
    operations.summary()
}

fn rows(summary: &FrameworkSummary) -> Vec<(String, String, u64)> {
    let row =
        |row: &super::FrameworkRow| (row.name.clone(), row.shapes.to_string(), row.figures.calls);
    summary.rows().iter().map(row).collect()
}

fn row(name: &str, shapes: &str, calls: u64) -> (String, String, u64) {
    (name.to_owned(), shapes.to_owned(), calls)
}

fn check(summary: &FrameworkSummary, expected: &Expect) {
    let lines: Vec<_> = summary.to_string().lines().map(|line| format!("{line}\n")).collect();
    expected.assert_eq(&lines.concat());
}

#[test]
fn calls_of_one_name_and_the_same_shapes_are_one_row() {
    let multiply = FrameworkCall::new("mm").shapes(&[&[2, 3], &[3, 4]]);
    let wide = FrameworkCall::new("mm").shapes(&[&[2, 3], &[3, 400]]);
    let summary = recorded(&[
        multiply.cpu_time(3 * MICROSECOND).cpu_bytes(40),
        wide.cpu_time(9 * MICROSECOND),
        multiply.cpu_time(MICROSECOND).cpu_bytes(-100),
        FrameworkCall::new("relu").shapes(&[&[2, 3]]).cpu_time(5 * MICROSECOND),
        FrameworkCall::new("mm").cpu_time(6 * MICROSECOND),
    ]);
    assert_eq!(
        rows(&summary),
        [
            row("mm", "[2, 3] [3, 400]", 1),
            row("mm", "unknown shapes", 1),
            row("relu", "[2, 3]", 1),
            row("mm", "[2, 3] [3, 4]", 2),
        ]
    );
    let figures = summary.rows()[3].figures;
    let cpu_time = Known { calls: 2, total: 4 * MICROSECOND, max: 3 * MICROSECOND };
    assert_eq!(figures.cpu_time, Some(cpu_time));
    assert_eq!(cpu_time.mean(), 2 * MICROSECOND);
    assert_eq!(figures.cpu_bytes, Some(Known { calls: 2, total: -60, max: 40 }));
    assert_eq!(
        rows(&summary.by_name()),
        [row("mm", "several shapes", 4), row("relu", "[2, 3]", 1)]
    );
}

#[test]
fn a_figure_that_no_call_reported_is_unknown() {
    let call = FrameworkCall::new("copy").shapes(&[]);
    let summary = recorded(&[call, call.device_time(MICROSECOND), call.device_bytes(0)]);
    let figures = summary.rows()[0].figures;
    assert_eq!(figures.calls, 3);
    assert_eq!((figures.cpu_time, figures.cpu_bytes), (None, None));
    let time = Known { calls: 1, total: MICROSECOND, max: MICROSECOND };
    assert_eq!(figures.device_time, Some(time));
    assert_eq!(figures.device_bytes, Some(Known { calls: 1, total: 0, max: 0 }));
}

#[test]
fn rows_of_unknown_cpu_time_come_last_and_equal_ones_in_the_order_of_their_names() {
    let summary = recorded(&[
        FrameworkCall::new("unknown"),
        FrameworkCall::new("b").cpu_time(MICROSECOND),
        FrameworkCall::new("none").cpu_time(Duration::ZERO),
        FrameworkCall::new("a").cpu_time(MICROSECOND),
    ]);
    let names = |summary: &FrameworkSummary| {
        summary.rows().iter().map(|row| row.name.clone()).collect::<Vec<_>>()
    };
    assert_eq!(names(&summary), ["a", "b", "none", "unknown"]);
    assert_eq!(names(&summary.by_name()), ["a", "b", "none", "unknown"]);
}

#[test]
fn sums_that_overflow_stay_at_the_limit() {
    let call = FrameworkCall::new("huge").cpu_time(Duration::MAX).cpu_bytes(i64::MAX);
    let freed = call.device_bytes(i64::MIN);
    let figures = recorded(&[call, freed, freed]).rows()[0].figures;
    assert_eq!(figures.cpu_time.map(|time| time.total), Some(Duration::MAX));
    assert_eq!(figures.cpu_bytes.map(|bytes| bytes.total), Some(i64::MAX));
    assert_eq!(figures.device_bytes.map(|bytes| bytes.total), Some(i64::MIN));
}

#[test]
fn combinations_beyond_the_kept_ones_are_added_up_and_counted() {
    let operations = FrameworkOperations::new();
    let kept = FrameworkOperations::KEPT;
    let call = |name, columns| {
        operations.record(FrameworkCall::new(name).shapes(&[&[columns]]).cpu_time(MICROSECOND));
    };
    for columns in 0..kept + 10 {
        call("mm", columns);
    }
    call("mm", 0);
    call("relu", 0);
    call("sigmoid", 0);
    let summary = operations.summary();
    assert_eq!(summary.rows().len(), kept + 2);
    assert_eq!(summary.other_calls(), 12);
    assert_eq!(
        rows(&summary)[..4],
        [
            row("mm", "<other>", 10),
            row("mm", "[0]", 2),
            row("<other>", "<other>", 2),
            row("mm", "[1]", 1),
        ]
    );
    let by_name = summary.by_name();
    let calls = kept as u64 + 11;
    assert_eq!(rows(&by_name), [row("mm", "several shapes", calls), row("<other>", "<other>", 2)]);
    assert_eq!(by_name.other_calls(), 12);
    check(
        &by_name,
        &expect![[r#"
            calls  CPU time    mean     max  device time  CPU bytes  max  device bytes  max  operation
            4,107    4.1 ms  1.0 µs  1.0 µs      unknown    unknown            unknown       mm  several shapes
                2    2.0 µs  1.0 µs  1.0 µs      unknown    unknown            unknown       <other>  <other>
            <other>: 12 calls; only 4,096 combinations of name and shapes are kept
        "#]],
    );
    operations.reset();
    assert_eq!(operations.summary(), FrameworkSummary::default());
    call("relu", 0);
    assert_eq!(rows(&operations.summary()), [row("relu", "[0]", 1)]);
}

#[test]
fn no_call_of_many_threads_is_lost() {
    let operations = FrameworkOperations::new();
    thread::scope(|scope| {
        for thread in 0..8 {
            let operations = &operations;
            scope.spawn(move || {
                for index in 0..1000 {
                    let shapes: &[&[usize]] = &[&[index % 10], &[thread % 2]];
                    let call = FrameworkCall::new("add").shapes(shapes);
                    operations.record(call.cpu_bytes(1).cpu_time(MICROSECOND));
                }
            });
        }
    });
    let summary = operations.summary();
    assert_eq!(summary.rows().len(), 20);
    assert!(summary.rows().iter().all(|row| row.figures.calls == 400));
    let figures = summary.by_name().rows()[0].figures;
    assert_eq!(figures.calls, 8000);
    assert_eq!(figures.cpu_bytes, Some(Known { calls: 8000, total: 8000, max: 1 }));
    assert_eq!(figures.cpu_time.map(Known::mean), Some(MICROSECOND));
}

#[test]
fn runs_within_runs_are_both_recorded_and_those_that_panic_are_not() {
    let operations = FrameworkOperations::new();
    let panicked = catch_unwind(AssertUnwindSafe(|| {
        operations.run("outer", &[], || {
            operations.run("inner", &[], || ());
            operations.run("failing", &[], || std::panic::resume_unwind(Box::new("no memory")))
        })
    }));
    assert!(panicked.is_err());
    assert_eq!(rows(&operations.summary()), [row("inner", "no inputs", 1)]);
}

#[test]
fn the_table_shows_known_figures_and_names_unknown_ones() {
    let multiply = FrameworkCall::new("aten::mm").shapes(&[&[32, 64], &[64, 10]]);
    let multiply = multiply.cpu_time(Duration::from_micros(750)).cpu_bytes(1280);
    let copy = FrameworkCall::new("aten::copy_").shapes(&[&[1 << 20]]);
    let copy = copy.cpu_time(Duration::from_micros(1234));
    let summary = recorded(&[
        multiply,
        multiply.cpu_time(Duration::from_micros(250)),
        copy.device_time(Duration::from_nanos(999)).device_bytes(4 << 20),
        copy,
        FrameworkCall::new("free\n").cpu_bytes(-(3 << 30)).shapes(&[]),
        FrameworkCall::new("item"),
    ]);
    check(
        &summary,
        &expect![[r#"
            calls  CPU time      mean       max  device time  CPU bytes       max  device bytes       max  operation
                2    2.5 ms    1.2 ms    1.2 ms      999 ns*    unknown                4.0 MiB*  4.0 MiB*  aten::copy_  [1048576]
                2    1.0 ms  500.0 µs  750.0 µs      unknown    2.5 KiB   1.3 KiB       unknown            aten::mm  [32, 64] [64, 10]
                1   unknown                          unknown   −3.0 GiB  −3.0 GiB       unknown            free�  no inputs
                1   unknown                          unknown    unknown                 unknown            item  unknown shapes
            * only from the calls that reported it; the others are unknown
        "#]],
    );
    check(
        &recorded(&[FrameworkCall::new("item").device_time(Duration::ZERO)]),
        &expect![[r#"
            calls  CPU time  mean  max  device time  CPU bytes  max  device bytes  max  operation
                1   unknown                    0 ns    unknown            unknown       item  unknown shapes
        "#]],
    );
}

#[test]
fn a_table_without_records_says_so() {
    check(
        &recorded(&[]),
        &expect![[r#"
        no framework operations
    "#]],
    );
    assert_eq!(recorded(&[]).by_name(), FrameworkSummary::default());
}

#[test]
fn the_process_has_operations_of_its_own() {
    super::reset();
    super::record(FrameworkCall::new("global"));
    assert_eq!(super::run("global", &[], || 7), 7);
    let summary = super::summary();
    assert_eq!(summary.rows().iter().map(|row| row.figures.calls).sum::<u64>(), 2);
    assert_eq!(summary.rows()[0].shapes, InputShapes::Known(Vec::new()));
    super::reset();
    assert!(super::summary().rows().is_empty());
}

#[test]
fn shapes_come_back_as_they_were_and_differ_from_all_others() {
    let cases: [(Option<&[&[usize]]>, &str); 9] = [
        (None, "unknown shapes"),
        (Some(&[]), "no inputs"),
        (Some(&[&[]]), "[]"),
        (Some(&[&[], &[]]), "[] []"),
        (Some(&[&[1]]), "[1]"),
        (Some(&[&[1, 1]]), "[1, 1]"),
        (Some(&[&[1], &[]]), "[1] []"),
        (Some(&[&[], &[1]]), "[] [1]"),
        (Some(&[&[32, 64], &[64, 10]]), "[32, 64] [64, 10]"),
    ];
    let mut key = Vec::new();
    let mut keys = BTreeSet::new();
    for (shapes, shown) in cases {
        write_key(shapes, &mut key);
        assert_eq!(read_key(&key).to_string(), shown);
        assert!(keys.insert(key.clone()), "{shown}");
    }
    assert_eq!(InputShapes::Several.to_string(), "several shapes");
    assert_eq!(InputShapes::Other.to_string(), "<other>");
}
