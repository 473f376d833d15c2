//! The table of operations. Within each operation, the inner operations that allocated most are
//! first.

use super::{Operation, Operations};
use crate::base::clock::Since;
use crate::sampling::Estimate;
use core::fmt;
use memprof_profile::text::{Shown, Table, signed};
use memprof_profile::views::Units;

pub(super) fn write(all: &Operations, out: &mut fmt::Formatter<'_>) -> fmt::Result {
    if all.paths.is_empty() {
        return out.write_str("no operation has ended");
    }
    let sampled = all.paths.iter().any(|operation| operation.retained.is_some());
    let timed = all.paths.iter().any(|operation| operation.wall_time.is_some());
    let mut rows = vec![header(sampled, timed)];
    rows.extend(in_order(all).into_iter().map(|operation| row(operation, sampled, timed)));
    for line in Table::of_rows(rows, &[0]).lines(usize::MAX) {
        writeln!(out, "{}", line.trim_end())?;
    }
    match all.since {
        Since::Start => out.write_str("since the program started")?,
        Since::Ago(ago) => write!(out, "in the last {:.1} s", ago.as_secs_f64())?,
    }
    let retained: Estimate = all.paths.iter().filter_map(|operation| operation.retained).sum();
    if retained.has_few_samples() {
        write!(
            out,
            " · retained: few samples ({}), use `heap::set_rate(heap::Rate::every(4096))` for small \
             programs",
            retained.samples
        )?;
    }
    Ok(())
}

fn header(sampled: bool, timed: bool) -> Vec<String> {
    let mut cells = vec![
        "operation",
        "calls",
        "allocated",
        "blocks",
        "freed",
        "total",
        "average",
        "max",
        "peak",
    ];
    if sampled {
        cells.push("retained (own)");
    }
    if timed {
        cells.push("time");
    }
    cells.into_iter().map(str::to_owned).collect()
}

fn row(operation: &Operation, sampled: bool, timed: bool) -> Vec<String> {
    let indent = "  ".repeat(operation.path.len().saturating_sub(1));
    let mut cells = vec![
        format!("{indent}{}", Shown(operation.name())),
        operation.calls.to_string(),
        bytes(operation.allocated_bytes),
        operation.allocated_blocks.to_string(),
        bytes(operation.freed_bytes),
        signed(operation.net_bytes().into(), Units::Iec),
        operation
            .average_net_bytes()
            .map_or_else(String::new, |delta| signed(delta.round() as i128, Units::Iec)),
        signed(operation.max_net_bytes.into(), Units::Iec),
        bytes(operation.peak),
    ];
    if sampled {
        let retained = operation.retained.unwrap_or_default();
        cells.push(retained.bytes().to_string());
    }
    if timed {
        let time = operation.wall_time.map(|time| format!("{:.3} s", time.total.as_secs_f64()));
        cells.push(time.unwrap_or_default());
    }
    cells
}

fn bytes(bytes: u64) -> String {
    Units::Iec.show(bytes).to_string()
}

/// Returns each operation before its inner ones, which are sorted by bytes allocated.
fn in_order(all: &Operations) -> Vec<&Operation> {
    let mut order = Vec::with_capacity(all.paths.len());
    visit(all, &[], &mut order);
    order
}

fn visit<'a>(all: &'a Operations, outer: &[&str], order: &mut Vec<&'a Operation>) {
    let within = |operation: &&Operation| {
        operation.path.len() == outer.len() + 1 && operation.path.starts_with(outer)
    };
    let mut inner: Vec<_> = all.paths.iter().filter(within).collect();
    inner.sort_by_key(|operation| core::cmp::Reverse(operation.allocated_bytes));
    for operation in inner {
        order.push(operation);
        visit(all, &operation.path, order);
    }
}
