//! The bytes that operations left live, and the operations that frameworks reported.

use super::super::operations::{TIME, retained};
use super::super::words::operation;
use super::page::Page;
use crate::Recording;
use crate::document::{DroppedEvents, FrameworkRow};
use memprof_profile::text::Shown;
use memprof_profile::text::Table;
use memprof_profile::text::counted;
use memprof_profile::text::signed;
use memprof_profile::text::span;
use memprof_profile::views::Grouped;

/// The number of operations shown.
const OPERATIONS: usize = 5;
/// The number of framework operations shown.
const FRAMEWORK: usize = 3;

pub(super) fn write(page: &mut Page, recording: &Recording, is_whole: bool) {
    let units = page.units;
    let all = &recording.summary.operations;
    let mut table =
        Table::new(["operation", "calls", "retained (own)", "total", "peak", TIME], &[0]);
    let widest = recording.operation_table().count(OPERATIONS);
    for row in widest.rows() {
        table.row([
            operation(&row.path),
            Grouped(row.calls).to_string(),
            retained(row, units),
            signed(row.net_bytes.into(), units),
            units.show(row.peak_bytes).to_string(),
            row.wall_time.map_or_else(String::new, |time| span(time.total_ns)),
        ]);
    }
    // A narrow overview leaves out the times, then the peaks.
    for column in [5, 4] {
        if table.columns() + 2 > page.width {
            table.drop_column(column);
        }
    }
    if !table.is_empty() {
        page.gap();
        page.table_with_title(table);
        let more = all.len().saturating_sub(OPERATIONS);
        if more > 0 {
            page.line(&format!("…{}: `memprof ops`", counted(more as u64, "more operation")));
        }
    }
    let dropped = dropped(&recording.summary.dropped_events);
    if let Some(dropped) = dropped {
        // The `Document` of a session has no individual calls in memory; its file has them.
        let kept = if is_whole {
            counted(recording.operation_events.len() as u64, "individual call")
        } else {
            "individual calls".to_owned()
        };
        page.line(&format!("{kept} in the file; {dropped}"));
    }
    framework(page, &recording.summary.framework_operations);
}

fn dropped(dropped: &DroppedEvents) -> Option<String> {
    let mut parts = Vec::new();
    if dropped.over_cap > 0 {
        parts.push(format!("{} later ones left out", Grouped(dropped.over_cap)));
    }
    if dropped.not_recorded > 0 {
        parts.push(format!("{} not recorded: the buffer was full", Grouped(dropped.not_recorded)));
    }
    (!parts.is_empty()).then(|| parts.join(", "))
}

fn framework(page: &mut Page, rows: &[FrameworkRow]) {
    let units = page.units;
    let mut table = Table::new(
        ["framework", "calls", "cpu", "device", "bytes", "on the device", "shapes"],
        &[0, 6],
    );
    for row in rows.iter().take(FRAMEWORK) {
        let time = |known: Option<crate::document::Known>| {
            known.map_or_else(String::new, |known| span(known.total.max(0).unsigned_abs()))
        };
        let bytes = |known: Option<crate::document::Known>| {
            known.map_or_else(String::new, |known| signed(known.total.into(), units))
        };
        let shapes = row.shapes.iter().flatten().map(|shape| format!("{shape:?}"));
        table.row([
            Shown(&row.name).to_string(),
            Grouped(row.calls).to_string(),
            time(row.cpu_ns),
            time(row.device_ns),
            bytes(row.cpu_bytes),
            bytes(row.device_bytes),
            shapes.collect::<Vec<_>>().join(" "),
        ]);
    }
    if !table.is_empty() {
        page.gap();
        page.table_with_title(table);
        let more = rows.len().saturating_sub(FRAMEWORK);
        if more > 0 {
            page.line(&format!("…{more} more"));
        }
    }
}
