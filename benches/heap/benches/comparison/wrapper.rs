//! A wrapper type compared with the raw buffer that it wraps, on the host and on CUDA.

use crate::options::{Length, Options};
use crate::table::{Group, Ratio, Ratios, Row, duration, ratio};
use memprof::views::Grouped;
use memprof_wrapper_benches::bench::Timing;
use memprof_wrapper_benches::report::{Report, Row as Measured};
use memprof_wrapper_benches::run::{Arguments, run};

/// The operations of the table: one that allocates, one that works on each element, and a chain of
/// both.
const OPERATIONS: [&str; 3] = ["create", "add", "chain (a+b)·a/s, sum"];

/// Measures the operations on the host and, if there is a GPU, on it.
pub(crate) fn measure(options: &Options) -> Group {
    eprintln!("wrapper …");
    let mut report = Report::default();
    let measured = Arguments::from_words(arguments(options)).map_err(Into::into);
    let measured = measured.and_then(|arguments| run(&arguments, &mut report));
    let mut rows: Vec<_> = report.rows.iter().flat_map(in_table).collect();
    for skipped in report.skipped.iter().filter(|skipped| skipped.operations == "all") {
        rows.push(unmeasured(skipped.device.to_string(), &skipped.reason));
    }
    if let Err(error) = measured {
        rows.push(unmeasured("all operations".to_owned(), &error.to_string()));
    }
    Group { title: "wrapper type (a tensor with a unit), over the raw buffer", rows }
}

fn arguments(options: &Options) -> Vec<String> {
    let output = concat!(env!("CARGO_TARGET_TMPDIR"), "/wrapper");
    let mut arguments = vec!["--output", output, "--dtype", "f32"];
    for operation in OPERATIONS {
        arguments.extend(["--operation", operation]);
    }
    match options.length {
        Length::Test => arguments.push("--effort=quick"),
        Length::Usual => arguments.extend(["--elements", "1024", "--elements", "1048576"]),
        Length::Long => {}
    }
    arguments.into_iter().map(str::to_owned).collect()
}

/// Returns a row for each clock: the host's and, on a GPU, the stream's.
fn in_table(row: &Measured) -> Vec<Row> {
    let clocks = [("host", Some(row.comparison.host)), ("stream", row.comparison.stream)];
    let has_device = row.comparison.stream.is_some();
    let rows = clocks.into_iter().filter_map(|(clock, timing)| {
        let clock = if has_device { format!(", {clock} time") } else { String::new() };
        Some(Row {
            name: format!("{}, {}{clock}", row.operation, row.device),
            size: format!("{} elements", Grouped(row.elements as u64)),
            outcome: Ok(ratios(&timing?)),
        })
    });
    rows.collect()
}

fn ratios(timing: &Timing) -> Ratios {
    Ratios {
        reference: duration(timing.base() / 1e9),
        memprof: vec![Ratio::new("", ratio(timing.wrapped.value / timing.base()))],
        peers: vec![Ratio::new("raw again", ratio(timing.repeated.value / timing.raw.value))],
        ..Ratios::default()
    }
}

fn unmeasured(name: String, reason: &str) -> Row {
    Row { name, size: String::new(), outcome: Err(reason.to_owned()) }
}
